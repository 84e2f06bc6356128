/** @file What keeps a plan from firing for a while: a pause, or one due time that is passed over. Pure. */
import { pausedWithoutEnd, type Plan, type PlanStatus } from '../../../src-contract/plans/plan.ts';

/** How a plan is paused now: not at all, until it is resumed, or until that moment. */
export function pauseOf({ pausedUntil }: Plan, now: number): null | 'open' | { until: string } {
  if (pausedUntil === null || Date.parse(pausedUntil) <= now) return null;
  return pausedUntil >= pausedWithoutEnd ? 'open' : { until: pausedUntil };
}

/** When it fires next; null where it is off, or paused until it is resumed. */
export const nextOf = ({ plan, nextRunAt }: PlanStatus, now: number): string | null =>
  pauseOf(plan, now) === 'open' ? null : nextRunAt;

/** The due time that is still to be passed over; one that has passed stays in the plan, and means nothing any more. */
export function skipAhead({ skippedDue }: Plan, now: number): string | null {
  return skippedDue === null || Date.parse(skippedDue) <= now ? null : skippedDue;
}

/** The day after that moment: `YYYY-MM-DD` in the window's own time zone. */
export function dayAfter(now: number): string {
  const day = new Date(now);
  day.setDate(day.getDate() + 1);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** The moment at which that day (`YYYY-MM-DD`) begins for the window; ISO 8601 UTC. */
export const startOf = (day: string): string => new Date(`${day}T00:00`).toISOString();
