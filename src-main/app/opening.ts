/** @file What opening the catalogue leads to: an index rebuilt from the store, and what people must be told of it. */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { CallReply } from '../../src-preload/contract/calls.ts';
import type { ArchiveIndex } from '../catalogue/archives.ts';
import type { JobStore } from '../catalogue/jobs.ts';
import type { Recovery } from '../catalogue/recovery.ts';

export interface OpeningParts {
  /** Null: the catalogue was sound. */
  recovery: Recovery | null;
  index: ArchiveIndex;
  jobs: JobStore;
  now: number;
  rescan(): Promise<CallReply<'archive.rescan'>>;
}

/** Indexes the store where the catalogue knows nothing of it, or may not know all. @returns sentences for people. */
export async function settleCatalogue(parts: OpeningParts): Promise<string[]> {
  const { recovery, index, jobs, now } = parts;
  if (recovery === null) {
    if (index.list({ limit: 1 }).length > 0) return [];
    const { found } = await parts.rescan();
    return found === 0 ? [] : [`The catalogue was empty; ${found} archives were indexed from the store.`];
  }
  const { found, unreadable } = await parts.rescan();
  const notices = [
    `The catalogue was damaged and was set aside as ${recovery.setAsideAs}. ${found} archives were indexed again from the store.`,
  ];
  if (unreadable.length > 0) {
    const paths = unreadable.map(({ path }) => path).join(', ');
    notices.push(
      `These archives could not be indexed: ${paths}. Look at them with "packhorse archive rescan".`,
    );
  }
  if (recovery.restoredFrom === null) {
    notices.push('The history of jobs is lost; jobs that were under way are forgotten.');
    return notices;
  }
  // They may have gone on after the copy was made; running them again could import twice.
  const open = jobs.giveUpOpenJobs(
    new AppError(
      'interrupted',
      'The catalogue was restored from a copy; how this job ended is not known.',
    ).toData(),
    now,
  );
  notices.push(
    `The history of jobs is that of the last copy; ${open.length} jobs that were open then were given up. Look at their targets before starting them again.`,
  );
  return notices;
}
