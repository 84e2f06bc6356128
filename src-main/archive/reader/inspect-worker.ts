/**
 * @file Worker thread: looks at unpacked bytes while the thread that feeds it inflates the next ones. The bytes stand in
 * shared slots; each is given back as soon as it was read. Touches no file and no network.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError, type ErrorData } from '../../../src-preload/contract/errors.ts';
import type { ReadLimits } from '../limits.ts';
import { Inspector, type GzipFault, type UnpackedInspection } from './inspector.ts';

export interface WorkerInput {
  limits: ReadLimits;
  slots: SharedArrayBuffer[];
}

export type ToWorker = { slot: number; length: number } | { finish: GzipFault };

export type FromWorker =
  | { kind: 'free'; slot: number }
  | { kind: 'done'; inspection: UnpackedInspection }
  | { kind: 'failed'; error: ErrorData };

const { limits, slots } = workerData as WorkerInput;
const buffers = slots.map((slot) => Buffer.from(slot));
const inspector = new Inspector(limits);

function answer(message: ToWorker): FromWorker {
  try {
    if ('finish' in message) return { kind: 'done', inspection: inspector.finish(message.finish) };
    inspector.write((buffers[message.slot] as Buffer).subarray(0, message.length));
    return { kind: 'free', slot: message.slot };
  } catch (error) {
    return { kind: 'failed', error: AppError.from(error).toData() };
  }
}

parentPort?.on('message', (message: ToWorker) => {
  const reply = answer(message);
  parentPort?.postMessage(reply);
  if (reply.kind !== 'free') parentPort?.close();
});
