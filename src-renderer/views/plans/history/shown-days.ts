/** @file The days of a plan's history as the day strip shows them: with the overdue day marked. Pure. */
import type { PlanDay, PlanStatus } from '../../../../src-contract/plans/plan.ts';
import type { DayOutcome } from '../plans.text.ts';
import { formatDayIn } from '../../../kit/format.ts';

export interface ShownDay {
  /** YYYY-MM-DD, in the time zone of the plan. */
  date: string;
  /** Null if nothing was due. */
  outcome: DayOutcome | null;
  runId: string | null;
}

/**
 * Returns the days to show. The day of a missed due time is overdue, even if earlier runs on that day had another
 * outcome. The day still links to those runs.
 */
export function shownDays({ plan, overdue }: PlanStatus, days: readonly PlanDay[]): readonly ShownDay[] {
  if (overdue === null) return days;
  const overdueDate = formatDayIn(overdue.since, plan.schedule.timeZone);
  return days.map((day) => (day.date === overdueDate ? { ...day, outcome: 'overdue' } : day));
}
