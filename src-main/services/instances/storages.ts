/** @file Named places in object storage: coordinates in the settings, secret access keys in the keychain. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Storage } from '../../../src-contract/transfers/transfer.ts';
import type { KeychainEntries } from '../../platform/credentials-keychain.ts';
import { registerSecret } from '../../platform/redact.ts';
import type { SettingsStore } from '../../platform/settings.ts';

/** Instance names have no spaces, so this name cannot collide with one. */
const accountOf = (name: string): string => `storage ${name}`;

const unknown = (name: string): AppError =>
  new AppError('storage-missing', `There is no storage "${name}".`, {
    details: { storage: name, reference: name },
  });

/** Adds the storage to errors of the keychain, so that the advice is about a storage. */
async function ofStorage<Value>(name: string, work: Promise<Value>): Promise<Value> {
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
  readonly #session = new Map<string, string>();

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
        this.#session.set(storage.name, secretAccessKey);
      }
    } else if (secretAccessKey === null) {
      await this.#secretOf(storage.name);
    } else {
      registerSecret(secretAccessKey);
      await ofStorage(storage.name, this.#keychain.write(accountOf(storage.name), secretAccessKey));
    }
    await this.#settings.change((before) => ({
      ...before,
      storages: [...before.storages.filter(({ name }) => name !== storage.name), storage],
    }));
  }

  /** Removes a storage with its secret. Throws `storage-missing`. */
  async remove(name: string): Promise<void> {
    this.#stored(name);
    this.#session.delete(name);
    await ofStorage(name, this.#keychain.remove(accountOf(name))).catch((thrown: unknown) => {
      // Without a keychain, no secret is stored.
      if (AppError.from(thrown).code !== 'keychain-missing') throw thrown;
    });
    await this.#settings.change((before) => ({
      ...before,
      storages: before.storages.filter((storage) => storage.name !== name),
    }));
  }

  /** Throws `storage-missing`, also if the secret access key is not in the keychain, and the keychain's errors. */
  async withSecret(name: string): Promise<{ storage: Storage; secretAccessKey: string }> {
    return { storage: this.#stored(name), secretAccessKey: await this.#secretOf(name) };
  }

  #stored(name: string): Storage {
    const found = this.list().find((storage) => storage.name === name);
    if (found === undefined) throw unknown(name);
    return found;
  }

  async #secretOf(name: string): Promise<string> {
    const atHand = this.#session.get(name) ?? this.#env[secretVariable(name)] ?? '';
    const secret = atHand === '' ? await this.#inKeychain(name) : atHand;
    registerSecret(secret);
    return secret;
  }

  async #inKeychain(name: string): Promise<string> {
    const stored = await ofStorage(name, this.#keychain.read(accountOf(name)));
    if (stored !== null) return stored;
    const keyless = `The secret access key of the storage "${name}" is not in the keychain.`;
    throw new AppError('storage-missing', keyless, { details: { storage: name } });
  }
}
