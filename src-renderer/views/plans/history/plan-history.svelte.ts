/** @file The last days of every plan, shown next to it. Create it during component setup. */
import type { PlanDay } from '../../../../src-contract/plans/plan.ts';
import { Reply } from '../../../data/asking/reply.svelte.ts';

const days = 30;

export class PlanHistory {
  readonly reply = new Reply(
    'plan.history',
    { days },
    // The outcome of a run is known when its jobs are done, so the strip need not follow each job.
    { reloadOn: ['plan.changed', 'job.changed'], minMs: 1000 },
  );

  /** Oldest first; empty while loading. */
  of(planId: string): readonly PlanDay[] {
    return this.reply.value?.plans.find((plan) => plan.planId === planId)?.days ?? [];
  }
}
