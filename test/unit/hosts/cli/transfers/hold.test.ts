/** @file A command does not end while only its process knows a new token. */
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
/** Whether the keychain stores tokens. */
let keychainWorks: boolean;
let tries: number;
let written: string;
/** The listener for the Enter key, or null if there is none. */
let enter: (() => void) | null;
/** Runs while the jobs stop. */
let whileJobsStop: () => Promise<unknown>;

beforeEach(() => {
  clock = new SteppedClock();
  keychainWorks = false;
  tries = 0;
  written = '';
  enter = null;
  whileJobsStop = () => Promise.resolve();
  newTokens = new NewTokens(() => {
    tries += 1;
    return keychainWorks ? Promise.resolve() : Promise.reject(new Error('locked'));
  });
});

/** Returns the reply of an instance with a new token. */
const tokenReply = () => ({ token: { name: 'packhorse' } as never, secret: new Token(secret) });

/** Ends a command whose standard error is a screen or a file, with or without a keyboard. */
function endCommand({ isTTY = true, keyboard = true, quiet = true } = {}): Promise<void> {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stderr.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const terminal = new Terminal({ json: false, quiet, stdout: new PassThrough(), stderr });
  return waitForStoredTokens({
    app: {
      newTokens,
      async suspendJobs() {
        await whileJobsStop();
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

test('a command ends at once and prints nothing if no token would be lost', async () => {
  await endCommand();
  expect([written, clock.pending]).toEqual(['', 0]);
});

test('a command tries the keychain first, and prints nothing if the keychain stores the token', async () => {
  await newTokens.trackRequest('work', () => Promise.resolve(tokenReply()));
  keychainWorks = true;
  await endCommand();
  expect([written, tries]).toEqual(['', 1]);
});

test('a command prints why it does not end, even with --quiet, and ends when the keychain works', async () => {
  await newTokens.trackRequest('work', () => Promise.resolve(tokenReply()));
  const ending = endCommand();
  await clock.advance(60_000);
  expect(await hasEnded(ending)).toBe(false);
  expect(written).toContain('new token of "work"');
  expect(written).toContain('Press Enter to show the token here once');
  keychainWorks = true;
  await clock.advance(15_000);
  expect(await hasEnded(ending)).toBe(true);
  expect(written).toContain('The keychain has the new token.');
  expect(written).not.toContain(secret);
  expect([enter, tries]).toEqual([null, 6]);
});

test('a command prints the token once when the user presses Enter, and then ends', async () => {
  await newTokens.trackRequest('work', () => Promise.resolve(tokenReply()));
  const ending = endCommand();
  await clock.advance(1_000);
  enter?.();
  enter?.();
  await clock.advance(1_000);
  expect(await hasEnded(ending)).toBe(true);
  expect(written.split(secret)).toHaveLength(2);
  expect(written).not.toContain('The keychain has');
});

test.each([
  ['its messages go to a file', { isTTY: false }],
  ['there is no keyboard', { keyboard: false }],
])('a command does not offer to print the token if %s', async (_, where) => {
  await newTokens.trackRequest('work', () => Promise.resolve(tokenReply()));
  const ending = endCommand(where);
  await clock.advance(60_000);
  expect(enter).toBeNull();
  expect(written).toContain('it would be lost if the process ended now');
  expect(written).not.toContain('Enter');
  keychainWorks = true;
  await clock.advance(15_000);
  expect(await hasEnded(ending)).toBe(true);
});

test('a command checks for new tokens after the jobs have stopped', async () => {
  whileJobsStop = () => newTokens.trackRequest('work', () => Promise.resolve(tokenReply()));
  const ending = endCommand();
  await clock.advance(1_000);
  expect(await hasEnded(ending)).toBe(false);
  expect(written).toContain('new token of "work"');
  keychainWorks = true;
  await clock.advance(15_000);
  expect(await hasEnded(ending)).toBe(true);
});

test('a command waits for a pending reply with a new token', async () => {
  const pendingReply = Promise.withResolvers<ReturnType<typeof tokenReply>>();
  const tracked = newTokens.trackRequest('work', () => pendingReply.promise);
  const ending = endCommand();
  expect(await hasEnded(ending)).toBe(false);
  pendingReply.resolve(tokenReply());
  await tracked;
  await clock.advance(1_000);
  expect(await hasEnded(ending)).toBe(false);
  expect(written).toContain('new token of "work"');
  enter?.();
  await clock.advance(1_000);
  expect(await hasEnded(ending)).toBe(true);
});
