/**
 * @file The periods by which a plan may keep archives, once for all: the rule, the options of the command line and the words of
 * every host are records over this list, so that none compiles that lacks one.
 */

/** Shortest first. Of each period that counts, one archive is kept. */
export const retentionPeriods = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const;
export type RetentionPeriod = (typeof retentionPeriods)[number];

/** Every limit of a retention, in the order in which hosts show them. */
export const retentionLimits = ['keepLast', 'withinDays', ...retentionPeriods] as const;
export type RetentionLimit = (typeof retentionLimits)[number];

/** The largest number that a limit may be. */
const maxLimit = { periods: 1000, withinDays: 36_500 } as const;
export const maxOfLimit = (limit: RetentionLimit): number =>
  limit === 'withinDays' ? maxLimit.withinDays : maxLimit.periods;

/** A value for each limit. */
export function forEachLimit<T>(value: (limit: RetentionLimit) => T): Record<RetentionLimit, T> {
  return Object.fromEntries(retentionLimits.map((limit) => [limit, value(limit)])) as Record<
    RetentionLimit,
    T
  >;
}

/** The retention that has no limit: every archive is kept. */
export const keepsAll: Readonly<Record<RetentionLimit, null>> = forEachLimit(() => null);
