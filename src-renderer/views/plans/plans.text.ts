/** @file Texts of plans: projects, schedule, retention and past runs. */
import type { CallReply } from '../../../src-contract/calls.ts';
import type { PlanDay } from '../../../src-contract/plans/plan.ts';
import { runOutcomeText } from '../../../src-contract/words/states.ts';
import { formatClockIn, formatDate, formatDayIn, formatNumber, formatTimeIn } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';

/** `overdue`: the last due run has not started. */
export type DayOutcome = Exclude<PlanDay['outcome'], null> | 'overdue';

export const dayOutcomeText: Record<DayOutcome, string> = {
  ...runOutcomeText,
  missed: 'Missed',
  overdue: 'Overdue',
};

type Forecast = NonNullable<CallReply<'plan.forecast'>['forecast']>;

const until = (from: string, to: string, timeZone: string): string =>
  formatDayIn(from, timeZone) === formatDayIn(to, timeZone)
    ? formatClockIn(to, timeZone)
    : formatTimeIn(to, timeZone);

export const forecastText = {
  show: 'Forecast of the next run',
  listing: (instance: string) => `Listing the projects on ${instance}…`,
  none: 'The plan would back up no project now.',
  unknown: (count: number, instance: string) =>
    `${common.projects(count)}. The duration is unknown: nothing on ${instance} was backed up before.`,
  /** “About 1,000 projects, from Sat, 21 Nov 2026, 02:30 to about 05:10 (Europe/Berlin).” */
  span: (count: number, { startsAt, endsAt }: Forecast, timeZone: string) =>
    `${common.projects(count)}, from ${formatTimeIn(startsAt, timeZone)} to about ${until(startsAt, endsAt, timeZone)} (${timeZone}).`,
  localStart: (startsAt: string) => `Local start: ${startsAt}.`,
  guessed: (count: number) =>
    `${common.projects(count)} ${count === 1 ? 'was' : 'were'} never backed up; the usual duration is assumed.`,
  table: (plan: string) => `Forecast for the projects of ${plan}`,
  columns: { project: 'Project', starts: 'Starts', ends: 'Stored at about' },
  more: (count: number) => `and ${formatNumber(count)} more`,
  until,
} as const;

export const plansText = {
  subtitle: 'Automatic backups: which projects, when, and how long archives are kept.',
  add: 'Add a plan…',
  list: 'Plans',
  emptyTitle: 'No plans yet',
  emptyText: 'A plan backs up projects automatically, as often as you like, and removes old archives.',
  noInstanceTitle: 'No instance is added',
  noInstanceText: 'A plan backs up projects of an instance. Add one first.',
  addInstance: 'Add an instance…',
  appMustRun:
    'Plans run only while this window, “packhorse serve” or “packhorse daemon” runs. One run makes up for missed runs.',

  next: 'Next run',
  last: 'Last run',
  backsUp: 'Backs up',
  when: 'When',
  keeps: 'Archives',
  noRunYet: 'None yet',
  overdue: 'Overdue',
  overdueSince: 'Was due',
  localTime: (time: string) => `here ${time}`,
  off: 'Switched off',
  pausedUntil: (day: string) => `Paused until ${day}`,
  pausedOpen: 'Paused until it is resumed',
  skips: 'Skips',
  root: 'Archive folder',

  run: 'Run now',
  started: (plan: string, jobs: number) =>
    jobs === 0 ? `${plan} found nothing to back up.` : `${plan} started with ${common.jobs(jobs)}.`,
  cancelRun: 'Cancel the run',
  beginning: 'Starting',
  /** `duration` is null for less than a minute. */
  hookRunningFor: (duration: string | null) =>
    `The program before the run has been running for ${duration ?? 'less than a minute'}`,
  hookRunningText: 'Projects are backed up once the program has ended.',
  hookStopping: 'The program before the run is being stopped',
  hookStoppingText: 'The program has a few seconds to stop. This run backs up nothing.',
  cancelled: (plan: string) => `The run of ${plan} was cancelled before it started.`,
  didNotRun: 'Nothing was backed up',
  showRun: 'Show the run',
  follow: 'Follow it',
  pause: 'Pause…',
  resume: 'Resume',
  resumed: (plan: string) => `${plan} is resumed.`,
  skipNext: 'Skip the next run',
  skipped: (plan: string) => `${plan} skips its next run.`,
  unskip: 'Do not skip it',
  unskipped: (plan: string) => `${plan} runs as scheduled again.`,
  edit: 'Edit…',
  switchOff: 'Switch off',
  switchOn: 'Switch on',
  switchedOff: (plan: string) => `${plan} is switched off.`,
  switchedOn: (plan: string) => `${plan} is switched on.`,
  remove: 'Remove…',
  more: (plan: string) => `More about ${plan}`,
  actionsOf: (plan: string) => `Actions for ${plan}`,

  removeTitle: (plan: string) => `Remove the plan ${plan}`,
  removeText:
    'The plan no longer runs. Its archives are kept, but other plans for these projects and folder may remove them.',
  removeConfirm: 'Remove the plan',
  removed: (plan: string) => `The plan ${plan} is removed.`,

  pauseAll: 'Pause all…',
  resumeAll: 'Resume all',
  resumedAll: 'All plans are resumed.',
  pauseTitle: (plan: string | null) => (plan === null ? 'Pause all plans' : `Pause ${plan}`),
  pauseText: 'No run starts during the pause. Afterwards, one run makes up for all missed runs.',
  pauseHow: 'For how long',
  pauseOpen: 'Until it is resumed',
  pauseDate: 'Until a day',
  pauseDay: 'Resumes on',
  pauseDayWrong: 'Enter a day after today.',
  pauseConfirm: 'Pause',
  paused: (plan: string | null) => (plan === null ? 'All plans are paused.' : `${plan} is paused.`),

  strip: (plan: string) => `The last days of ${plan}`,
  day: (date: string, outcome: DayOutcome | null) =>
    `${formatDate(date)}: ${outcome === null ? 'nothing was due' : dayOutcomeText[outcome].toLowerCase()}`,
  legend: 'What the days mean',

  noPlan: 'Not backed up by a plan',
  show: 'Plans',
} as const;
