/** @file The last days of every plan, shown next to it. Create it during component setup. */
import type { PlanDay } from '../../../../src-contract/plans/plan.ts';
import { CallQuery } from '../../../data/calls/call-query.svelte.ts';

const days = 30;

export class PlanHistory {
  readonly reply = new CallQuery(
    'plan.history',
    { days },
    // The outcome of a run is known when its jobs are done, so the strip need not follow each job.
    { reloadOn: ['plan.changed', 'job.changed'], minIntervalMs: 1000 },
  );

  /** Oldest first; empty while loading. */
  of(planId: string): readonly PlanDay[] {
    return this.reply.value?.plans.find((plan) => plan.planId === planId)?.days ?? [];
  }
}
