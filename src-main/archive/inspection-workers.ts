/**
 * @file The threads that inflate and inspect. Starting one takes twenty times as long as inspecting a small archive, so
 * an idle thread is kept for a while for the next archive. A thread that failed or was aborted is never used again.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { allocateAlignedMemory } from '../platform/disk/direct-file.ts';
import type { FromWorker, ToWorker, WorkerInput } from './reader/inspect-worker.ts';

const workerUrl = new URL(`./reader/inspect-worker${extname(import.meta.url)}`, import.meta.url);
/** Packed bytes wait for the worker in slots. Large slots cost fewer messages between the threads. */
export const slotBytes = 2 * 1024 * 1024;
const slotCount = 3;
/** Nearly all objects of the worker are short-lived; a growing young generation would hold megabytes of garbage. */
const maxYoungGenerationSizeMb = 2;
/** Maximum number of kept threads, each with its slots and a heap of its own. */
const maxKept = 2;

interface Thread {
  worker: Worker;
  slots: Buffer[];
  gone: Promise<void>;
}

export interface InspectionWorker {
  /** Each has `slotBytes`, shared with the thread. */
  slots: readonly Buffer[];
  post(message: ToWorker): void;
  /** Returns the thread for use with another archive. */
  release(): void;
  /** Ends the thread before it takes the next message. Idempotent; has no effect after `release`. */
  terminate(): Promise<void>;
}

const kept: Thread[] = [];

function start(): Thread {
  const slots = Array.from({ length: slotCount }, () => allocateAlignedMemory(slotBytes));
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
 * Requests the thread to end itself between two pieces. Node 24 aborts the whole process if a thread is terminated at
 * the moment when it creates a zlib stream ("close before init" in node_zlib.cc).
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
  // The thread measures its idle time: a program that waits for its schedule needs no thread.
  worker.once('message', end).once('error', end);
  // The thread does not keep a process alive that has no other work.
  worker.unref();
}

/** Returns a thread for one archive. Calls `onError` if the thread ends unexpectedly. */
export function acquireWorker(
  onMessage: (message: FromWorker) => void,
  onError: (error: unknown) => void,
): InspectionWorker {
  const thread = kept.pop() ?? start();
  const { worker } = thread;
  worker.removeAllListeners('message').removeAllListeners('error');
  worker.on('message', onMessage).once('error', onError).ref();
  let isMine = true;
  return {
    slots: thread.slots,
    post(message) {
      worker.postMessage(message);
    },
    release() {
      if (!isMine) return;
      isMine = false;
      worker.off('message', onMessage).off('error', onError);
      keep(thread);
    },
    async terminate() {
      if (isMine) await stop(thread);
    },
  };
}
