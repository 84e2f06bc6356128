/**
 * @file Formats sizes, numbers and times. Without a `locale`, the window's language is used. Formatters are cached,
 * because creating one costs more than drawing a row of a table.
 */
import { dayMs } from '../../src-contract/bounds.ts';
import { formatBytes } from '../../src-contract/words/sizes.ts';

const cache = new Map<string, unknown>();

function cached<Formatter>(key: string, make: () => Formatter): Formatter {
  const found = cache.get(key) as Formatter | undefined;
  if (found !== undefined) return found;
  const formatter = make();
  cache.set(key, formatter);
  return formatter;
}

export const formatRate = (bytesPerSecond: number): string => `${formatBytes(Math.round(bytesPerSecond))}/s`;

export const formatNumber = (value: number, locale?: string): string =>
  cached(`number ${locale}`, () => new Intl.NumberFormat(locale)).format(value);

/** Formats a share between 0 and 1 as a percentage without decimals. Shows 100 % only for a share of 1. */
export function formatPercent(share: number, locale?: string): string {
  const rounded = share < 1 ? Math.min(Math.floor(share * 100) / 100, 0.99) : 1;
  return cached(`percent ${locale}`, () => new Intl.NumberFormat(locale, { style: 'percent' })).format(
    rounded,
  );
}

/** A point in time: an ISO 8601 timestamp or epoch milliseconds. */
export type Moment = string | number;

/** `key` identifies the `options` among the cached formatters. */
function formatDateTime(
  key: string,
  moment: Moment,
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): string {
  const make = (): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale, options);
  return cached(`${key} ${locale}`, make).format(new Date(moment));
}

export const formatTime = (moment: Moment, locale?: string): string =>
  formatDateTime('time', moment, locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Local date and time to the second, for a log. */
export const formatExactTime = (moment: Moment, locale?: string): string =>
  formatDateTime('exact', moment, locale, { dateStyle: 'medium', timeStyle: 'medium' });

/** Weekday, date and time in `timeZone`. */
export const formatTimeIn = (moment: Moment, timeZone: string, locale?: string): string =>
  formatDateTime(`time in ${timeZone}`, moment, locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });

export const formatClockIn = (moment: Moment, timeZone: string, locale?: string): string =>
  formatDateTime(`clock in ${timeZone}`, moment, locale, { hour: '2-digit', minute: '2-digit', timeZone });

/** The day alone, `YYYY-MM-DD`, in `timeZone`. */
export const formatDayIn = (moment: Moment, timeZone: string): string =>
  cached(`day in ${timeZone}`, () => new Intl.DateTimeFormat('sv', { timeZone })).format(new Date(moment));

/**
 * Formats the moment like `formatTimeIn`, in the window's own zone. Returns null if the text is the same in `timeZone`.
 */
export function formatLocalTimeIfDifferent(moment: Moment, timeZone: string, locale?: string): string | null {
  const localZone = cached('zone', () => new Intl.DateTimeFormat()).resolvedOptions().timeZone;
  const localText = formatTimeIn(moment, localZone, locale);
  return localText === formatTimeIn(moment, timeZone, locale) ? null : localText;
}

/** Local date. A day without a time (`2026-11-20`) is the same day in every zone. */
export function formatDate(moment: Moment, locale?: string): string {
  const isDay = typeof moment === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(moment);
  return formatDateTime(`date ${isDay}`, moment, locale, {
    dateStyle: 'medium',
    ...(isDay && { timeZone: 'UTC' }),
  });
}

/** A local day in short: "today", "yesterday" (`isRelative`), "12 Nov", with the year if it is not the current one. */
export function formatDay(
  moment: Moment,
  now: number,
  locale?: string,
): { text: string; isRelative: boolean } {
  const at = new Date(moment);
  const today = new Date(now);
  const dayOf = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  const days = Math.round((dayOf(at) - dayOf(today)) / dayMs);
  if (days === 0 || days === -1) {
    const make = () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    return { text: cached(`day ${locale}`, make).format(days, 'day'), isRelative: true };
  }
  const yearOption = at.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  const key = `day ${Object.keys(yearOption).join()}`;
  return {
    text: formatDateTime(key, moment, locale, { day: 'numeric', month: 'short', ...yearOption }),
    isRelative: false,
  };
}

const units: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['week', 7 * dayMs],
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Relative time in the largest unit that fits: "3 hours ago", "in 5 minutes", "now". */
export function formatRelative(moment: Moment, now: number, locale?: string): string {
  const format = cached(
    `relative ${locale}`,
    () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' }),
  );
  const difference = new Date(moment).getTime() - now;
  const fit = units.find(([, ms]) => Math.abs(difference) >= ms);
  return fit === undefined
    ? format.format(0, 'second')
    : format.format(Math.trunc(difference / fit[1]), fit[0]);
}

/** A duration in its two largest units: "2 hr, 5 min", "40 sec". */
export function formatDuration(ms: number, locale?: string): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts: [number, 'day' | 'hour' | 'minute' | 'second'][] = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ];
  const largest = parts.findIndex(([value]) => value > 0);
  const first = largest === -1 ? parts.length - 1 : largest;
  const shown = parts.slice(first, first + 2).filter(([value], index) => value > 0 || index === 0);
  const words = shown.map(([value, unit]) =>
    cached(
      `duration ${unit} ${locale}`,
      () => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }),
    ).format(value),
  );
  return cached(`list ${locale}`, () => new Intl.ListFormat(locale, { type: 'unit', style: 'short' })).format(
    words,
  );
}
