import { beforeEach, expect, test } from 'vitest';
import { Confirmations, type ConfirmationTarget } from '../../../../src-main/bridge/host/confirmations.ts';

const overwrite: ConfirmationTarget = {
  action: 'import.overwrite',
  instance: 'work',
  project: 'group/project',
};
const remove: ConfirmationTarget = { action: 'instance.remove', instance: 'work', project: null };
let now: number;
let confirmations: Confirmations;
beforeEach(() => {
  now = Date.UTC(2026, 10, 20);
  confirmations = new Confirmations(() => now);
});

const missing = expect.objectContaining({ code: 'confirmation-missing' }) as Error;
const used = (word: string | null, target: ConfirmationTarget) => () => {
  confirmations.consume(word, target);
};

test('a confirmation word allows exactly the action that it was issued for, once, in any case of the project path', () => {
  const word = confirmations.issue(overwrite);
  expect(used(word, { ...overwrite, project: 'Group/PROJECT' })).not.toThrow();
  expect(used(word, overwrite)).toThrow(missing);
});

test.each<[string, ConfirmationTarget]>([
  ['another action', remove],
  ['another instance', { ...overwrite, instance: 'home' }],
  ['another project', { ...overwrite, project: 'group/other' }],
])('a confirmation word does not allow %s, and the attempt consumes it', (_what, other) => {
  const word = confirmations.issue(overwrite);
  expect(used(word, other)).toThrow(missing);
  expect(used(word, overwrite)).toThrow(missing);
});

test.each([null, '', 'guessed'])('%j is no confirmation word', (word) => {
  confirmations.issue(overwrite);
  expect(used(word, overwrite)).toThrow(missing);
});

test('a confirmation word is valid for a minute, and is invalid if the clock is set back', () => {
  const inTime = confirmations.issue(remove);
  now += 60_000;
  expect(used(inTime, remove)).not.toThrow();
  const late = confirmations.issue(remove);
  now += 60_001;
  expect(used(late, remove)).toThrow(missing);
  const setBack = confirmations.issue(remove);
  now -= 3_600_000;
  expect(used(setBack, remove)).toThrow(missing);
});

test('confirmation words cannot be guessed: all differ, and each has at least 128 bits', () => {
  const words = Array.from({ length: 50 }, () => confirmations.issue(remove));
  expect(new Set(words).size).toBe(50);
  for (const word of words) expect(Buffer.from(word, 'base64url').length).toBeGreaterThanOrEqual(16);
});

test('endless requests do not fill the memory: the oldest of 101 confirmation words is forgotten', () => {
  const first = confirmations.issue(remove);
  const second = confirmations.issue(remove);
  for (let times = 0; times < 99; times++) confirmations.issue(remove);
  expect(used(first, remove)).toThrow(missing);
  expect(used(second, remove)).not.toThrow();
});
