import { describe, expect, it } from 'vitest';
import { dayStarts, assertValidSchedule, nextDueTimes } from '../../../src-main/jobs/plans/schedule-times.ts';
import type { Schedule } from '../../../src-contract/plans/plan.ts';

/** The next due times after an instant, as `2026-03-29 01:00` in UTC. */
const dues = (schedule: Schedule, after: string, count: number): string[] =>
  nextDueTimes(schedule, Date.parse(after), count).map((due) =>
    new Date(due).toISOString().slice(0, 16).replace('T', ' '),
  );

const hourly = (minute: number, timeZone: string): Schedule => ({ kind: 'hourly', minute, timeZone });
const daily = (at: string, timeZone: string): Schedule => ({ kind: 'daily', at, timeZone });
const weekly = (weekdays: number[], at: string, timeZone: string): Schedule => ({
  ...{ kind: 'weekly', weekdays },
  ...{ at, timeZone },
});
const monthly = (day: number, at: string, timeZone: string): Schedule => ({
  ...{ kind: 'monthly', day },
  ...{ at, timeZone },
});
const cron = (expression: string, timeZone = 'UTC'): Schedule => ({ kind: 'cron', expression, timeZone });

describe('due times across clock changes and calendar boundaries', () => {
  it.each<[string, Schedule, string, string[]]>([
    [
      'an hourly schedule is due in each real hour when one hour is skipped',
      hourly(15, 'Europe/Berlin'),
      '2026-03-29T00:00Z',
      ['2026-03-29 00:15', '2026-03-29 01:15', '2026-03-29 02:15'],
    ],
    [
      'an hourly schedule is due in each real hour when one hour repeats',
      hourly(15, 'America/New_York'),
      '2026-11-01T05:00Z',
      ['2026-11-01 05:15', '2026-11-01 06:15', '2026-11-01 07:15'],
    ],
    [
      'an hourly schedule is due whenever the local clock shows its minute, even when the clock shifts by half an hour',
      hourly(45, 'Australia/Lord_Howe'),
      '2026-04-04T13:50Z',
      ['2026-04-04 14:45', '2026-04-04 15:15', '2026-04-04 16:15'],
    ],
    [
      'a time of day in a skipped half hour is due at the end of that half hour',
      daily('02:15', 'Australia/Lord_Howe'),
      '2026-10-03T00:00Z',
      ['2026-10-03 15:30', '2026-10-04 15:15'],
    ],
    [
      'a time of day in a repeated half hour is due the first time',
      daily('01:45', 'Australia/Lord_Howe'),
      '2026-04-03T20:00Z',
      ['2026-04-04 14:45', '2026-04-05 15:15'],
    ],
    [
      'a weekly schedule in a skipped hour is due at the end of that hour',
      weekly([1, 7], '02:30', 'America/New_York'),
      '2026-03-07T00:00Z',
      ['2026-03-08 07:00', '2026-03-09 06:30', '2026-03-15 06:30'],
    ],
    [
      'a weekly schedule continues across the end of the year',
      weekly([5], '23:59', 'UTC'),
      '2026-12-20T00:00Z',
      ['2026-12-25 23:59', '2027-01-01 23:59'],
    ],
    [
      'the 31st is the last day of each month, including February of a leap year',
      monthly(31, '02:30', 'UTC'),
      '2027-12-30T00:00Z',
      ['2027-12-31 02:30', '2028-01-31 02:30', '2028-02-29 02:30', '2028-03-31 02:30', '2028-04-30 02:30'],
    ],
    [
      'the 30th means the last day of the month only in February',
      monthly(30, '02:30', 'Europe/Berlin'),
      '2027-01-31T00:00Z',
      ['2027-02-28 01:30', '2027-03-30 00:30', '2027-04-30 00:30'],
    ],
    [
      'the 29th is the 29th of February in a leap year',
      monthly(29, '12:00', 'UTC'),
      '2028-01-30T00:00Z',
      ['2028-02-29 12:00', '2028-03-29 12:00'],
    ],
    [
      'a list of times in a cron expression handles clock changes like one fixed time',
      cron('30 2,14 * * *', 'Europe/Berlin'),
      '2026-03-28T20:00Z',
      ['2026-03-29 01:00', '2026-03-29 12:30', '2026-03-30 00:30'],
    ],
    [
      'a cron expression that is due on leap days waits for the next leap day',
      cron('0 0 29 2 *'),
      '2026-01-01T00:00Z',
      ['2028-02-29 00:00', '2032-02-29 00:00'],
    ],
  ])('%s', (_rule, schedule, after, expected) => {
    expect(dues(schedule, after, expected.length)).toEqual(expected);
  });
});

describe('a schedule to be saved', () => {
  const now = Date.UTC(2026, 10, 20);
  it.each<[string, Schedule, RegExp | null]>([
    ['must have five fields', cron('0 2 * *'), /has five fields/],
    ['must not have seconds', cron('0 0 2 * * *'), /has five fields/],
    ['must not be a nickname', cron('@midnight'), /has five fields/],
    ['must name minutes that exist', cron('60 2 * * *'), /"60 2 \* \* \*" is not a cron expression: .*60/],
    ['must be due some day', cron('0 0 31 2,4 *'), /never due/],
    ['may name days', cron('0 2 * JAN MON-FRI'), null],
    ['may be hourly', hourly(15, 'UTC'), null],
    ['may be daily', daily('02:30', 'UTC'), null],
    ['may be weekly', weekly([1, 7], '02:30', 'UTC'), null],
    ['may be monthly', monthly(31, '02:30', 'UTC'), null],
  ])('%s', (_rule, schedule, error) => {
    const check = (): void => {
      assertValidSchedule(schedule, now);
    };
    if (error === null) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({
          code: 'invalid-input',
          message: expect.stringMatching(error) as unknown,
        }),
      );
  });
});

it('each day starts at midnight in its time zone, or at the end of a skipped midnight hour, and no day is missing', () => {
  // In Cairo 2026-04-24 begins at 01:00.
  const starts = dayStarts('Africa/Cairo', Date.parse('2026-04-25T12:00Z'), 3);
  expect(starts.map((start) => new Date(start).toISOString())).toEqual([
    '2026-04-22T22:00:00.000Z',
    '2026-04-23T22:00:00.000Z',
    '2026-04-24T21:00:00.000Z',
  ]);
  expect(dayStarts('Australia/Lord_Howe', Date.parse('2026-11-20T00:00Z'), 366)).toHaveLength(366);
});
