/** @file Collects complete lists from calls of the contract that return pages. */
import type { CallRequest } from '../../src-contract/calls.ts';
import type { Job } from '../../src-contract/runs/job.ts';
import type { Client } from '../bridge/transports/in-process.ts';

const pageSize = 500;

/** Returns at most `max` entries of the list `key`. `next` is the cursor of the remaining entries, or null. */
export async function collectByCursor<Key extends string, Entry, Cursor = string>(
  max: number,
  key: Key,
  fetchPage: (
    limit: number,
    cursor: Cursor | null,
  ) => Promise<Record<Key, Entry[]> & { next: Cursor | null }>,
): Promise<{ entries: Entry[]; next: Cursor | null }> {
  const entries: Entry[] = [];
  let next: Cursor | null = null;
  do {
    const page = await fetchPage(Math.min(pageSize, max - entries.length), next);
    entries.push(...page[key]);
    ({ next } = page);
  } while (next !== null && entries.length < max);
  return { entries, next };
}

/** Returns all jobs of a run, or all with a status; the newest first. */
export async function listJobs(
  client: Pick<Client, 'call'>,
  { runId = null, status = null }: Pick<CallRequest<'job.list'>, 'runId' | 'status'>,
): Promise<Job[]> {
  const { entries } = await collectByCursor(Infinity, 'jobs', (limit, before) =>
    client.call('job.list', { runId, status, before, limit }),
  );
  return entries;
}

/** Returns the last page, with the entries of all pages (at most `max`) in its list `key`. */
export async function collectByOffset<
  Key extends string,
  Page extends { total: number } & Record<Key, unknown[]>,
>(
  max: number,
  key: Key,
  fetchPage: (range: { offset: number; limit: number }) => Promise<Page>,
): Promise<Page> {
  const entries: unknown[] = [];
  for (;;) {
    const page = await fetchPage({
      offset: entries.length,
      limit: Math.min(pageSize, max - entries.length),
    });
    entries.push(...page[key]);
    const isLast = page[key].length === 0 || entries.length >= Math.min(page.total, max);
    if (isLast) return { ...page, [key]: entries };
  }
}
