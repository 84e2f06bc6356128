/** @file Named places in object storage: coordinates in the settings, secret access keys in the keychain. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Storage } from '../../../src-preload/contract/projects/transfer.ts';
import type { StoragesPort } from '../../bridge/instances/instance-ports.ts';
import type { SecretsPort } from '../../jobs/ports.ts';
import type { KeychainEntries } from '../../platform/credentials-keychain.ts';
import { registerSecret } from '../../platform/redact.ts';
import type { SettingsStore } from '../../platform/settings.ts';

export interface StorageAccess extends StoragesPort {
  withSecret: SecretsPort['storage'];
}

/** Names of instances have no space in them. */
const accountOf = (name: string): string => `storage ${name}`;

const unknown = (name: string): AppError =>
  new AppError('storage-missing', `There is no storage "${name}".`, {
    details: { storage: name, reference: name },
  });

/** What stands in the way is a keychain's, and the advice that of a storage. */
async function ofStorage<Value>(name: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    const { code, message, retry, details } = AppError.from(thrown);
    throw new AppError(code, message, { retry, details: { ...details, storage: name }, cause: thrown });
  }
}

/** The environment variable of a storage's key: upper case, every other character `_`. */
export const secretVariable = (name: string): string =>
  `PACKHORSE_S3_SECRET_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/** A key comes from this process's memory, the environment, or the keychain, in this order. */
export function createStorageAccess(
  settings: SettingsStore,
  keychain: KeychainEntries,
  env: Readonly<Record<string, string | undefined>>,
): StorageAccess {
  const session = new Map<string, string>();

  const stored = (name: string): Storage => {
    const found = settings.read().storages.find((storage) => storage.name === name);
    if (found === undefined) throw unknown(name);
    return found;
  };
  const inKeychain = async (name: string): Promise<string> => {
    const stored = await ofStorage(name, keychain.read(accountOf(name)));
    if (stored !== null) return stored;
    const keyless = `The secret access key of the storage "${name}" is not in the keychain.`;
    throw new AppError('storage-missing', keyless, { details: { storage: name } });
  };
  const secretOf = async (name: string): Promise<string> => {
    const atHand = session.get(name) ?? env[secretVariable(name)] ?? '';
    const secret = atHand === '' ? await inKeychain(name) : atHand;
    registerSecret(secret);
    return secret;
  };
  return {
    list: () => settings.read().storages,
    // The secret first: a storage that is listed can be used.
    async save(storage, secretAccessKey, keep) {
      if (keep === 'session') {
        if (secretAccessKey !== null) {
          registerSecret(secretAccessKey);
          session.set(storage.name, secretAccessKey);
        }
      } else if (secretAccessKey === null) {
        await secretOf(storage.name);
      } else {
        registerSecret(secretAccessKey);
        await ofStorage(storage.name, keychain.write(accountOf(storage.name), secretAccessKey));
      }
      await settings.change((before) => ({
        ...before,
        storages: [...before.storages.filter(({ name }) => name !== storage.name), storage],
      }));
    },
    async remove(name) {
      stored(name);
      session.delete(name);
      await ofStorage(name, keychain.remove(accountOf(name))).catch((thrown: unknown) => {
        // Without a keychain there is nothing in it.
        if (AppError.from(thrown).code !== 'keychain-missing') throw thrown;
      });
      await settings.change((before) => ({
        ...before,
        storages: before.storages.filter((storage) => storage.name !== name),
      }));
    },
    withSecret: async (name) => ({ storage: stored(name), secretAccessKey: await secretOf(name) }),
  };
}
