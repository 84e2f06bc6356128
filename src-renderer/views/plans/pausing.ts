/** @file Finds the reason why a plan temporarily does not fire: a pause, or one skipped due time. Pure. */
import { endlessPauseUntil, type Plan, type PlanStatus } from '../../../src-contract/plans/plan.ts';

/** Returns null if the plan is not paused, `'open'` if it is paused until resumed, else the end of the pause. */
export function pauseOf({ pausedUntil }: Plan, now: number): null | 'open' | { until: string } {
  if (pausedUntil === null || Date.parse(pausedUntil) <= now) return null;
  return pausedUntil >= endlessPauseUntil ? 'open' : { until: pausedUntil };
}

/** Returns the next due time; null if the plan is off, or paused until resumed. */
export const nextDueTimeOf = ({ plan, nextRunAt }: PlanStatus, now: number): string | null =>
  pauseOf(plan, now) === 'open' ? null : nextRunAt;

/** Returns the due time that will be skipped. A skip whose time has passed remains in the plan without effect. */
export function upcomingSkip({ skippedDue }: Plan, now: number): string | null {
  return skippedDue === null || Date.parse(skippedDue) <= now ? null : skippedDue;
}

/** The day after `now`: `YYYY-MM-DD` in the window's own time zone. */
export function dayAfter(now: number): string {
  const day = new Date(now);
  day.setDate(day.getDate() + 1);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`;
}

/** The start of `day` (`YYYY-MM-DD`) in the window's time zone; ISO 8601 UTC. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00`).toISOString();
