/** @file Calls about named places in object storage. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

/** No real key is shorter. Logs redact the key, so a shorter one would hide ordinary words. */
const minKeyLength = 8;

export function storageHandlers({ storages }: Services) {
  return {
    'storage.list': () => ({ storages: storages.list() }),
    'storage.save': async ({ storage, secretAccessKey, keep }) => {
      const key = secretAccessKey?.trim() ?? null;
      if (key !== null && key.length < minKeyLength) {
        throw new AppError('invalid-input', 'The secret access key is too short.');
      }
      await storages.save(storage, key, keep);
      return storage;
    },
    'storage.remove': async ({ name }) => {
      await storages.remove(name);
      return {};
    },
  } satisfies Partial<Handlers>;
}
