/** @file The last days of every plan, as they are shown beside it. Make it while a component is set up. */
import type { PlanDay } from '../../../../src-contract/plans/plan.ts';
import { Reply } from '../../../data/asking/reply.svelte.ts';

const days = 30;

export class PlanHistory {
  readonly reply = new Reply(
    'plan.history',
    { days },
    // What a run has come to is known when its jobs are done; the strip need not follow each of them.
    { reloadOn: ['plan.changed', 'job.changed'], minMs: 1000 },
  );

  /** Oldest first; empty while nothing is known of it. */
  of(planId: string): readonly PlanDay[] {
    return this.reply.value?.plans.find((plan) => plan.planId === planId)?.days ?? [];
  }
}
