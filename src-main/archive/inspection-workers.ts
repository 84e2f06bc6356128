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
const maxIdleThreads = 2;

interface Thread {
  worker: Worker;
  slots: Buffer[];
  exited: Promise<void>;
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

const idleThreads: Thread[] = [];

function start(): Thread {
  const slots = Array.from({ length: slotCount }, () => allocateAlignedMemory(slotBytes));
  const input: WorkerInput = { slots };
  const worker = new Worker(workerUrl, { workerData: input, resourceLimits: { maxYoungGenerationSizeMb } });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      resolve();
    });
  });
  return { worker, slots: slots.map((slot) => Buffer.from(slot)), exited };
}

/**
 * Requests the thread to end itself between two pieces. Node 24 aborts the whole process if a thread is terminated at
 * the moment when it creates a zlib stream ("close before init" in node_zlib.cc).
 */
async function stop({ worker, exited }: Thread): Promise<void> {
  worker.postMessage('stop' satisfies ToWorker);
  await exited;
}

function keep(thread: Thread): void {
  const { worker } = thread;
  if (idleThreads.length >= maxIdleThreads) {
    void stop(thread);
    return;
  }
  idleThreads.push(thread);
  const end = (): void => {
    const at = idleThreads.indexOf(thread);
    if (at !== -1) idleThreads.splice(at, 1);
    void stop(thread);
  };
  // The thread reports when it was idle for a while. After that, the thread ends, because a waiting program needs none.
  worker.once('message', end).once('error', end);
  // The thread does not keep a process alive that has no other work.
  worker.unref();
}

/** Returns a thread for one archive. Calls `onError` if the thread ends unexpectedly. */
export function acquireWorker(
  onMessage: (message: FromWorker) => void,
  onError: (error: unknown) => void,
): InspectionWorker {
  const thread = idleThreads.pop() ?? start();
  const { worker } = thread;
  worker.removeAllListeners('message').removeAllListeners('error');
  worker.on('message', onMessage).once('error', onError).ref();
  let isAcquired = true;
  return {
    slots: thread.slots,
    post(message) {
      worker.postMessage(message);
    },
    release() {
      if (!isAcquired) return;
      isAcquired = false;
      worker.off('message', onMessage).off('error', onError);
      keep(thread);
    },
    async terminate() {
      if (isAcquired) await stop(thread);
    },
  };
}
