/** @file Determines the hour, day, week, month and year of a time in a time zone. Weeks are those of ISO 8601. Pure. */
import { dayMs } from '../../src-contract/bounds.ts';
import type { RetentionPeriod } from '../../src-contract/plans/retention-periods.ts';

/** Creating a format takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone);
  if (cached !== undefined) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

/** Returns a name for each period that contains `at` (epoch milliseconds); equal names mean the same period. */
export function periodsOf(at: number, timeZone: string): Record<RetentionPeriod, string> {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((entry) => entry.type === type)?.value);
  const [year, month, day, hour] = [part('year'), part('month'), part('day'), part('hour')];
  const date = Date.UTC(year, month - 1, day);
  const wallTime = date + hour * 3_600_000 + part('minute') * 60_000 + part('second') * 1_000;
  // An hour that daylight saving repeats counts as two.
  const offset = wallTime - Math.floor(at / 1_000) * 1_000;
  return {
    hourly: `${date} ${hour} ${offset}`,
    daily: String(date),
    // The epoch began on a Thursday.
    weekly: String(Math.floor((date / dayMs + 3) / 7)),
    monthly: `${year}-${month}`,
    yearly: String(year),
  } satisfies Record<RetentionPeriod, string>;
}
