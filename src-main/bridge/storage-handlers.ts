/** @file Calls about named places in object storage. */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { BridgePorts, Handlers } from './ports.ts';

/** What stands in the way is a keychain's, and the advice that of a storage. */
async function ofStorage<Value>(name: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    const { code, message, retry, details } = AppError.from(thrown);
    throw new AppError(code, message, { retry, details: { ...details, storage: name }, cause: thrown });
  }
}

/** As short as no key is, so that what is hidden in logs is no ordinary word. */
const shortestKey = 8;

export function storageHandlers({
  storages,
}: BridgePorts): Pick<Handlers, Extract<keyof Handlers, `storage.${string}`>> {
  return {
    'storage.list': () => Promise.resolve({ storages: storages.list() }),
    'storage.save': async ({ storage, secretAccessKey }) => {
      const key = secretAccessKey?.trim() ?? null;
      if (key !== null && key.length < shortestKey) {
        throw new AppError('invalid-input', 'This is no secret access key.');
      }
      await ofStorage(storage.name, storages.save(storage, key));
      return storage;
    },
    'storage.remove': async ({ name }) => {
      await ofStorage(name, storages.remove(name));
      return {};
    },
  };
}
