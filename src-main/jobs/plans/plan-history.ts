/**
 * @file Returns the result of a plan on each of the last days. Pure functions over its runs, its due times and the
 * clock.
 */
import type { PlanDay, StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { Run, RunOutcome } from '../../../src-contract/runs/run.ts';
import { dayStarts, nextDue } from './schedule-times.ts';
import { graceMs } from './plan-due.ts';

/** Worst first. A run that was skipped or had nothing to do does not hide other runs of that day. */
const worstFirst: readonly RunOutcome[] = [
  'failed',
  'partly-failed',
  'incomplete',
  'cancelled',
  'warnings',
  'running',
  'succeeded',
  'skipped',
  'nothing',
];

/**
 * Returns the last `days` days in the zone of the schedule, today last. Nothing is known about due times before the
 * schedule was set, or while the plan is off.
 */
export function historyOf(
  plan: StoredPlan,
  runsBetween: (from: number, to: number) => Run[],
  now: number,
  days: number,
): PlanDay[] {
  const { timeZone } = plan.schedule;
  const starts = dayStarts(timeZone, now, days);
  const dateFormat = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  // The query has no upper bound, to include runs that started while the clock was fast.
  const runs = runsBetween(starts[0] ?? now, Infinity);
  const since = plan.enabled ? Date.parse(plan.activeSince) : Infinity;
  return starts.map((start, index): PlanDay => {
    const end = starts[index + 1] ?? Infinity;
    const dayRuns = runs.filter(({ dueAt }) => {
      const due = Date.parse(dueAt ?? '');
      return due >= start && due < end;
    });
    const worst = worstFirst.flatMap((outcome) => dayRuns.find((run) => run.outcome === outcome) ?? [])[0];
    const date = dateFormat.format(start);
    if (worst !== undefined) return { date, outcome: worst.outcome, runId: worst.id };
    const knownFrom = Math.max(start - 1, since);
    const due = knownFrom < Math.min(end, now) ? nextDue(plan.schedule, knownFrom) : null;
    const wasDue = due !== null && due < end && due <= now - graceMs;
    return { date, outcome: wasDue ? 'missed' : null, runId: null };
  });
}
