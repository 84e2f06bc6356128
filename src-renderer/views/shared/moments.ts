/**
 * @file The times of a filter. The address holds a day and perhaps a time of day, as the clock of this machine shows them; the
 * instance gets the moment in UTC. Pure.
 */

const form = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?$/;

/**
 * Returns the first moment of what was chosen, for `until` the last one: a day and a minute are meant whole. Undefined: it is no
 * day or time.
 */
export function momentOf(typed: string, edge: 'from' | 'until'): string | undefined {
  const [, day, time] = form.exec(typed) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const start = `${day}T${time ?? '00:00'}:00`;
  const end = `${day}T${time ?? '23:59'}:59.999`;
  const moment = new Date(edge === 'from' ? start : end);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace('.000Z', 'Z');
}

/** `2026-11-20 14:30`, as a person reads what the address holds. */
export const momentSaid = (typed: string): string => typed.replace('T', ' ');

/** A day that its month does not have is moved to the next month where it is read. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
}
