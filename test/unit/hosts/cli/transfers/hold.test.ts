/** @file The end of a command that alone knows a new token. */
import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { NewTokens } from '../../../../../src-main/services/tokens/new-tokens.ts';
import { waitForStoredTokens } from '../../../../../src-main/hosts/cli/transfers/stored-tokens-wait.ts';
import { Terminal } from '../../../../../src-main/hosts/cli/terminal/terminal.ts';
import { Token } from '../../../../../src-main/platform/token.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

const secret = 'glpat-new-and-nowhere-else';

let clock: SteppedClock;
let newTokens: NewTokens;
/** Whether the keychain takes what it is given. */
let keychainWorks: boolean;
let tries: number;
let written: string;
/** What the Enter key does; null while nobody listens. */
let enter: (() => void) | null;
/** What happens while the jobs come to rest. */
let resting: () => Promise<unknown>;

beforeEach(() => {
  clock = new SteppedClock();
  keychainWorks = false;
  tries = 0;
  written = '';
  enter = null;
  resting = () => Promise.resolve();
  newTokens = new NewTokens(() => {
    tries += 1;
    return keychainWorks ? Promise.resolve() : Promise.reject(new Error('locked'));
  });
});

/** An answer with a new token, as it comes from an instance. */
const answer = () => ({ token: { name: 'packhorse' } as never, secret: new Token(secret) });

/** Ends a command on a terminal that is a screen or a file, with a keyboard or without. */
function hold({ isTTY = true, keyboard = true, quiet = true } = {}): Promise<void> {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stderr.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const terminal = new Terminal({ json: false, quiet, stdout: new PassThrough(), stderr });
  return waitForStoredTokens({
    app: {
      newTokens,
      async suspendJobs() {
        await resting();
      },
    },
    terminal,
    clock,
    listenForEnter(signal, pressed) {
      if (!keyboard) return false;
      enter = pressed;
      signal.addEventListener('abort', () => (enter = null));
      return true;
    },
  });
}

async function hasEnded(work: Promise<void>): Promise<boolean> {
  let ended = false;
  void work.then(() => (ended = true));
  await clock.advance(0);
  return ended;
}

test('ends at once, without a word, where nothing would be lost', async () => {
  await hold();
  expect([written, clock.pending]).toEqual(['', 0]);
});

test('tries the keychain first, and says nothing where it takes the token', async () => {
  await newTokens.trackRequest('work', () => Promise.resolve(answer()));
  keychainWorks = true;
  await hold();
  expect([written, tries]).toEqual(['', 1]);
});

test('says why it does not end, also to who wants no messages, and ends when the keychain works', async () => {
  await newTokens.trackRequest('work', () => Promise.resolve(answer()));
  const held = hold();
  await clock.advance(60_000);
  expect(await hasEnded(held)).toBe(false);
  expect(written).toContain('new token of "work"');
  expect(written).toContain('Press Enter to show the token here once');
  keychainWorks = true;
  await clock.advance(15_000);
  expect(await hasEnded(held)).toBe(true);
  expect(written).toContain('The keychain has the new token.');
  expect(written).not.toContain(secret);
  expect([enter, tries]).toEqual([null, 6]);
});

test('shows the token once to who presses Enter, and then ends', async () => {
  await newTokens.trackRequest('work', () => Promise.resolve(answer()));
  const held = hold();
  await clock.advance(1_000);
  enter?.();
  enter?.();
  await clock.advance(1_000);
  expect(await hasEnded(held)).toBe(true);
  expect(written.split(secret)).toHaveLength(2);
  expect(written).not.toContain('The keychain has');
});

test.each([
  ['what is said goes to a file', { isTTY: false }],
  ['there is no keyboard', { keyboard: false }],
])('does not offer the token where %s', async (_, where) => {
  await newTokens.trackRequest('work', () => Promise.resolve(answer()));
  const held = hold(where);
  await clock.advance(60_000);
  expect(enter).toBeNull();
  expect(written).toContain('it would be lost if the process ended now');
  expect(written).not.toContain('Enter');
  keychainWorks = true;
  await clock.advance(15_000);
  expect(await hasEnded(held)).toBe(true);
});

test('looks for new tokens when no job runs any more', async () => {
  resting = () => newTokens.trackRequest('work', () => Promise.resolve(answer()));
  const held = hold();
  await clock.advance(1_000);
  expect(await hasEnded(held)).toBe(false);
  expect(written).toContain('new token of "work"');
  keychainWorks = true;
  await clock.advance(15_000);
  expect(await hasEnded(held)).toBe(true);
});

test('waits for an answer that is on its way', async () => {
  const asked = Promise.withResolvers<ReturnType<typeof answer>>();
  const asking = newTokens.trackRequest('work', () => asked.promise);
  const held = hold();
  expect(await hasEnded(held)).toBe(false);
  asked.resolve(answer());
  await asking;
  await clock.advance(1_000);
  expect(await hasEnded(held)).toBe(false);
  expect(written).toContain('new token of "work"');
  enter?.();
  await clock.advance(1_000);
  expect(await hasEnded(held)).toBe(true);
});
