/** @file Plans whose newest run backed nothing up although it was to: until the next one, a person should know. */
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { RunStore } from '../../catalogue/runs/runs.ts';

export interface EmptyRun {
  planId: string;
  plan: string;
  instance: string;
  runId: string;
  /** Why the run could not begin; null where the plan covers no project. */
  error: ErrorData | null;
}

/** In the order of the plans. One that a person gave up, or that only found other work in its way, is not among them. */
export function plansWithEmptyRun(
  plans: readonly StoredPlan[],
  runs: Pick<RunStore, 'lastFiring' | 'ofPlan'>,
): EmptyRun[] {
  return plans.flatMap(({ id, name, instance }) => {
    const last = runs.lastFiring(id, Infinity);
    if (last === null) return [];
    const run = runs.ofPlan(id, last.dueAt, last.dueAt + 1).find((one) => one.id === last.runId);
    if (run === undefined || Object.keys(run.jobs).length > 0) return [];
    const error = run.notes.flatMap((note) => note.error ?? [])[0] ?? null;
    const isEmpty = run.outcome === 'warnings' && run.leftOut.count === 0;
    if (error?.code === 'cancelled' || (error === null && !isEmpty)) return [];
    return [{ planId: id, plan: name, instance, runId: run.id, error }];
  });
}
