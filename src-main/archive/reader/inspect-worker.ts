/**
 * @file Worker thread: inflates and inspects packed bytes that stand in shared slots, and gives each slot back as soon as
 * it was inflated. Touches no network, and no file but the record index that it writes; imports little, because one is started
 * for every archive.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { LimitCrossed, type ReadLimits } from '../limits.ts';
import { RecordIndexWriter } from '../records/index-writer.ts';
import { Inflater } from './inflater.ts';
import { Inspector, type UnpackedInspection } from './inspector.ts';

export interface WorkerInput {
  limits: ReadLimits;
  slots: SharedArrayBuffer[];
  /** Where the record index is written until it is whole; null: there will be none. */
  indexPart: string | null;
}

/** The next bytes of the archive; or its end, with the SHA-256 of them all and the name that its record index gets. */
export type ToWorker = { slot: number; length: number } | { sha256: string; indexName: string | null };

export type FromWorker =
  | { kind: 'free'; slot: number }
  | { kind: 'done'; inspection: UnpackedInspection }
  | { kind: 'limit'; limit: keyof ReadLimits; allowed: number };

const { limits, slots, indexPart } = workerData as WorkerInput;
const buffers = slots.map((slot) => Buffer.from(slot));
const index = indexPart === null ? null : beginIndex(indexPart);
const inspector = new Inspector(limits, index);
const inflater = new Inflater(limits, (bytes) => {
  inspector.write(bytes);
});

/** Where none can be written the archive is inspected all the same. */
function beginIndex(part: string): RecordIndexWriter | null {
  try {
    return new RecordIndexWriter(part);
  } catch {
    return null;
  }
}

async function finish(sha256: string, indexName: string | null): Promise<UnpackedInspection> {
  const inspection = inspector.finish(await inflater.finish());
  // Of what is unusable nothing is kept that might look as if it could be used.
  if (indexName === null || inspection.verdict === 'unusable') index?.abandon();
  else await index?.finish(sha256, inspection.layout, indexName);
  return inspection;
}

async function answerTo(message: ToWorker): Promise<FromWorker> {
  try {
    if ('sha256' in message) {
      return { kind: 'done', inspection: await finish(message.sha256, message.indexName) };
    }
    await inflater.write((buffers[message.slot] as Buffer).subarray(0, message.length));
    return { kind: 'free', slot: message.slot };
  } catch (error) {
    index?.abandon();
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
