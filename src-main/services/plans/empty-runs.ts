/**
 * @file Finds plans whose newest run backed up nothing although it should have. They need attention until the next run.
 */
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { Attention } from '../../../src-contract/runs/overview-schema.ts';
import type { RunStore } from '../../catalogue/runs/runs.ts';

/** `error` is why the run could not begin; null if the plan covers no project. */
export type EmptyRun = Omit<Extract<Attention, { kind: 'plan-empty' }>, 'kind'> & { error: ErrorData | null };

/** Returns the runs in the order of the plans, except cancelled runs and runs whose projects were left out. */
export function plansWithEmptyRun(
  plans: readonly StoredPlan[],
  runs: Pick<RunStore, 'lastFiring' | 'runsOfPlan'>,
): EmptyRun[] {
  return plans.flatMap(({ id, name, instance }) => {
    const last = runs.lastFiring(id, Infinity);
    if (last === null) return [];
    const run = runs.runsOfPlan(id, last.dueAt, last.dueAt + 1).find((one) => one.id === last.runId);
    if (run === undefined || Object.keys(run.jobs).length > 0) return [];
    const error = run.notes.flatMap((note) => note.error ?? [])[0] ?? null;
    const isEmpty = run.outcome === 'warnings' && run.leftOut.count === 0;
    if (error?.code === 'cancelled' || (error === null && !isEmpty)) return [];
    return [{ planId: id, plan: name, instance, runId: run.id, error }];
  });
}
