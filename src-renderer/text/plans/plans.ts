/** @file Words of plans: what one backs up, when, how long archives are kept, and how it went. */
import type { Scope } from '../../../src-preload/contract/projects/scope.ts';
import type { CallReply } from '../../../src-preload/contract/calls.ts';
import type {
  PlanDay,
  Retention,
  RetentionReason,
  Schedule,
  Selection,
} from '../../../src-preload/contract/plans/plan.ts';
import {
  retentionPeriods,
  type RetentionPeriod,
} from '../../../src-preload/contract/plans/retention-periods.ts';
import { formatClockIn, formatDate, formatDayIn, formatNumber, formatTimeIn } from '../../ui/format.ts';
import { common } from '../frame/common.ts';
import { runOutcomeText } from '../frame/states.ts';

const and = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Monday first, as ISO 8601 counts from 1. */
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export const shortWeekday = (weekday: number): string => (weekdayNames[weekday - 1] ?? '').slice(0, 3);

/** A day that not every month has. */
const lastDay = (day: number): string => (day > 28 ? ' (or the last one)' : '');

function rhythm(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'hourly':
      return `hourly at minute ${schedule.minute}`;
    case 'daily':
      return `daily at ${schedule.at}`;
    case 'weekly':
      return `every ${and.format([...schedule.weekdays].sort((one, other) => one - other).map(shortWeekday))} at ${schedule.at}`;
    case 'monthly':
      return `monthly on day ${schedule.day}${lastDay(schedule.day)} at ${schedule.at}`;
    case 'cron':
      return `at “${schedule.expression}”`;
  }
}

/** “daily at 02:30 Europe/Berlin”. */
export const scheduleWords = (schedule: Schedule): string => `${rhythm(schedule)} ${schedule.timeZone}`;

type Rule = Extract<Selection, { kind: 'rule' }>;

/** Each condition that is set, as words that stand behind “projects”. */
function conditions(rule: Rule): string[] {
  const said: (string | null)[] = [
    rule.group === null ? null : `in ${rule.group}`,
    rule.name === null ? null : `called ${rule.name}`,
    rule.topic === null ? null : `with the topic ${rule.topic}`,
    rule.visibility === null ? null : `that are ${rule.visibility}`,
    rule.markedArchived === null
      ? null
      : rule.markedArchived
        ? 'marked as archived'
        : 'not marked as archived',
    rule.activeWithinDays === null ? null : `active within ${counted(rule.activeWithinDays, 'day', 'days')}`,
    rule.starred === null ? null : rule.starred ? 'with my star' : 'without my star',
    rule.owned === null ? null : rule.owned ? 'that I own' : 'that I do not own',
  ];
  return said.filter((words) => words !== null);
}

const scopeWords: Record<Scope, string> = {
  member: 'all projects that the account is a member of and may export',
  owned: 'all projects that the account owns',
  visible: 'all projects that the account sees and may export',
};
const ofScope: Record<Scope, string> = {
  member: 'projects',
  owned: 'owned projects',
  visible: 'visible projects',
};

/** “projects in atlas, active within 30 days, except atlas/old”. */
export function selectionWords(selection: Selection): string {
  switch (selection.kind) {
    case 'all':
      return scopeWords[selection.scope];
    case 'projects': {
      const [first, second] = selection.projects;
      if (first !== undefined && second === undefined) return first.fullPath;
      return `${common.projects(selection.projects.length)} that were chosen`;
    }
    case 'rule': {
      const said = conditions(selection);
      const of =
        said.length === 0 ? scopeWords[selection.scope] : `${ofScope[selection.scope]} ${said.join(', ')}`;
      const { except } = selection;
      if (except.length === 0) return of;
      return `${of}, except ${except.length > 2 ? `${except.length} that are named` : and.format(except)}`;
    }
  }
}

const periodWords: Record<RetentionPeriod, [one: string, many: string]> = {
  hourly: ['hour', 'hours'],
  daily: ['day', 'days'],
  weekly: ['week', 'weeks'],
  monthly: ['month', 'months'],
  yearly: ['year', 'years'],
};

