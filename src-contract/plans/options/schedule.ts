/** @file The options for when a plan is due: one flag for each kind of schedule, and the form of its value. */
import type { ValueFlag } from '../../options.ts';
import type { ScheduleDraft } from '../plan.ts';

export type ScheduleKind = ScheduleDraft['kind'];
/** A schedule without its time zone, which is a separate option. */
export type ScheduleTimes<Kind extends ScheduleKind = ScheduleKind> = {
  [One in Kind]: Omit<Extract<ScheduleDraft, { kind: One }>, 'timeZone'>;
}[Kind];

/** Monday is first, as in ISO 8601, where it is 1. */
export const weekdayWords = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

type ScheduleOptions = {
  [Kind in ScheduleKind]: ValueFlag & { format: (times: ScheduleTimes<Kind>) => string };
};

/** The options in the order of the help. Each flag has the name of its kind. */
export const scheduleOptions: ScheduleOptions = {
  daily: {
    flag: 'daily',
    placeholder: 'time',
    help: 'every day at this time, for example 02:30',
    format: ({ at }) => at,
  },
  hourly: {
    flag: 'hourly',
    placeholder: 'minute',
    help: 'every hour at this minute',
    format: ({ minute }) => String(minute),
  },
  weekly: {
    flag: 'weekly',
    placeholder: 'days@time',
    help: 'on these days, for example mon-fri@22:00 or sat,sun@04:00',
    format: ({ weekdays, at }) => `${weekdays.map((day) => weekdayWords[day - 1]).join(',')}@${at}`,
  },
  monthly: {
    flag: 'monthly',
    placeholder: 'day@time',
    help: 'on this day of the month or the last one, for example 1@03:00 or last@03:00',
    format: ({ day, at }) => `${day}@${at}`,
  },
  cron: {
    flag: 'cron',
    placeholder: 'expression',
    help: 'minute, hour, day of month, month, day of week: "30 2 * * 1-5"',
    format: ({ expression }) => expression,
  },
};
export const scheduleKinds = Object.keys(scheduleOptions) as ScheduleKind[];

export const timeZoneOption = { flag: 'time-zone', placeholder: 'zone', help: 'for example Europe/Berlin' };

/** Returns the flag of a schedule with its value. */
export function scheduleArguments(schedule: ScheduleTimes): [flag: string, value: string] {
  const { flag, format } = scheduleOptions[schedule.kind] as ScheduleOptions['daily'];
  return [flag, format(schedule as ScheduleTimes<'daily'>)];
}
