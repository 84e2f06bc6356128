/** @file Parts of replies that many handlers share: progress, and pages of a list. */
import type { Progress } from '../../src-contract/runs/job.ts';
import type { CallContext } from './handler.ts';

/** Returns a function that reports the progress of one step of the call; `total` is null while it is unknown. */
export const progressReporter =
  (context: CallContext, step: Progress['step'], unit: Progress['unit']) =>
  (done: number, total: number | null = null): void => {
    context.progress({ step, unit, done, total });
  };

/** Returns options for reading an archive: the signal of the call, and progress in bytes of the archive. */
export const archiveReadOptions = (context: CallContext) => ({
  signal: context.signal,
  onProgress: progressReporter(context, 'read', 'bytes'),
});

/** Reads a page of `limit` entries; `next` is the id of the last entry, or null if no entry follows. */
export async function readPage<Entry extends { id: unknown }>(
  limit: number,
  read: (limit: number) => Entry[] | Promise<Entry[]>,
): Promise<{ page: Entry[]; next: Entry['id'] | null }> {
  const found = await read(limit + 1);
  const page = found.slice(0, limit);
  return { page, next: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}
