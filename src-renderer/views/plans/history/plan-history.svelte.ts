/** @file The outcome of every plan on each of the last days. Create it during component setup. */
import type { PlanDay } from '../../../../src-contract/plans/plan.ts';
import { CallQuery } from '../../../data/calls/call-query.svelte.ts';

const days = 30;

export class PlanHistory {
  readonly query = new CallQuery(
    'plan.history',
    { days },
    // Reloads at most once a second: a run has an outcome only when all its jobs are done.
    { reloadOn: ['plan.changed', 'job.changed'], minIntervalMs: 1000 },
  );

  /** Oldest first; empty while loading. */
  daysOfPlan(planId: string): readonly PlanDay[] {
    return this.query.value?.plans.find((plan) => plan.planId === planId)?.days ?? [];
  }
}
