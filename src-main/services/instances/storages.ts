/** @file Object storages by name: their addresses are in the settings, their secret access keys in the keychain. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Storage } from '../../../src-contract/transfers/transfer.ts';
import type { KeychainEntries } from '../../platform/credentials-keychain.ts';
import { registerSecret } from '../../platform/redact.ts';
import type { SettingsStore } from '../../platform/settings.ts';

/** Instance names have no spaces, so this name cannot collide with one. */
const accountOf = (name: string): string => `storage ${name}`;

const missingStorageError = (name: string): AppError =>
  new AppError('storage-missing', `There is no storage "${name}".`, {
    details: { storage: name, reference: name },
  });

/** Adds the storage to errors of the keychain, so that the advice is about a storage. */
async function withStorageDetails<Value>(name: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    throw AppError.from(thrown).withDetails({ storage: name });
  }
}

/** Returns the environment variable for a storage's key: the name in upper case, with `_` for all other characters. */
export const secretVariable = (name: string): string =>
  `PACKHORSE_S3_SECRET_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/** A key comes from this process's memory, the environment, or the keychain, in this order. */
export class Storages {
  readonly #settings: SettingsStore;
  readonly #keychain: KeychainEntries;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #sessionSecrets = new Map<string, string>();

  constructor(
    settings: SettingsStore,
    keychain: KeychainEntries,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    this.#settings = settings;
    this.#keychain = keychain;
    this.#env = env;
  }

  list(): Storage[] {
    return this.#settings.read().storages;
  }

  /**
   * Adds or replaces a storage. A null secret keeps the stored secret. Throws `storage-missing` if there is none, and
   * the keychain's errors. With `session`, the keychain is not used, and the secret lasts as long as this process.
   */
  async save(storage: Storage, secretAccessKey: string | null, keep: 'keychain' | 'session'): Promise<void> {
    // The secret is stored first, so that every listed storage can be used.
    if (keep === 'session') {
      if (secretAccessKey !== null) {
        registerSecret(secretAccessKey);
        this.#sessionSecrets.set(storage.name, secretAccessKey);
      }
    } else if (secretAccessKey === null) {
      await this.#secretOf(storage.name);
    } else {
      registerSecret(secretAccessKey);
      await withStorageDetails(storage.name, this.#keychain.write(accountOf(storage.name), secretAccessKey));
    }
    await this.#settings.change((current) => ({
      ...current,
      storages: [...current.storages.filter(({ name }) => name !== storage.name), storage],
    }));
  }

  /** Removes a storage with its secret. Throws `storage-missing`. */
  async remove(name: string): Promise<void> {
    this.#requireStorage(name);
    this.#sessionSecrets.delete(name);
    await withStorageDetails(name, this.#keychain.remove(accountOf(name))).catch((thrown: unknown) => {
      // Without a keychain, no secret is stored.
      if (AppError.from(thrown).code !== 'keychain-missing') throw thrown;
    });
    await this.#settings.change((current) => ({
      ...current,
      storages: current.storages.filter((storage) => storage.name !== name),
    }));
  }

  /** Throws `storage-missing` if the storage or its secret access key is missing, and the keychain's errors. */
  async getWithSecret(name: string): Promise<{ storage: Storage; secretAccessKey: string }> {
    return { storage: this.#requireStorage(name), secretAccessKey: await this.#secretOf(name) };
  }

  #requireStorage(name: string): Storage {
    const found = this.list().find((storage) => storage.name === name);
    if (found === undefined) throw missingStorageError(name);
    return found;
  }

  async #secretOf(name: string): Promise<string> {
    const knownSecret = this.#sessionSecrets.get(name) ?? this.#env[secretVariable(name)] ?? '';
    const secret = knownSecret === '' ? await this.#readKeychain(name) : knownSecret;
    registerSecret(secret);
    return secret;
  }

  async #readKeychain(name: string): Promise<string> {
    const stored = await withStorageDetails(name, this.#keychain.read(accountOf(name)));
    if (stored !== null) return stored;
    const message = `The secret access key of the storage "${name}" is not in the keychain.`;
    throw new AppError('storage-missing', message, { details: { storage: name } });
  }
}
