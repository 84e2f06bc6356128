/** @file The days of a plan as its strip shows them: those that the history has, with what is overdue. Pure. */
import type { PlanDay, PlanStatus } from '../../../../src-contract/plans/plan.ts';
import type { DayOutcome } from '../plans.text.ts';
import { formatDayIn } from '../../../kit/format.ts';

export interface ShownDay {
  /** YYYY-MM-DD, in the time zone of the plan. */
  date: string;
  /** Null: nothing was due. */
  outcome: DayOutcome | null;
  runId: string | null;
}

/** The day on which it was due is overdue, whatever came of earlier runs of that day; these can still be opened. */
export function shownDays({ plan, overdue }: PlanStatus, days: readonly PlanDay[]): readonly ShownDay[] {
  if (overdue === null) return days;
  const late = formatDayIn(overdue.since, plan.schedule.timeZone);
  return days.map((day) => (day.date === late ? { ...day, outcome: 'overdue' } : day));
}
