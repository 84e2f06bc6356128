/**
 * @file The times of a filter: a day and maybe a time of day in the zone of this machine. The instance receives UTC.
 */

const pattern = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?$/;

/**
 * Returns the first moment of the day or minute; the last moment for `until`. Returns undefined if `typed` is no day
 * or time.
 */
export function momentOf(typed: string, edge: 'from' | 'until'): string | undefined {
  const [, day, time] = pattern.exec(typed) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const start = `${day}T${time ?? '00:00'}:00`;
  const end = `${day}T${time ?? '23:59'}:59.999`;
  const moment = new Date(edge === 'from' ? start : end);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace('.000Z', 'Z');
}

/** The text in the address as a user reads it: `2026-11-20 14:30`. */
export const momentText = (typed: string): string => typed.replace('T', ' ');

/** Rejects a day that its month does not have, which `Date` would read as a day of the next month. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
}
