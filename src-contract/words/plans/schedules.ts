/** @file The words for when a plan runs. */
import type { Schedule } from '../../plans/plan.ts';

/** Monday is first, as in ISO 8601, where it is 1. */
const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Returns the short name of a weekday, from 1 (Monday) to 7. */
export const weekdayText = (weekday: number): string => weekdayNames[weekday - 1] ?? '';

/** Returns for example "daily at 02:30 Europe/Berlin". */
export const scheduleText = (schedule: Schedule): string => `${timesText(schedule)} ${schedule.timeZone}`;

function timesText(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'hourly':
      return `hourly at minute ${schedule.minute}`;
    case 'daily':
      return `daily at ${schedule.at}`;
    case 'weekly':
      return `every ${weekdaysText(schedule.weekdays)} at ${schedule.at}`;
    case 'monthly':
      return `monthly on ${dayText(schedule.day)} at ${schedule.at}`;
    case 'cron':
      return `by cron “${schedule.expression}”`;
  }
}

/** Returns the weekdays as a list; three or more days in a row become a range. */
function weekdaysText(weekdays: readonly number[]): string {
  const days = weekdays.toSorted((a, b) => a - b);
  const [first = 1] = days;
  const last = days.at(-1) ?? first;
  if (days.length > 2 && last - first === days.length - 1)
    return `${weekdayText(first)}–${weekdayText(last)}`;
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(days.map(weekdayText));
}

function dayText(day: number): string {
  if (day === 31) return 'the last day';
  return `day ${day}${day > 28 ? ' (or the last one)' : ''}`;
}
