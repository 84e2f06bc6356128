/**
 * @file Worker thread: inflates and inspects packed bytes that stand in shared slots, and gives each slot back as soon as
 * it was inspected. One archive after the other. Touches no network, and no file but the record index that it writes.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { LimitCrossed, type ReadLimits } from '../limits.ts';
import { RecordIndexWriter } from '../records/index-writer.ts';
import { Inflater } from './inflater.ts';
import { Inspector, type UnpackedInspection } from './inspector.ts';

export interface WorkerInput {
  slots: SharedArrayBuffer[];
}

/** What comes first of each archive. */
export interface InspectStart {
  limits: ReadLimits;
  /** Where the record index is written until it is whole; null: there will be none. */
  indexPart: string | null;
}

/**
 * The beginning of an archive; its next bytes; its end, with the SHA-256 of them all and the name that its record index gets; or
 * `stop`, after which the thread ends.
 */
export type ToWorker =
  InspectStart | { slot: number; length: number } | { sha256: string; indexName: string | null } | 'stop';

export type FromWorker =
  | { kind: 'free'; slot: number }
  | { kind: 'done'; inspection: UnpackedInspection }
  | { kind: 'limit'; limit: keyof ReadLimits; allowed: number }
  /** There has been nothing to do for a while. It may cross the beginning of the next archive on its way. */
  | { kind: 'idle' };

interface Inspecting {
  index: RecordIndexWriter | null;
  inspector: Inspector;
  inflater: Inflater;
}

const { slots } = workerData as WorkerInput;
const buffers = slots.map((slot) => Buffer.from(slot));
let inspecting: Inspecting | null = null;

function begin({ limits, indexPart }: InspectStart): Inspecting {
  const index = indexPart === null ? null : beginIndex(indexPart);
  const inspector = new Inspector(limits, index);
  const inflater = new Inflater(limits, (bytes) => {
    inspector.write(bytes);
  });
  return { index, inspector, inflater };
}

/** Where none can be written the archive is inspected all the same. */
function beginIndex(part: string): RecordIndexWriter | null {
  try {
    return new RecordIndexWriter(part);
  } catch {
    return null;
  }
}

async function finish(
  { index, inspector, inflater }: Inspecting,
  sha256: string,
  indexName: string | null,
): Promise<UnpackedInspection> {
  const inspection = inspector.finish(await inflater.finish());
  // Of what is unusable nothing is kept that might look as if it could be used.
  if (indexName === null || inspection.verdict === 'unusable') index?.abandon();
  else await index?.finish(sha256, inspection.layout, indexName);
  return inspection;
}

/** Null: there is nothing to answer yet. */
async function answerTo(message: Exclude<ToWorker, 'stop'>): Promise<FromWorker | null> {
  if ('limits' in message) {
    inspecting = begin(message);
    return null;
  }
  if (inspecting === null) throw new Error('The bytes of an archive came before its beginning.');
  try {
    if ('sha256' in message) {
      const inspection = await finish(inspecting, message.sha256, message.indexName);
      inspecting = null;
      return { kind: 'done', inspection };
    }
    await inspecting.inflater.write((buffers[message.slot] as Buffer).subarray(0, message.length));
    return { kind: 'free', slot: message.slot };
  } catch (error) {
    inspecting?.index?.abandon();
    if (!(error instanceof LimitCrossed)) throw error;
    return { kind: 'limit', limit: error.limit, allowed: error.allowed };
  }
}

const idleMs = 5_000;
const tell = (message: FromWorker): void => parentPort?.postMessage(message);
let answered: Promise<void> = Promise.resolve();
let rouse = (): void => undefined;

parentPort?.on('message', (message: ToWorker) => {
  rouse();
  // In a worker thread this ends the thread, and the process goes on.
  if (message === 'stop') process.exit();
  answered = answered.then(async () => {
    const answer = await answerTo(message);
    if (answer !== null) tell(answer);
    if (answer?.kind !== 'done') return;
    rouse = systemClock.timer(idleMs, () => {
      tell({ kind: 'idle' });
    });
  });
});
