/**
 * @file Worker thread: inflates and inspects packed bytes in shared slots, and returns each slot as soon as it was
 * inspected. One archive at a time. Uses no network, and no file except the record index that it writes.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { LimitExceeded, type ReadLimits } from '../limits.ts';
import { RecordIndexWriter } from '../records/index-writer.ts';
import { Inflater } from './inflater.ts';
import { Inspector, type ContentInspection } from './inspector.ts';

export interface WorkerInput {
  slots: SharedArrayBuffer[];
}

/** The first message of each archive. */
export interface InspectStart {
  limits: ReadLimits;
  /** The temporary file of the record index; null if none is written. */
  indexPart: string | null;
}

/**
 * The start of an archive; its next bytes; its end, with the SHA-256 of all bytes and the name for its record index; or
 * `stop`, after which the thread ends.
 */
export type ToWorker =
  InspectStart | { slot: number; length: number } | { sha256: string; indexName: string | null } | 'stop';

export type FromWorker =
  | { kind: 'free'; slot: number }
  | { kind: 'done'; inspection: ContentInspection }
  | { kind: 'limit'; limit: keyof ReadLimits; allowed: number }
  /** The thread has been idle for a while. The start of the next archive may already have been sent. */
  | { kind: 'idle' };

interface ActiveInspection {
  index: RecordIndexWriter | null;
  inspector: Inspector;
  inflater: Inflater;
}

const { slots } = workerData as WorkerInput;
const buffers = slots.map((slot) => Buffer.from(slot));
let activeInspection: ActiveInspection | null = null;

function begin({ limits, indexPart }: InspectStart): ActiveInspection {
  const index = indexPart === null ? null : beginIndex(indexPart);
  const inspector = new Inspector(limits, index);
  const inflater = new Inflater(limits, (bytes) => {
    inspector.write(bytes);
  });
  return { index, inspector, inflater };
}

/** If no index can be written, the archive is inspected without one. */
function beginIndex(part: string): RecordIndexWriter | null {
  try {
    return new RecordIndexWriter(part);
  } catch {
    return null;
  }
}

async function finish(
  { index, inspector, inflater }: ActiveInspection,
  sha256: string,
  indexName: string | null,
): Promise<ContentInspection> {
  const inspection = inspector.finish(await inflater.finish());
  // No index is kept for an unusable archive, because it might look usable.
  if (indexName === null || inspection.verdict === 'unusable') index?.abandon();
  else await index?.finish(sha256, inspection.layout, indexName);
  return inspection;
}

/** Processes a message and returns the reply; null if the message has none. */
async function handleMessage(message: Exclude<ToWorker, 'stop'>): Promise<FromWorker | null> {
  if ('limits' in message) {
    activeInspection = begin(message);
    return null;
  }
  if (activeInspection === null) throw new Error('The bytes of an archive arrived before its start message.');
  try {
    if ('sha256' in message) {
      const inspection = await finish(activeInspection, message.sha256, message.indexName);
      activeInspection = null;
      return { kind: 'done', inspection };
    }
    await activeInspection.inflater.write((buffers[message.slot] as Buffer).subarray(0, message.length));
    return { kind: 'free', slot: message.slot };
  } catch (error) {
    activeInspection?.index?.abandon();
    if (!(error instanceof LimitExceeded)) throw error;
    return { kind: 'limit', limit: error.limit, allowed: error.allowed };
  }
}

const idleMs = 5_000;
const post = (message: FromWorker): void => parentPort?.postMessage(message);
let lastMessageHandled: Promise<void> = Promise.resolve();
let cancelIdleTimer = (): void => undefined;

parentPort?.on('message', (message: ToWorker) => {
  cancelIdleTimer();
  // In a worker thread this ends only the thread.
  if (message === 'stop') process.exit();
  lastMessageHandled = lastMessageHandled.then(async () => {
    const answer = await handleMessage(message);
    if (answer !== null) post(answer);
    if (answer?.kind !== 'done') return;
    cancelIdleTimer = systemClock.timer(idleMs, () => {
      post({ kind: 'idle' });
    });
  });
});
