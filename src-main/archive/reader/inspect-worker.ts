/**
 * @file Worker thread: inflates and inspects packed bytes that stand in shared slots, and gives each slot back as soon as
 * it was inflated. Touches no file and no network; imports little, because one is started for every archive.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { LimitCrossed, type ReadLimits } from '../limits.ts';
import { Inflater } from './inflater.ts';
import { Inspector, type UnpackedInspection } from './inspector.ts';

export interface WorkerInput {
  limits: ReadLimits;
  slots: SharedArrayBuffer[];
}

/** The next bytes of the archive, or null at its end. */
export type ToWorker = { slot: number; length: number } | null;

export type FromWorker =
  | { kind: 'free'; slot: number }
  | { kind: 'done'; inspection: UnpackedInspection }
  | { kind: 'limit'; limit: keyof ReadLimits; allowed: number };

const { limits, slots } = workerData as WorkerInput;
const buffers = slots.map((slot) => Buffer.from(slot));
const inspector = new Inspector(limits);
const inflater = new Inflater(limits, (bytes) => {
  inspector.write(bytes);
});

async function answerTo(message: ToWorker): Promise<FromWorker> {
  try {
    if (message === null) {
      return { kind: 'done', inspection: inspector.finish(await inflater.finish()) };
    }
    await inflater.write((buffers[message.slot] as Buffer).subarray(0, message.length));
    return { kind: 'free', slot: message.slot };
  } catch (error) {
    if (!(error instanceof LimitCrossed)) throw error;
    return { kind: 'limit', limit: error.limit, allowed: error.allowed };
  }
}

let answered: Promise<void> = Promise.resolve();

parentPort?.on('message', (message: ToWorker) => {
  answered = answered.then(async () => {
    const answer = await answerTo(message);
    parentPort?.postMessage(answer);
    if (answer.kind !== 'free') parentPort?.close();
  });
});
