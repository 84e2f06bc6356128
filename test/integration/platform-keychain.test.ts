import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { hasKeychainPrograms, keychainSession } from '../support/keychain-session.ts';
import { requirement } from '../support/requirement.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
  test('a stored token outlives the session', async () => {
    expect(await keychainSession({ home, keyring: 'open' })(store)).toBe('done');
    expect(await keychainSession({ home, keyring: 'open' })(resolve)).toBe('keychain token-of-work');
  });

  test('a locked keyring is named, not mistaken for an empty one, and never written over', async () => {
    expect(await keychainSession({ home, keyring: 'open' })(store)).toBe('done');
    const locked = keychainSession({ home, keyring: 'locked' });
    expect(await locked(resolve)).toBe('keychain-locked');
    expect(await locked({ ...store, token: 'another-token' })).toBe('keychain-locked');
    expect(await locked({ method: 'forget', instance: 'work' })).toBe('keychain-locked');
    expect(await locked({ method: 'probe' })).toBe('keychain-locked');
    expect(await keychainSession({ home, keyring: 'open' })(resolve)).toBe('keychain token-of-work');
  });

  test('a keyring that was never made, and that nobody can be asked to make, takes no token', async () => {
    const locked = keychainSession({ home, keyring: 'locked' });
    expect(await locked(resolve)).toBe('token-missing');
    expect(await locked(store)).toBe('keychain-locked');
    expect(await locked(resolve)).toBe('token-missing');
  });

  test('without a session bus the keychain is unreachable, and no file takes its place', async () => {
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
