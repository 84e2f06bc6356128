/**
 * @file Computes when a schedule is due. A time of day that daylight saving skips is due at the next valid time. A time
 * of day that occurs twice is due the first time. Pure.
 */
import { Cron } from 'croner';
import { AppError } from '../../../src-contract/errors.ts';
import type { Schedule } from '../../../src-contract/plans/plan.ts';

/** Returns the newest due time that is not after `now`, in epoch milliseconds; null if there was none. */
export function latestDue(schedule: Schedule, now: number): number | null {
  // Due times are whole seconds, and croner returns only times before the reference.
  const reference = new Date((Math.floor(now / 1000) + 1) * 1000);
  const found = cronsOf(schedule).flatMap((cron) => cron.previousRuns(1, reference));
  return found.length === 0 ? null : Math.max(...found.map((due) => due.getTime()));
}

/** Returns the first due time after `instant`, in epoch milliseconds; null if none will come. */
export function nextDue(schedule: Schedule, instant: number): number | null {
  const found = cronsOf(schedule).flatMap((cron) => cron.nextRun(new Date(instant)) ?? []);
  return found.length === 0 ? null : Math.min(...found.map((due) => due.getTime()));
}

/** Returns the first due times after `instant`, soonest first; fewer if no more will come. */
export function nextDueTimes(schedule: Schedule, instant: number, count: number): number[] {
  const times: number[] = [];
  for (let due = nextDue(schedule, instant); due !== null; due = nextDue(schedule, due)) {
    times.push(due);
    if (times.length === count) break;
  }
  return times;
}

/** Throws `invalid-input` with a sentence for an invalid schedule, or one that is never due after `now`. */
export function assertValidSchedule(schedule: Schedule, now: number): void {
  const refuse = (sentence: string, cause?: unknown): never => {
    throw new AppError('invalid-input', sentence, { details: { parameter: 'schedule' }, cause });
  };
  if (schedule.kind === 'cron' && schedule.expression.split(/\s+/).length !== 5) {
    refuse(
      'A cron expression has five fields: minute, hour, day of month, month and day of week, for example "30 2 * * 1-5".',
    );
  }
  let due: number | null = null;
  try {
    due = nextDue(schedule, now);
  } catch (thrown) {
    if (schedule.kind !== 'cron') throw thrown;
    refuse(`"${schedule.expression}" is not a cron expression: ${reasonOf(thrown)}.`, thrown);
  }
  if (due === null) refuse('This schedule is never due: no future day matches it.');
}

function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replace(/^CronPattern: /, '').replace(/\.$/, '');
}

function cronsOf(schedule: Schedule): Cron[] {
  return patternsOf(schedule).map(
    (pattern) =>
      // A list of times of day is treated like a single time; see the head of the file.
      new Cron(pattern, { timezone: schedule.timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard' }),
  );
}

function patternsOf(schedule: Schedule): string[] {
  switch (schedule.kind) {
    case 'hourly':
      return [`${schedule.minute} * * * *`];
    case 'daily':
      return [`${timeOf(schedule.at)} * * *`];
    case 'weekly':
      return [`${timeOf(schedule.at)} * * ${schedule.weekdays.join(',')}`];
    case 'monthly': {
      const time = timeOf(schedule.at);
      if (schedule.day <= 28) return [`${time} ${schedule.day} * *`];
      if (schedule.day === 31) return [`${time} L * *`];
      return [`${time} ${schedule.day} 1,3-12 *`, `${time} L 2 *`];
    }
    case 'cron':
      return [schedule.expression];
  }
}

function timeOf(at: string): string {
  const [hour, minute] = at.split(':').map(Number);
  return `${minute ?? 0} ${hour ?? 0}`;
}

/** Returns when each of the last `count` days of a zone began, oldest first, in epoch milliseconds. */
export function dayStarts(timeZone: string, now: number, count: number): number[] {
  const reference = new Date((Math.floor(now / 1000) + 1) * 1000);
  return new Cron('0 0 * * *', { timezone: timeZone, mode: '5-part' })
    .previousRuns(count, reference)
    .map((start) => start.getTime())
    .sort((a, b) => a - b);
}
