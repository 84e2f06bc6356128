import { expect, test } from 'vitest';
import { instanceDefaults, presetPaces, type Instance } from '../../../../src-contract/instances/instance.ts';
import { slotToRotate } from '../../../../src-main/jobs/tokens/rotations-due.ts';

const instance = (change: Partial<Instance> = {}): Instance => ({
  ...instanceDefaults,
  name: 'work',
  url: 'https://gitlab.example',
  caFile: null,
  pacePreset: 'gitlab',
  pace: presetPaces.gitlab,
  username: 'me',
  userId: 1,
  administrator: false,
  serverVersion: '18.5.0',
  tokenExpiresOn: '2026-12-01',
  tokenCanWrite: true,
  addedAt: '2026-11-20T12:00:00.000Z',
  rotateDaysBefore: 10,
  ...change,
});
const at = (time: string): number => Date.parse(`${time}:00Z`);
const never = () => null;

test.for([
  ['2026-11-20T23:59', null],
  ['2026-11-21T00:00', 'main'],
  ['2026-11-30T23:59', 'main'],
  // On its expiry date the token no longer works and cannot be replaced.
  ['2026-12-01T00:00', null],
])(
  'with a rotation ten days before the first of December, the slot to rotate at %s is %s',
  ([time, slot]) => {
    expect(slotToRotate(instance(), at(time ?? ''), never)).toBe(slot);
  },
);

test.for<[string, Partial<Instance>]>([
  ['the rotation was not requested', { rotateDaysBefore: null }],
  ['the instance is read-only', { readOnly: true }],
  ['the instance has no account', { anonymous: true }],
  ['the expiry date is unknown', { tokenExpiresOn: null }],
  [
    'the token is lost',
    { rotationLost: { at: 1, oldId: 1, name: 't', orphanId: null, expiresOn: null, page: 'https://x' } },
  ],
])('no token is replaced if %s', ([, change]) => {
  expect(slotToRotate(instance(change), at('2026-11-25T12:00'), never)).toBeNull();
});

test('a failed replacement is retried after a day', () => {
  const now = at('2026-11-25T12:00');
  expect(slotToRotate(instance(), now, () => now - 86_399_999)).toBeNull();
  expect(slotToRotate(instance(), now, () => now - 86_400_000)).toBe('main');
});

test('the main token is replaced before the spare token, and the spare token has its own retry time', () => {
  const both = instance({ hasSpare: true, spareExpiresOn: '2026-12-01' });
  const now = at('2026-11-25T12:00');
  expect(slotToRotate(both, now, never)).toBe('main');
  expect(slotToRotate(both, now, (slot) => (slot === 'main' ? now : null))).toBe('spare');
  expect(
    slotToRotate({ ...both, hasSpare: false }, now, (slot) => (slot === 'main' ? now : null)),
  ).toBeNull();
});
