/**
 * @file The threads that inflate and inspect. Starting one takes twenty times as long as inspecting a small archive, so one that has
 * done its work is kept for a while for the next archive. One that failed, or was given up, is never used again.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { directMemory } from '../platform/disk/direct-file.ts';
import type { FromWorker, ToWorker, WorkerInput } from './reader/inspect-worker.ts';

const workerUrl = new URL(`./reader/inspect-worker${extname(import.meta.url)}`, import.meta.url);
/** Packed bytes wait for the worker in slots; large ones cost fewer turns between the threads. */
export const slotBytes = 2 * 1024 * 1024;
const slotCount = 3;
/** Nearly all that is made there is of no use a moment later; a space that grew would hold megabytes of it. */
const maxYoungGenerationSizeMb = 2;
/** How many are kept, each with its slots and a heap of its own. */
const maxKept = 2;

interface Thread {
  worker: Worker;
  slots: Buffer[];
  gone: Promise<void>;
}

export interface InspectionWorker {
  /** Each as long as `slotBytes`, shared with the thread. */
  slots: readonly Buffer[];
  post(message: ToWorker): void;
  /** Its work is done: it may be used for another archive. */
  giveBack(): void;
  /** Ends it before it takes the next message. Repeatable; nothing after `giveBack`. */
  terminate(): Promise<void>;
}

const kept: Thread[] = [];

function start(): Thread {
  const slots = Array.from({ length: slotCount }, () => directMemory(slotBytes));
  const input: WorkerInput = { slots };
  const worker = new Worker(workerUrl, { workerData: input, resourceLimits: { maxYoungGenerationSizeMb } });
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      resolve();
    });
  });
  return { worker, slots: slots.map((slot) => Buffer.from(slot)), gone };
}

/**
 * Lets the thread end itself, which it does between two pieces. Node 24 aborts the whole process when a thread is terminated in the moment in which it makes a stream of
 * zlib's ("close before init" in node_zlib.cc).
 */
async function stop({ worker, gone }: Thread): Promise<void> {
  worker.postMessage('stop' satisfies ToWorker);
  await gone;
}

function keep(thread: Thread): void {
  const { worker } = thread;
  if (kept.length >= maxKept) {
    void stop(thread);
    return;
  }
  kept.push(thread);
  const end = (): void => {
    const at = kept.indexOf(thread);
    if (at !== -1) kept.splice(at, 1);
    void stop(thread);
  };
  // The thread knows how long it has had nothing to do: a program that waits for its schedule needs none.
  worker.once('message', end).once('error', end);
  // It keeps no process alive that has nothing else to do.
  worker.unref();
}

/** A thread for one archive. `failed` hears of an end that nobody asked for. */
export function takeWorker(
  heard: (message: FromWorker) => void,
  failed: (error: unknown) => void,
): InspectionWorker {
  const thread = kept.pop() ?? start();
  const { worker } = thread;
  worker.removeAllListeners('message').removeAllListeners('error');
  worker.on('message', heard).once('error', failed).ref();
  let isMine = true;
  return {
    slots: thread.slots,
    post(message) {
      worker.postMessage(message);
    },
    giveBack() {
      if (!isMine) return;
      isMine = false;
      worker.off('message', heard).off('error', failed);
      keep(thread);
    },
    async terminate() {
      if (isMine) await stop(thread);
    },
  };
}
