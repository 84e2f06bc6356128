/** @file Which job goes first where more are due than may run: a person's own action before a schedule, imports before backups. */
import type { StoredJob, JobKind } from '../../../src-contract/job.ts';

/** From the most urgent on. */
const ranks = ['at-once', 'import', 'asked', 'scheduled'] as const;
type Rank = (typeof ranks)[number];

/** Small work that somebody waits for. */
const small: readonly JobKind[] = ['token', 'change', 'relation-import'];

/** Of the inputs of exports and imports. Read as it stands, because thousands of jobs are looked at each time. */
type Input = { planId?: unknown; asked?: unknown; comparedLater?: unknown } | null;

function rankOf({ kind, input }: StoredJob): Rank {
  if (small.includes(kind)) return 'at-once';
  const given = input as Input;
  // Migrations import hundreds of projects; an import that somebody asks for by itself does not queue behind them.
  if (kind === 'import') return given?.comparedLater === true ? 'import' : 'at-once';
  const isOfPlan = typeof given?.planId === 'string' && given.asked !== true;
  return isOfPlan ? 'scheduled' : 'asked';
}

/** The same jobs, the most urgent first; those that are equally urgent stay in their order. */
export function byPriority(jobs: readonly StoredJob[]): StoredJob[] {
  return jobs
    .map((job) => ({ job, rank: ranks.indexOf(rankOf(job)) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ job }) => job);
}

/** Whether a job may run beside as many as may run at once, where those are less urgent. */
export const isUrgent = (job: StoredJob): boolean => rankOf(job) === 'at-once';

/** Whether only the process that made the job can run it: it alone has the address, the secret or the new token. */
export function isBoundToProcess({ kind, input }: StoredJob): boolean {
  if (kind === 'token') return true;
  const { secret, source } = input as { secret?: unknown; source?: { kind?: unknown } };
  return typeof secret === 'string' || source?.kind === 'url';
}