/** “keeps the newest 7 and one per month for 12 months”. */
export function retentionWords(retention: Retention): string {
  const said: string[] = [];
  if (retention.keepLast !== null) {
    said.push(retention.keepLast === 1 ? 'the newest' : `the newest ${formatNumber(retention.keepLast)}`);
  }
  if (retention.withinDays !== null) {
    said.push(`everything of the last ${counted(retention.withinDays, 'day', 'days')}`);
  }
  for (const period of retentionPeriods) {
    const [one, many] = periodWords[period];
    const kept = retention[period];
    if (kept !== null) said.push(`one per ${one} for ${counted(kept, one, many)}`);
  }
  return said.length === 0 ? 'keeps all archives' : `keeps ${and.format(said)}`;
}

export const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Why an archive stays or goes. */
export const reasonText: Record<RetentionReason, string> = {
  'among-newest': 'One of the newest.',
  recent: 'Stored within the days that are kept whole.',
  hourly: 'The last one of its hour.',
  daily: 'The last one of its day.',
  weekly: 'The last one of its week.',
  monthly: 'The last one of its month.',
  yearly: 'The last one of its year.',
  'more-complete': 'Its contents are better than those of the newer archives that would take its place.',
  'more-proven': 'More of it is proven than of the newer archives that would take its place.',
  'no-limit': 'Nothing limits how many are kept.',
  pinned: 'It is pinned.',
  'in-use': 'It is being read right now.',
  'dated-ahead': 'It is dated in the future, so its age is not known.',
  'taken-in': 'It was adopted less than 30 days ago.',
  elsewhere: 'It stands in another folder than the archives of this plan.',
  'other-plan': 'Another plan for this project keeps it.',
  'newest-readable': 'The newest one that can be read always stays.',
  'newest-not-readable': 'The newest archive cannot be read, so nothing of the project goes.',
  'newest-damaged': 'The newest archive is damaged, so nothing of the project goes.',
  'newest-shrank': 'The newest archive is suspiciously small, so nothing of the project goes.',
  'beyond-limits': 'No limit keeps it.',
};

/** `overdue`: what was due last has not begun. */
export type DayOutcome = Exclude<PlanDay['outcome'], null> | 'overdue';

export const dayOutcomeText: Record<DayOutcome, string> = {
  ...runOutcomeText,
  missed: 'Missed',
  overdue: 'Overdue',
};

type Forecast = NonNullable<CallReply<'plan.forecast'>['forecast']>;

/** The end of a span, without the day where it is that of its beginning. */
const until = (from: string, to: string, timeZone: string): string =>
  formatDayIn(from, timeZone) === formatDayIn(to, timeZone)
    ? formatClockIn(to, timeZone)
    : formatTimeIn(to, timeZone);

export const forecastText = {
  show: 'Forecast of the next run',
  asking: (instance: string) => `Asking ${instance} which projects there are…`,
  none: 'It would back up no project now.',
  unknown: (count: number, instance: string) =>
    `${common.projects(count)}. How long they take is not known yet: nothing of ${instance} was backed up before.`,
  /** “About 1,000 projects, from Sat, 21 Nov 2026, 02:30 to about 05:10 (Europe/Berlin).” */
  span: (count: number, { startsAt, endsAt }: Forecast, timeZone: string) =>
    `${common.projects(count)}, from ${formatTimeIn(startsAt, timeZone)} to about ${until(startsAt, endsAt, timeZone)} (${timeZone}).`,
  here: (startsAt: string) => `Here it begins ${startsAt}.`,
  guessed: (count: number) =>
    `${common.projects(count)} ${count === 1 ? 'was' : 'were'} never backed up before; the usual time is assumed.`,
  table: (plan: string) => `When the projects of ${plan} are expected`,
  columns: { project: 'Project', starts: 'Begins', ends: 'Stored about' },
  more: (count: number) => `and ${formatNumber(count)} more`,
  until,
} as const;

