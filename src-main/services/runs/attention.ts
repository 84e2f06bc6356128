/** @file Finds and orders the items that need attention, from facts that the overview has read. Pure. */
import type { ArchiveSummary } from '../../../src-contract/archives/archive.ts';
import { dayMs } from '../../../src-contract/bounds.ts';
import { expiresSoon, knownTokenRefusal, type Instance } from '../../../src-contract/instances/instance.ts';
import type { Attention, InstanceOverview } from '../../../src-contract/runs/overview-schema.ts';
import type { PlanStatus } from '../../../src-contract/plans/plan.ts';
import type { JobFailureGroup, LimitedList, JobWithWarnings } from '../../catalogue/runs/job-attention.ts';
import type { EmptyRun } from '../plans/empty-runs.ts';
import type { DepartedProject } from '../plans/scope-surveys.ts';
import { withDismissalId } from './dismissal.ts';

/** An older project list does not reliably show which projects are backed up. */
const oldListDays = 7;
const minFreeBytes = 5_000_000_000;
export const maxPerKind = 25;

/** Worst first. */
const order: Attention['kind'][] = [
  'archives-absent',
  'jobs-stuck',
  'token-missing',
  'token-refused',
  'archive-damaged',
  'projects-incomplete',
  'projects-suspicious',
  'disk-low',
  'job-failed',
  'jobs-failed',
  'plan-failed',
  'plan-overdue',
  'plan-empty',
  'left-scope',
  'token-read-only',
  'never-backed-up',
  'job-warnings',
  'older-archive-damaged',
  'token-expires',
  'list-old',
  'notice',
];

export const worstFirst = (attention: readonly Attention[]): Attention[] =>
  attention.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));

export interface AttentionGroup {
  attention: Attention[];
  omittedCount: number;
}

export interface InstanceFacts {
  overview: InstanceOverview;
  instance: Pick<Instance, 'tokenExpiresOn' | 'tokenRefused'>;
  /** Null while unknown, and for an instance that is used without an account. */
  hasToken: boolean | null;
  plans: readonly PlanStatus[];
  emptyRuns: readonly EmptyRun[];
  /** Epoch milliseconds. */
  now: number;
}

export function attentionOfInstance(facts: InstanceFacts): Attention[] {
  const { name: instance, refreshedAt, anonymous, readOnly, statusCounts } = facts.overview;
  const found: Attention[] = [];
  for (const { plan, overdue } of facts.plans) {
    if (plan.instance !== instance || overdue === null) continue;
    found.push({ kind: 'plan-overdue', planId: plan.id, plan: plan.name, instance, ...overdue });
  }
  for (const { error, ...run } of facts.emptyRuns) {
    if (run.instance !== instance) continue;
    found.push(error === null ? { kind: 'plan-empty', ...run } : { kind: 'plan-failed', ...run, error });
  }
  const token = attentionOfToken(facts);
  if (token !== null) found.push(token);
  // An instance that is only read needs no backup.
  const onlyReads = anonymous || readOnly;
  const neverCount = statusCounts.never - facts.overview.newCopies;
  if (facts.overview.tokenCanWrite === false && !onlyReads) found.push({ kind: 'token-read-only', instance });
  else if (neverCount > 0 && !onlyReads)
    found.push({ kind: 'never-backed-up', instance, projects: neverCount });
  if (statusCounts.incomplete > 0) {
    found.push({ kind: 'projects-incomplete', instance, projects: statusCounts.incomplete });
  }
  if (statusCounts.suspicious > 0) {
    found.push({ kind: 'projects-suspicious', instance, projects: statusCounts.suspicious });
  }
  if (refreshedAt === null || facts.now - Date.parse(refreshedAt) > oldListDays * dayMs) {
    found.push({ kind: 'list-old', instance, refreshedAt });
  }
  return found;
}

function attentionOfToken({ overview, instance: known, hasToken, now }: InstanceFacts): Attention | null {
  const { name: instance, anonymous } = overview;
  if (hasToken === false) return { kind: 'token-missing', instance };
  if (anonymous) return null;
  const code = knownTokenRefusal(known, now);
  if (code !== null) return { kind: 'token-refused', instance, code };
  const { tokenExpiresOn } = known;
  return tokenExpiresOn !== null && expiresSoon(tokenExpiresOn, now)
    ? { kind: 'token-expires', instance, expiresOn: tokenExpiresOn }
    : null;
}

export function attentionOfJobs(
  failed: LimitedList<JobFailureGroup>,
  warned: LimitedList<JobWithWarnings>,
): AttentionGroup {
  return {
    attention: [
      ...failed.entries.map(({ jobs, total, isUnprotected, ...shared }): Attention => {
        const [newest] = jobs;
        const item =
          total === 1 && newest !== undefined
            ? { kind: 'job-failed' as const, ...shared, ...newest }
            : { kind: 'jobs-failed' as const, ...shared, total, jobs };
        return isUnprotected ? item : withDismissalId(item);
      }),
      ...warned.entries.map((job) => withDismissalId({ kind: 'job-warnings' as const, ...job })),
    ],
    omittedCount: failed.total - failed.entries.length + warned.total - warned.entries.length,
  };
}

export const attentionOfLeftScope = (left: readonly DepartedProject[]): AttentionGroup => ({
  attention: left.slice(0, maxPerKind).map((one) => withDismissalId({ kind: 'left-scope' as const, ...one })),
  omittedCount: Math.max(0, left.length - maxPerKind),
});

/** `superseded` is true if a newer archive of the project can be read. */
export const attentionOfArchives = ({
  archives,
  total,
}: {
  archives: (ArchiveSummary & { superseded: boolean })[];
  total: number;
}): AttentionGroup => ({
  attention: archives.map((archive) => ({
    kind: archive.superseded ? ('older-archive-damaged' as const) : ('archive-damaged' as const),
    archiveId: archive.id,
    instance: archive.instanceName,
    project: archive.fullPath,
    reason: archive.damaged?.reason ?? 'The archive cannot be read completely.',
    ...(archive.damaged === null ? { unusable: true as const } : {}),
  })),
  omittedCount: total - archives.length,
});

export const attentionOfSpace = (space: { path: string; freeBytes: number | null }): Attention[] =>
  space.freeBytes !== null && space.freeBytes < minFreeBytes
    ? [{ kind: 'disk-low', path: space.path, freeBytes: space.freeBytes }]
    : [];
