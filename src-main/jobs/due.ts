/**
 * @file When a schedule is due: pure arithmetic over a time of day, a time zone and an instant. A time that daylight saving
 * skips is due at the next valid one, one that comes twice is due the first time.
 */
import { Cron } from 'croner';
import type { Plan } from '../../src-preload/contract/plan.ts';

type Schedule = Plan['schedule'];

/** Epoch milliseconds of the newest due time that is not after `now`. */
export function latestDue(schedule: Schedule, now: number): number {
  // Due times are whole seconds, and those asked for lie before the reference.
  const reference = new Date((Math.floor(now / 1000) + 1) * 1000);
  return existing(cronOf(schedule).previousRuns(1, reference)[0]);
}

/** Epoch milliseconds of the first due time after `instant`. */
export function nextDue(schedule: Schedule, instant: number): number {
  return existing(cronOf(schedule).nextRun(new Date(instant)));
}

function cronOf({ at, timeZone }: Schedule): Cron {
  const [hour, minute] = at.split(':').map(Number);
  return new Cron(`${minute ?? 0} ${hour ?? 0} * * *`, { timezone: timeZone, mode: '5-part' });
}

/** Every day has its due time. */
function existing(due: Date | null | undefined): number {
  if (due === null || due === undefined) throw new RangeError('A daily schedule without a due time');
  return due.getTime();
}
