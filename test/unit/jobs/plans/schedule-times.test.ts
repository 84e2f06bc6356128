import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as due from '../../../../src-main/jobs/plans/schedule-times.ts';
import type { Schedule } from '../../../../src-contract/plans/plan.ts';

const latestDue = (schedule: Schedule, now: number): number => due.latestDue(schedule, now) ?? NaN;
const nextDue = (schedule: Schedule, instant: number): number => due.nextDue(schedule, instant) ?? NaN;

const dayMs = 86_400_000;
const halfHourMs = 1_800_000;
const daily = (at: string, timeZone: string) => ({ kind: 'daily' as const, at, timeZone });
const timeOf = (minuteOfDay: number): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`;
};

/** Returns the local time at every half hour, as `2026-03-29 03:00`. */
function localTimes(timeZone: string, from: number, to: number): { at: number; day: string; time: string }[] {
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return Array.from({ length: (to - from) / halfHourMs }, (_, index) => {
    const at = from + index * halfHourMs;
    const [day = '', time = ''] = wall.format(at).split(' ');
    return { at, day, time };
  });
}

describe('a daily schedule', () => {
  it.each([
    ['is due at its time of day', '02:30', 'Europe/Berlin', '2026-01-10T00:00:00Z', '2026-01-10T01:30:00Z'],
    [
      'is due the next day if its time has passed',
      '02:30',
      'UTC',
      '2026-01-10T02:30:00Z',
      '2026-01-11T02:30:00Z',
    ],
    // 2026-03-29 01:00Z: 02:00 becomes 03:00.
    [
      'with a skipped time is due at the next valid time',
      '02:30',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00Z',
    ],
    [
      'is due at its own time again on the day after a skipped time',
      '02:30',
      'Europe/Berlin',
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:30:00Z',
    ],
    [
      'with a skipped time is due at the next valid time',
      '02:30',
      'America/New_York',
      '2026-03-07T12:00:00Z',
      '2026-03-08T07:00:00Z',
    ],
    // 2026-10-25 01:00Z: 03:00 becomes 02:00.
    [
      'with a repeated time is due the first time',
      '02:30',
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:30:00Z',
    ],
    [
      'with a repeated time is not due the second time',
      '02:30',
      'Europe/Berlin',
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ],
    [
      'with a repeated time is not due the second time',
      '01:30',
      'America/New_York',
      '2026-11-01T05:30:00Z',
      '2026-11-02T06:30:00Z',
    ],
  ])('%s (%s %s)', (_rule, at, timeZone, after, expected) => {
    const next = nextDue(daily(at, timeZone), Date.parse(after));
    expect(new Date(next).toISOString()).toBe(new Date(expected).toISOString());
  });

  it('is due exactly at its millisecond and not one earlier', () => {
    const schedule = daily('12:00', 'UTC');
    const noon = Date.UTC(2026, 10, 20, 12);
    expect(latestDue(schedule, noon)).toBe(noon);
    expect(latestDue(schedule, noon + 999)).toBe(noon);
    expect(latestDue(schedule, noon - 1)).toBe(noon - dayMs);
    expect(nextDue(schedule, noon - 1)).toBe(noon);
    expect(nextDue(schedule, noon)).toBe(noon + dayMs);
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'is due once a day in %s, at the first time that is its time of day or later',
    (timeZone) => {
      const times = localTimes(timeZone, Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1));
      for (const at of ['00:00', '01:30', '02:00', '02:30', '03:00']) {
        const byDay = new Map<string, number>();
        for (const local of times)
          if (local.time >= at && !byDay.has(local.day)) byDay.set(local.day, local.at);
        // The first day is incomplete.
        const expected = [...byDay.values()].slice(1);
        const found: number[] = [];
        for (let last = (expected[0] ?? 0) - 1; found.length < expected.length;) {
          last = nextDue(daily(at, timeZone), last);
          found.push(last);
        }
        expect(expected.length).toBeGreaterThan(725);
        expect(found, at).toEqual(expected);
      }
    },
  );
});

const timeOfDay = fc.integer({ min: 0, max: 24 * 60 - 1 }).map(timeOf);
const timeZone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kolkata',
  'UTC',
);
const anySchedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.record({ kind: fc.constant('hourly'), minute: fc.integer({ min: 0, max: 59 }), timeZone }),
  fc.record({ kind: fc.constant('daily'), at: timeOfDay, timeZone }),
  fc.record({
    kind: fc.constant('weekly'),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    at: timeOfDay,
    timeZone,
  }),
  fc.record({
    kind: fc.constant('monthly'),
    day: fc.integer({ min: 1, max: 31 }),
    at: timeOfDay,
    timeZone,
  }),
  fc.record({
    kind: fc.constant('cron'),
    expression: fc.constantFrom(
      '30 2,14 * * *',
      '*/20 1-3 * * 1-5',
      '0 0 29 2 *',
      '15 3 1 1 *',
      '5 2 * * SUN',
    ),
    timeZone,
  }),
);

it('any schedule has the same due times forward and backward from any instant of two years', () => {
  const start = Date.UTC(2026, 0, 1);
  fc.assert(
    fc.property(anySchedule, fc.integer({ min: start, max: start + 730 * dayMs }), (schedule, now) => {
      const latest = latestDue(schedule, now);
      const next = nextDue(schedule, now);
      expect(latest).toBeLessThanOrEqual(now);
      expect(next).toBeGreaterThan(now);
      expect(nextDue(schedule, latest)).toBe(next);
      expect(latestDue(schedule, next)).toBe(next);
      expect(latestDue(schedule, next - 1)).toBe(latest);
    }),
    { numRuns: 2_000 },
  );
});
