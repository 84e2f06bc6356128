/** @file The limits that all windows of one host share: calls, readers of whole archives, and unsent bytes. Pure. */
import type { CallName } from '../../../src-contract/call-names.ts';
import { AppError } from '../../../src-contract/errors.ts';

const maxCalls = 256;
/** Each reads an archive to its end in a thread of its own, with about 40 MB of memory. */
const maxReading = 2;
const maxReadingQueued = 32;
const readingCalls: ReadonlySet<string> = new Set<CallName>([
  'archive.inspect',
  'archive.lint',
  'archive.record',
  'archive.trim',
]);
const maxUnsentBytes = 32 << 20;

export type SharedLimits = ReturnType<typeof createSharedLimits>;

export function createSharedLimits() {
  let calls = 0;
  let reading = 0;
  let unsent = 0;
  const queue: (() => void)[] = [];

  /** Null: runs at once. */
  const turnToRead = (signal: AbortSignal): Promise<void> | null => {
    if (reading < maxReading) {
      reading += 1;
      return null;
    }
    if (queue.length >= maxReadingQueued) {
      throw new AppError('calls-too-many', `${maxReadingQueued} calls wait to read an archive.`, {
        retry: 'later',
      });
    }
    const turn = Promise.withResolvers<undefined>();
    const begin = (): void => {
      turn.resolve(undefined);
    };
    const giveUp = (): void => {
      const at = queue.indexOf(begin);
      if (at === -1) return;
      queue.splice(at, 1);
      turn.reject(signal.reason as Error);
    };
    queue.push(begin);
    signal.addEventListener('abort', giveUp, { once: true });
    return turn.promise.finally(() => {
      signal.removeEventListener('abort', giveUp);
    });
  };

  /** The place goes to the call that waits longest. */
  const readingEnds = (): void => {
    const next = queue.shift();
    if (next === undefined) reading -= 1;
    else next();
  };

  return {
    /** Rejects with `calls-too-many` where too many run or wait, and with the reason of the signal while it waits. */
    async run<T>(name: string, signal: AbortSignal, work: () => Promise<T>) {
      if (calls >= maxCalls) {
        throw new AppError('calls-too-many', `${maxCalls} calls of all pages are in progress.`, {
          retry: 'later',
        });
      }
      calls += 1;
      try {
        if (!readingCalls.has(name)) return await work();
        const turn = turnToRead(signal);
        if (turn !== null) await turn;
        return await work().finally(readingEnds);
      } finally {
        calls -= 1;
      }
    },
    /** Adds to the bytes that wait to be sent to all pages; negative when they were sent. Returns whether there is room. */
    addUnsent(bytes: number) {
      unsent += bytes;
      return unsent <= maxUnsentBytes;
    },
  };
}
