import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Storages } from '../../../../src-main/services/instances/storages.ts';
import { systemClock as clock } from '../../../../src-main/platform/clock.ts';
import { keychainEntries } from '../../../../src-main/platform/credentials-keychain.ts';
import { SettingsStore } from '../../../../src-main/platform/settings.ts';
import { MemoryKeychain } from '../../../support/keychain/memory-keychain.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

it('every failure of the keychain names the storage, so that the advice is for a storage', async () => {
  const keychain = new MemoryKeychain();
  const settings = new SettingsStore(join(temporaryFolder(), 'settings.json'), clock);
  const storages = new Storages(settings, keychainEntries({ clock, keychain }), {});
  const storage = { name: 'exports', region: 'eu-central-1', bucket: 'backups', accessKeyId: 'AKIAEXAMPLE' };
  await storages.save(storage, 'a secret access key', 'keychain');
  keychain.failure = 'The name org.freedesktop.secrets was not provided by any .service files';
  const named = { code: 'keychain-unreachable', details: { storage: 'exports' } };
  await expect(storages.getWithSecret('exports')).rejects.toMatchObject(named);
  await expect(storages.save(storage, 'another secret access key', 'keychain')).rejects.toMatchObject(named);
  await expect(storages.remove('exports')).rejects.toMatchObject(named);
  expect(storages.list()).toHaveLength(1);
});

it('the key is read from memory, then from the environment, and the keychain is not needed for either', async () => {
  const keychain = new MemoryKeychain();
  keychain.failure = 'The name org.freedesktop.secrets was not provided by any .service files';
  const settings = new SettingsStore(join(temporaryFolder(), 'settings.json'), clock);
  const open = (env: Record<string, string>) =>
    new Storages(settings, keychainEntries({ clock, keychain }), env);
  const storage = { name: 'my.exports', region: 'r', bucket: 'b', accessKeyId: 'AKIAEXAMPLE' };
  await open({}).save(storage, null, 'session');
  const storages = open({ PACKHORSE_S3_SECRET_MY_EXPORTS: 'from the environment' });
  expect((await storages.getWithSecret('my.exports')).secretAccessKey).toBe('from the environment');
  await storages.save(storage, 'typed for this import', 'session');
  expect((await storages.getWithSecret('my.exports')).secretAccessKey).toBe('typed for this import');
  // Another process, or the next start, does not have the key.
  const next = open({}).getWithSecret('my.exports');
  await expect(next).rejects.toMatchObject({
    code: 'keychain-unreachable',
    details: { storage: 'my.exports' },
  });
});
