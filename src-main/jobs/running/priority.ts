/** @file The order of due jobs: a user's own action before a schedule, imports before backups. */
import type { StoredJob, JobKind } from '../../../src-contract/runs/job.ts';

const ranks = ['at-once', 'import', 'asked', 'scheduled'] as const;
type Rank = (typeof ranks)[number];

/** Small work that a user waits for. */
const small: readonly JobKind[] = ['token', 'change', 'relation-import'];

/** The inputs of exports and imports, read without a schema, because thousands of jobs are sorted each time. */
type Input = { planId?: unknown; asked?: unknown; comparedLater?: unknown } | null;

function rankOf({ kind, input }: StoredJob): Rank {
  if (small.includes(kind)) return 'at-once';
  const given = input as Input;
  // Migrations import hundreds of projects; a single import that a user requests does not queue behind them.
  if (kind === 'import') return given?.comparedLater === true ? 'import' : 'at-once';
  const isScheduled = typeof given?.planId === 'string' && given.asked !== true;
  return isScheduled ? 'scheduled' : 'asked';
}

/** Returns the same jobs, most urgent first. Equally urgent jobs keep their order. */
export function sortByPriority(jobs: readonly StoredJob[]): StoredJob[] {
  return jobs
    .map((job) => ({ job, rank: ranks.indexOf(rankOf(job)) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ job }) => job);
}

/** Returns whether a job may run in addition to the maximum number of jobs while less urgent jobs use all slots. */
export const isUrgent = (job: StoredJob): boolean => rankOf(job) === 'at-once';

/**
 * Returns whether only the process that created the job can run it, because no other process has its address, secret or
 * new token.
 */
export function isBoundToProcess({ kind, input }: StoredJob): boolean {
  if (kind === 'token') return true;
  const { secret, source } = input as { secret?: unknown; source?: { kind?: unknown } };
  return typeof secret === 'string' || source?.kind === 'url';
}
