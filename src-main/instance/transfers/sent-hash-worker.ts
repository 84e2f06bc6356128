/** @file Worker thread that computes the SHA-256 of a large file while it is sent. */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';

/** The slot that holds the next bytes, or the end of the file. */
export type ToHash = { slot: number; length: number } | 'end';
/** A slot that was hashed and may be filled again, or the hash in lower-case hex. */
export type FromHash = { slot: number } | { sha256: string };

const slots = workerData as SharedArrayBuffer[];
const hash = createHash('sha256');

parentPort?.on('message', (message: ToHash) => {
  if (message === 'end') {
    parentPort?.postMessage({ sha256: hash.digest('hex') } satisfies FromHash);
    return;
  }
  const { slot, length } = message;
  hash.update(Buffer.from(slots[slot] as SharedArrayBuffer, 0, length));
  parentPort?.postMessage({ slot } satisfies FromHash);
});