export const plansText = {
  subtitle: 'What is backed up, when, and how long archives are kept.',
  add: 'Add a plan…',
  list: 'Plans',
  emptyTitle: 'There is no plan yet',
  emptyText: 'A plan backs up projects by itself, as often as you like, and clears away old archives.',
  noInstanceTitle: 'No instance is added',
  noInstanceText: 'A plan backs up projects of an instance. Add one first.',
  addInstance: 'Add an instance…',
  fires:
    'Plans fire while Packhorse runs: this window, “packhorse serve” or “packhorse daemon”. What was missed is made up for once.',

  next: 'Next run',
  last: 'Last run',
  backsUp: 'Backs up',
  when: 'When',
  keeps: 'Archives',
  noRunYet: 'None yet',
  overdue: 'Overdue',
  overdueSince: 'Was due',
  here: (time: string) => `here ${time}`,
  off: 'Switched off',
  pausedUntil: (day: string) => `Paused until ${day}`,
  pausedOpen: 'Paused until it is resumed',
  skips: 'Passes over',
  skipUnchangedShort: 'what has not changed is passed over',
  root: 'Archive folder',

  run: 'Run now',
  ran: (plan: string, jobs: number) =>
    jobs === 0 ? `${plan} found nothing to back up.` : `${plan} runs, with ${common.jobs(jobs)}.`,
  cancelRun: 'Cancel the run',
  cancelledBy: 'the window',
  beginning: 'Beginning',
  /** `took` null: less than a minute. */
  beginningFor: (took: string | null) =>
    `The program before the run has been running for ${took ?? 'less than a minute'}`,
  beginningText: 'Projects are backed up once it has ended.',
  beginningEnds: 'The program before the run is being ended',
  beginningEndsText: 'It is given a few seconds. Nothing is backed up by this run.',
  cancelled: (plan: string) => `The run of ${plan} was given up before it began.`,
  didNotRun: 'Nothing was backed up',
  showRun: 'Show the run',
  follow: 'Follow it',
  pause: 'Pause…',
  resume: 'Resume',
  resumed: (plan: string) => `${plan} goes on.`,
  skipNext: 'Skip the next run',
  skipped: (plan: string) => `${plan} passes its next run over.`,
  unskip: 'Do not skip it',
  unskipped: (plan: string) => `${plan} runs as scheduled again.`,
  edit: 'Edit…',
  switchOff: 'Switch off',
  switchOn: 'Switch on',
  switchedOff: (plan: string) => `${plan} is switched off.`,
  switchedOn: (plan: string) => `${plan} is switched on.`,
  remove: 'Remove…',
  more: (plan: string) => `More about ${plan}`,
  actionsOf: (plan: string) => `What can be done with ${plan}`,

  removeTitle: (plan: string) => `Remove the plan ${plan}`,
  removeText:
    'It fires no more. Archives that it made stay where they are, and count among those of plans that remain for the same projects and folder.',
  removeConfirm: 'Remove the plan',
  removed: (plan: string) => `The plan ${plan} is removed.`,

  pauseAll: 'Pause all…',
  resumeAll: 'Resume all',
  resumedAll: 'All plans go on.',
  pauseTitle: (plan: string | null) => (plan === null ? 'Pause all plans' : `Pause ${plan}`),
  pauseText: 'Nothing is started meanwhile. Afterwards, what was due is made up for once.',
  pauseHow: 'For how long',
  pauseOpen: 'Until it is resumed',
  pauseDate: 'Until a day',
  pauseDay: 'It goes on on',
  pauseDayWrong: 'Give a day after today.',
  pauseConfirm: 'Pause',
  pausedDone: (plan: string | null) => (plan === null ? 'All plans are paused.' : `${plan} is paused.`),

  strip: (plan: string) => `The last days of ${plan}`,
  day: (date: string, outcome: DayOutcome | null) =>
    `${formatDate(date)}: ${outcome === null ? 'nothing was due' : dayOutcomeText[outcome].toLowerCase()}`,
  legend: 'What the days mean',

  compactNone: 'Not backed up by a plan',
  show: 'Plans',
} as const;
