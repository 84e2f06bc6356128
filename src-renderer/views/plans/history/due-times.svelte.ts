/** @file The next due times of a schedule in the editor. Create it during component setup. */
import type { ErrorData } from '../../../../src-contract/errors.ts';
import type { ScheduleDraft } from '../../../../src-contract/plans/plan.ts';
import { CallQuery } from '../../../data/calls/call-query.svelte.ts';
import { scheduleOf, type PlanForm } from '../editor/plan-form.ts';

const count = 5;

export class DueTimes {
  readonly query: CallQuery<'plan.dueTimes'>;
  readonly #getDraft: () => ScheduleDraft | null;

  constructor(schedule: () => PlanForm['schedule']) {
    const key = $derived(JSON.stringify(scheduleOf({ schedule: schedule() })));
    this.#getDraft = () => JSON.parse(key) as ScheduleDraft | null;
    this.query = new CallQuery('plan.dueTimes', () => {
      const draft = this.#getDraft();
      return draft === null ? null : { schedule: draft, count };
    });
  }

  /** The app's error about an invalid cron expression; null if there is none. */
  get cronError(): string | null {
    const { error } = this.query;
    return this.#getDraft()?.kind === 'cron' && error?.code === 'invalid-input' ? error.message : null;
  }

  get error(): ErrorData | null {
    return this.cronError === null ? this.query.error : null;
  }

  /** Null if the times are not loaded, or the schedule is incomplete. */
  get value(): CallQuery<'plan.dueTimes'>['value'] {
    return this.query.error === null ? this.query.value : null;
  }
}
