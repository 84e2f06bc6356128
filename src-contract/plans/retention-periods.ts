/**
 * @file The periods of a retention. The schema, the words, the options of the command line and the fields of the form
 * are derived from this table. The rule in `src-main/archive/periods.ts` does not compile while a period is missing
 * there.
 */

import type { Bounds } from '../bounds.ts';

/** The word for one period of each kind, shortest first. The plural adds an "s". */
const units = { hourly: 'hour', daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const;
export type RetentionPeriod = keyof typeof units;

/** The periods, shortest first. A retention keeps the newest archive of each period. */
export const retentionPeriods = Object.keys(units) as RetentionPeriod[];

/** Returns "week" for `weekly`. */
export const unitOf = (period: RetentionPeriod): string => units[period];

/** Returns a value for each period. */
export function mapPeriods<T>(value: (period: RetentionPeriod) => T): Record<RetentionPeriod, T> {
  return Object.fromEntries(retentionPeriods.map((period) => [period, value(period)])) as Record<
    RetentionPeriod,
    T
  >;
}

/** Every limit of a retention, in the order in which the window and the command line show them. */
export type RetentionLimit = 'keepLast' | 'withinDays' | RetentionPeriod;
export const retentionLimits: readonly RetentionLimit[] = ['keepLast', 'withinDays', ...retentionPeriods];

/** Returns the smallest and the largest value of a limit. */
export const boundsOf = (limit: RetentionLimit): Bounds => ({
  min: 1,
  max: limit === 'withinDays' ? 36_500 : 1000,
});

/** Returns a value for each limit. */
export const mapLimits = <T>(value: (limit: RetentionLimit) => T): Record<RetentionLimit, T> => ({
  keepLast: value('keepLast'),
  withinDays: value('withinDays'),
  ...mapPeriods(value),
});

/** The retention that has no limit: every archive is kept. */
export const unlimitedRetention: Readonly<Record<RetentionLimit, null>> = mapLimits(() => null);
