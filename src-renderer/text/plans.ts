/** @file Words of plans: what one backs up, when, how long archives are kept, and how it went. */
import type { Schedule } from '../../src-preload/contract/plan.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Monday first, as ISO 8601 counts from 1. */
export const weekdayNames = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

const shortDay = (weekday: number): string => (weekdayNames[weekday - 1] ?? '').slice(0, 3);

function rhythm(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'hourly':
      return `hourly at minute ${schedule.minute}`;
    case 'daily':
      return `daily at ${schedule.at}`;
    case 'weekly':
      return `every ${list.format([...schedule.weekdays].sort((one, other) => one - other).map(shortDay))} at ${schedule.at}`;
    case 'monthly':
      return `monthly on day ${schedule.day} at ${schedule.at}`;
    case 'cron':
      return `at “${schedule.expression}”`;
  }
}

/** “daily at 02:30 Europe/Berlin”. */
export const scheduleWords = (schedule: Schedule): string => `${rhythm(schedule)} ${schedule.timeZone}`;
