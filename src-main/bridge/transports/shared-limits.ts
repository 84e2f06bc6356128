/** @file The limits that all windows of one host share: calls, readers of whole archives, and unsent bytes. Pure. */
import type { CallName } from '../../../src-contract/call-names.ts';
import { AppError } from '../../../src-contract/errors.ts';

const maxCalls = 256;
/** Each of these calls reads a whole archive in its own thread, with about 40 MB of memory. */
const maxReaders = 2;
const maxQueuedReaders = 32;
const readingCalls: ReadonlySet<string> = new Set<CallName>([
  'archive.inspect',
  'archive.lint',
  'archive.record',
  'archive.trim',
]);
const maxUnsentBytes = 32 << 20;

export type SharedLimits = ReturnType<typeof createSharedLimits>;

export function createSharedLimits() {
  let callCount = 0;
  let readerCount = 0;
  let unsentBytes = 0;
  const queue: (() => void)[] = [];

  /** Returns null if the call may read at once, else a promise that resolves when it may. */
  const acquireReadSlot = (signal: AbortSignal): Promise<void> | null => {
    if (readerCount < maxReaders) {
      readerCount += 1;
      return null;
    }
    if (queue.length >= maxQueuedReaders) {
      throw new AppError('calls-too-many', `${maxQueuedReaders} calls wait to read an archive.`, {
        retry: 'later',
      });
    }
    const slot = Promise.withResolvers<undefined>();
    const begin = (): void => {
      slot.resolve(undefined);
    };
    const giveUp = (): void => {
      const index = queue.indexOf(begin);
      if (index === -1) return;
      queue.splice(index, 1);
      slot.reject(signal.reason as Error);
    };
    queue.push(begin);
    signal.addEventListener('abort', giveUp, { once: true });
    return slot.promise.finally(() => {
      signal.removeEventListener('abort', giveUp);
    });
  };

  /** Gives the free place to the call that has waited longest. */
  const releaseReadSlot = (): void => {
    const next = queue.shift();
    if (next === undefined) readerCount -= 1;
    else next();
  };

  return {
    /**
     * Rejects with `calls-too-many` if too many calls run or wait, and with the signal's reason if aborted while
     * waiting.
     */
    async run<T>(name: string, signal: AbortSignal, work: () => Promise<T>) {
      if (callCount >= maxCalls) {
        throw new AppError('calls-too-many', `${maxCalls} calls of all pages are in progress.`, {
          retry: 'later',
        });
      }
      callCount += 1;
      try {
        if (!readingCalls.has(name)) return await work();
        const slot = acquireReadSlot(signal);
        if (slot !== null) await slot;
        return await work().finally(releaseReadSlot);
      } finally {
        callCount -= 1;
      }
    },
    /**
     * Adds to the unsent bytes of all pages; `bytes` is negative after sending. Returns whether the sum is within the
     * limit.
     */
    addUnsent(bytes: number) {
      unsentBytes += bytes;
      return unsentBytes <= maxUnsentBytes;
    },
  };
}
