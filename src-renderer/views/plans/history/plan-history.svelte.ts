/** @file The outcome of every plan on each of the last days. Create it during component setup. */
import type { PlanDay } from '../../../../src-contract/plans/plan.ts';
import { CallQuery } from '../../../data/calls/call-query.svelte.ts';

const dayCount = 30;

export class PlanHistory {
  readonly query = new CallQuery(
    'plan.history',
    { days: dayCount },
    // A run has an outcome only when all its jobs are done, so one reload per second is enough.
    { reloadOn: ['plan.changed', 'job.changed'], minIntervalMs: 1000 },
  );

  /** Oldest first; empty while loading. */
  daysOfPlan(planId: string): readonly PlanDay[] {
    return this.query.value?.plans.find((plan) => plan.planId === planId)?.days ?? [];
  }
}
