import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { collidingInstance, createCredentials } from '../../../src-main/platform/credentials.ts';
import { openLog } from '../../../src-main/platform/log.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let keychain: MemoryKeychain;
let clock: SteppedClock;
beforeEach(() => {
  keychain = new MemoryKeychain();
  clock = new SteppedClock();
});
const credentialsWith = (env: Record<string, string> = {}) => createCredentials({ env, clock, keychain });
const coded = (code: string): unknown => expect.objectContaining({ code });

test('a token in memory has priority over the environment, and the environment over the keychain', async () => {
  keychain.entries.set('Packhorse/my.work', 'from-the-keychain');
  const tokenOf = async (credentials: ReturnType<typeof createCredentials>) => {
    const { token, source } = await credentials.resolve('my.work');
    return [source, token.reveal()];
  };
  expect(await tokenOf(credentialsWith())).toEqual(['keychain', 'from-the-keychain']);
  const credentials = credentialsWith({ PACKHORSE_TOKEN_MY_WORK: 'from-the-environment' });
  expect(await tokenOf(credentials)).toEqual(['environment', 'from-the-environment']);
  credentials.remember('my.work', new Token('from-this-session'));
  expect(await tokenOf(credentials)).toEqual(['session', 'from-this-session']);
});

test('the keychain is not touched while another source has the token', async () => {
  const credentials = credentialsWith({ PACKHORSE_TOKEN_WORK: 'token-of-work' });
  await credentials.resolve('work');
  credentials.remember('home', new Token('token-of-home'));
  await credentials.resolve('home');
  expect(keychain.calls).toEqual([]);
});

test('a token that no source has is missing, and the error names its environment variable', async () => {
  await expect(credentialsWith({ PACKHORSE_TOKEN_WORK_2: '' }).resolve('work-2')).rejects.toMatchObject({
    code: 'token-missing',
    details: { instance: 'work-2', variable: 'PACKHORSE_TOKEN_WORK_2', variableEmpty: true },
  });
});

test('two instance names that share an environment variable collide', () => {
  expect(collidingInstance('my-work', ['other', 'my.work'])).toBe('my.work');
  expect(collidingInstance('my-work', ['my-work', 'mywork'])).toBeNull();
});

test('a stored token is in the keychain, under the name of its instance', async () => {
  await credentialsWith().store('work', new Token('token-of-work'));
  expect([...keychain.entries]).toEqual([['Packhorse/work', 'token-of-work']]);
});

test('a keychain that does not store the written token is reported as failed', async () => {
  keychain.transform = (secret) => secret.slice(0, 4);
  await expect(credentialsWith().store('work', new Token('token-of-work'))).rejects.toMatchObject({
    code: 'keychain-failed',
    details: { variable: 'PACKHORSE_TOKEN_WORK' },
  });
});

test('a keychain entry that cannot be read is never overwritten or deleted', async () => {
  keychain.entries.set('Packhorse/work', 'old');
  keychain.failure = 'anything';
  const credentials = credentialsWith();
  await expect(credentials.store('work', new Token('token-of-work'))).rejects.toEqual(
    coded('keychain-failed'),
  );
  await expect(credentials.remove('work')).rejects.toEqual(coded('keychain-failed'));
  expect(keychain.calls).toEqual(['get work', 'get work']);
  expect(keychain.entries.get('Packhorse/work')).toBe('old');
});

test.for([
  ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'keychain-unreachable'],
  ['Could not connect: No such file or directory', 'keychain-unreachable'],
  ['The name org.freedesktop.secrets was not provided by any .service files', 'keychain-unreachable'],
  ['Cannot create an item in a locked collection', 'keychain-locked'],
  ['Object does not exist at path “/org/freedesktop/secrets/collection/login”', 'keychain-locked'],
  ['The user name or passphrase you entered is not correct.', 'keychain-failed'],
])('the keychain error "%s" has the code %s', async ([message, code]) => {
  keychain.failure = message ?? '';
  await expect(credentialsWith().resolve('work')).rejects.toEqual(coded(code ?? ''));
  expect(await credentialsWith().testKeychain()).toEqual(coded(code ?? ''));
});

test('a call to a hanging keychain fails after ten seconds, and the next call tries again', async () => {
  keychain.hang = true;
  const credentials = credentialsWith();
  const startedAt = clock.monotonic();
  await expect(clock.finish(credentials.resolve('work'))).rejects.toEqual(coded('keychain-timeout'));
  expect(clock.monotonic() - startedAt).toBe(10_000);
  keychain.hang = false;
  keychain.entries.set('Packhorse/work', 'token-of-work');
  expect((await credentials.resolve('work')).token.reveal()).toBe('token-of-work');
  expect(clock.pending).toBe(0);
});

test('a removed token is deleted from memory and from the keychain', async () => {
  const credentials = credentialsWith();
  credentials.remember('work', new Token('token-of-work'));
  await credentials.store('work', new Token('token-of-work'));
  await credentials.remove('work');
  expect(keychain.entries.size).toBe(0);
  await expect(credentials.resolve('work')).rejects.toEqual(coded('token-missing'));
});

test('a probe of a working keychain leaves nothing in it', async () => {
  expect(await credentialsWith().testKeychain()).toBeNull();
  expect(keychain.entries.size).toBe(0);
  expect(keychain.calls).toContain('set .probe');
});

test('an unusable token from the environment is rejected, and the error does not quote it', async () => {
  const refused = credentialsWith({ PACKHORSE_TOKEN_WORK: 'two words' }).resolve('work');
  await expect(refused).rejects.toEqual(coded('invalid-input'));
  await expect(refused).rejects.not.toThrow('two words');
});

test.for(['environment', 'keychain', 'session'])(
  'a token from the %s is hidden in every log line',
  async (source) => {
    const secret = `${source}-secret-0123`;
    const credentials = credentialsWith(source === 'environment' ? { PACKHORSE_TOKEN_WORK: secret } : {});
    if (source === 'keychain') keychain.entries.set('Packhorse/work', secret);
    if (source === 'session') credentials.remember('work', new Token(secret));
    await credentials.resolve('work');
    const folder = temporaryFolder();
    const log = openLog({ folder, clock });
    log.info({ [secret]: `with ${secret}` }, `it is ${secret} indeed`);
    log.error(new Error(secret, { cause: { secret } }));
    log.close();
    const written = readFileSync(join(folder, 'packhorse.log'), 'utf8');
    expect(written).toContain('"it is *** indeed"');
    expect(written).not.toContain(secret);
  },
);

test('a keychain that becomes available later is found, and is not probed again', async () => {
  const credentials = credentialsWith();
  keychain.failure = 'Cannot autolaunch D-Bus without X11 $DISPLAY';
  expect(await credentials.hasKeychain()).toBe(false);
  keychain.failure = null;
  expect(await credentials.hasKeychain()).toBe(true);
  const { length } = keychain.calls;
  expect(await credentials.hasKeychain()).toBe(true);
  expect(keychain.calls).toHaveLength(length);
});
