import { describe, expect, test } from 'vitest';
import { createCredentials } from '../../src-main/platform/credentials.ts';
import { runKeychainCall } from '../support/keychain/keychain-calls.ts';
import type { KeychainCall } from '../support/keychain/keychain-calls.ts';
import { hasKeychainPrograms, keychainSession } from '../support/keychain/keychain-session.ts';
import { MemoryKeychain } from '../support/keychain/memory-keychain.ts';
import { requirement } from '../support/requirement.ts';
import { SteppedClock } from '../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const missing = requirement(
  'the keychain of Linux (D-Bus, gnome-keyring, libsecret)',
  hasKeychainPrograms(),
  'apt-get install libsecret-1-0 gnome-keyring dbus',
);

type Ask = (call: KeychainCall) => Promise<string>;

function inMemory(): Ask {
  const keychain = new MemoryKeychain();
  const credentials = createCredentials({ env: {}, clock: new SteppedClock(), keychain });
  return (call) => runKeychainCall(credentials, call);
}

const implementations: [name: string, skip: boolean, open: () => Ask][] = [
  ['in memory', false, inMemory],
  ['of Linux', missing, () => keychainSession({ home: temporaryFolder(), keyring: 'open' })],
];

describe.for(implementations)('the keychain %s', ([, skip, open]) => {
  test.skipIf(skip)('returns the newest token that was stored for each instance', async () => {
    const ask = open();
    const maxToken = '~'.repeat(512);
    expect(await ask({ method: 'resolve', instance: 'work' })).toBe('token-missing');
    expect(await ask({ method: 'store', instance: 'work', token: 'first-token' })).toBe('done');
    expect(await ask({ method: 'store', instance: 'home', token: maxToken })).toBe('done');
    expect(await ask({ method: 'store', instance: 'work', token: `"'\\$(x)%s` })).toBe('done');
    expect(await ask({ method: 'resolve', instance: 'work' })).toBe(`keychain "'\\$(x)%s`);
    expect(await ask({ method: 'resolve', instance: 'home' })).toBe(`keychain ${maxToken}`);
  });

  test.skipIf(skip)('deletes the token of the given instance, and no other token', async () => {
    const ask = open();
    await ask({ method: 'store', instance: 'work', token: 'token-of-work' });
    await ask({ method: 'store', instance: 'home', token: 'token-of-home' });
    expect(await ask({ method: 'forget', instance: 'work' })).toBe('done');
    expect(await ask({ method: 'forget', instance: 'work' })).toBe('done');
    expect(await ask({ method: 'resolve', instance: 'work' })).toBe('token-missing');
    expect(await ask({ method: 'resolve', instance: 'home' })).toBe('keychain token-of-home');
  });

  test.skipIf(skip)('reports that it works when it is probed', async () => {
    expect(await open()({ method: 'probe' })).toBe('works');
  });
});
