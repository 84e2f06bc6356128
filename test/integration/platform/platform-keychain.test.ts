import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { keychainEntries } from '../../../src-main/platform/credentials-keychain.ts';
import { KeychainProcess } from '../../../src-main/platform/keychain-child-process.ts';
import { isAlive } from '../../../src-main/platform/process-identity.ts';
import { hasKeychainPrograms, keychainSession } from '../../support/keychain/keychain-session.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { requirement } from '../../support/requirement.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const missing = requirement(
  'the keychain of Linux (D-Bus, gnome-keyring, libsecret)',
  hasKeychainPrograms(),
  'apt-get install libsecret-1-0 gnome-keyring dbus',
);

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});
const store = { method: 'store', instance: 'work', token: 'token-of-work' } as const;
const resolve = { method: 'resolve', instance: 'work' } as const;

describe.skipIf(missing)('the real keychain', () => {
  test('a stored token is available in the next session', async () => {
    expect(await keychainSession({ home, keyring: 'open' })(store)).toBe('done');
    expect(await keychainSession({ home, keyring: 'open' })(resolve)).toBe('keychain token-of-work');
  });

  test('a locked keyring is reported as locked, not as empty, and is never overwritten', async () => {
    expect(await keychainSession({ home, keyring: 'open' })(store)).toBe('done');
    const locked = keychainSession({ home, keyring: 'locked' });
    expect(await locked(resolve)).toBe('keychain-locked');
    expect(await locked({ ...store, token: 'another-token' })).toBe('keychain-locked');
    expect(await locked({ method: 'forget', instance: 'work' })).toBe('keychain-locked');
    expect(await locked({ method: 'probe' })).toBe('keychain-locked');
    expect(await keychainSession({ home, keyring: 'open' })(resolve)).toBe('keychain token-of-work');
  });

  test('a keyring that does not exist, and that no user can be asked to create, stores no token', async () => {
    const locked = keychainSession({ home, keyring: 'locked' });
    expect(await locked(resolve)).toBe('token-missing');
    expect(await locked(store)).toBe('keychain-locked');
    expect(await locked(resolve)).toBe('token-missing');
  });

  test('a call to a keyring that never replies is aborted, and its caller can end at once', async () => {
    const ask = keychainSession({ home, keyring: 'hanging', speed: 50 });
    expect(await ask(resolve)).toBe('keychain-timeout');
    const startedAt = performance.now();
    await ask.end();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('without a session bus the keychain is unreachable, and no file is written instead', async () => {
    const ask = keychainSession({ home, keyring: 'none' });
    expect(await ask(resolve)).toBe('keychain-unreachable');
    expect(await ask(store)).toBe('keychain-unreachable');
    expect(await ask({ method: 'probe' })).toBe('keychain-unreachable');
    expect(readdirSync(home, { recursive: true })).toEqual([]);
  });
});

test.skipIf(process.platform !== 'linux')('without its library the keychain is missing', async () => {
  writeFileSync(join(home, 'libsecret-1.so.0'), 'not a library');
  const ask = keychainSession({ home, keyring: 'none', env: { LD_LIBRARY_PATH: home } });
  expect(await ask(resolve)).toBe('keychain-missing');
  expect(await ask(store)).toBe('keychain-missing');
  expect(await ask({ method: 'probe' })).toBe('keychain-missing');
});

describe("the keychain's process", () => {
  let keychain: KeychainProcess;
  let clock: SteppedClock;
  let read: (account: string) => Promise<string | null>;
  beforeEach(() => {
    keychain = new KeychainProcess(new URL('../../support/keychain/keychain-stand-in.ts', import.meta.url));
    clock = new SteppedClock();
    read = (account) => keychainEntries({ clock, keychain }).read(account);
    onTestFinished(() => {
      keychain.abortPending(new AppError('cancelled', 'the test is over'));
    });
  });
  const ended = (pid: string | null) => vi.waitUntil(() => isAlive(Number(pid), '') === false);

  test('serves several calls, and gets no secret in its arguments or its environment', async () => {
    expect(await read('a')).toBe(await read('b'));
    await keychain.setPassword('Packhorse', 'a', 'token-of-a');
    const started = await read('start');
    expect(started).not.toContain('token-of-a');
    expect(started).toContain('keychain-stand-in');
  });

  test('is killed when a call hangs, all waiting calls fail, and the next call starts a new process', async () => {
    const first = await read('a');
    const waiting = [read('hang'), read('hang')].map((call) => call.catch((error: unknown) => error));
    await clock.advance(10_000);
    for (const call of waiting)
      expect(await call).toMatchObject({ code: 'keychain-timeout', retry: 'later' });
    await ended(first);
    expect(await read('a')).not.toBe(first);
  });

  test('that dies is reported as a failed keychain, and the next call starts a new process', async () => {
    const first = await read('a');
    await expect(read('crash')).rejects.toMatchObject({ code: 'keychain-failed', retry: 'later' });
    expect(await read('a')).not.toBe(first);
  });
});
