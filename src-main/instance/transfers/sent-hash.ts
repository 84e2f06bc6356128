/**
 * @file Computes the SHA-256 of a file while it is sent. A large file is hashed in a thread, because hashing takes as long as
 * sending and both on one thread would take twice the time.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromHash, ToHash } from './sent-hash-worker.ts';

const workerUrl = new URL(`./sent-hash-worker${extname(import.meta.url)}`, import.meta.url);
/** A smaller file is sent before a thread has started. */
const leastForThread = 16 * 1024 * 1024;

export interface SentHash {
  /** Takes the first `length` bytes of a slot as the next ones; resolves when the slot may be filled again. */
  add(slot: number, length: number): Promise<void>;
  /** Returns the hash of everything added, in lower-case hex. */
  digest(): Promise<string>;
  /** Ends the thread. Idempotent. */
  end(): void;
}

export function startHash(slots: readonly SharedArrayBuffer[], sizeBytes: number): SentHash {
  return sizeBytes < leastForThread ? hashHere(slots) : hashInThread(slots);
}

function hashHere(slots: readonly SharedArrayBuffer[]): SentHash {
  const hash = createHash('sha256');
  return {
    add: (slot, length) => {
      hash.update(Buffer.from(slots[slot] as SharedArrayBuffer, 0, length));
      return Promise.resolve();
    },
    digest: () => Promise.resolve(hash.digest('hex')),
    end: () => undefined,
  };
}

function hashInThread(slots: readonly SharedArrayBuffer[]): SentHash {
  const worker = new Worker(workerUrl, {
    workerData: slots,
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  const digest = Promise.withResolvers<string>();
  const added = new Map<number, PromiseWithResolvers<undefined>>();
  // The thread may fail while nothing awaits these promises.
  digest.promise.catch(() => undefined);
  worker.on('message', (message: FromHash) => {
    if ('sha256' in message) digest.resolve(message.sha256);
    else added.get(message.slot)?.resolve(undefined);
  });
  worker.on('error', (error) => {
    digest.reject(error);
    for (const one of added.values()) one.reject(error);
  });
  const post = (message: ToHash): void => {
    worker.postMessage(message);
  };
  return {
    add(slot, length) {
      const one = Promise.withResolvers<undefined>();
      one.promise.catch(() => undefined);
      added.set(slot, one);
      post({ slot, length });
      return one.promise;
    },
    digest() {
      post('end');
      return digest.promise;
    },
    end() {
      void worker.terminate();
    },
  };
}
