/** @file Plans in words: when they run, what they back up, what they keep and what state they are in. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { Hook } from '../../../../src-contract/plans/hook.ts';
import {
  endlessPauseUntil,
  type Plan,
  type PlanStatus,
  type Schedule,
} from '../../../../src-contract/plans/plan.ts';
import { settingsText } from '../../../../src-contract/plans/options/settings.ts';
import { retentionLimits } from '../../../../src-contract/plans/retention-periods.ts';
import type { RunNote, RunOutcome } from '../../../../src-contract/runs/run.ts';
import { scopeText } from '../../../../src-contract/projects/scope.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { retentionSummary, retentionText } from '../../../../src-contract/words/plans/retention.ts';
import { runOutcomeText } from '../../../../src-contract/words/states.ts';
import { scheduleText } from '../../../../src-contract/words/plans/schedules.ts';
import { selectionSummary, selectionText } from '../../../../src-contract/words/plans/selections.ts';
import {
  joinLines,
  formatDuration,
  formatTime,
  formatTimeIn,
  plural,
  table,
  type Line,
  tableOf,
} from '../terminal/format.ts';

export const outcomeText = (outcome: RunOutcome): string => lowerFirst(runOutcomeText[outcome]);

export const pauseText = (until: string): string =>
  until === endlessPauseUntil ? 'it is resumed' : formatTime(until);

/** Returns a due time in local time; if the time zone of the plan differs, in both. */
function dueText(time: string, { timeZone }: Schedule): string {
  const localTime = formatTime(time);
  const planTime = formatTimeIn(time, timeZone);
  return planTime.startsWith(localTime) ? localTime : planTime;
}

function nextText({ plan, nextRunAt }: PlanStatus): string {
  if (!plan.enabled) return 'switched off';
  const next = nextRunAt === null ? 'never' : dueText(nextRunAt, plan.schedule);
  if (plan.pausedUntil !== null) return `paused until ${pauseText(plan.pausedUntil)}`;
  return plan.skippedDue === null ? next : `${next} (skips ${dueText(plan.skippedDue, plan.schedule)})`;
}

/** Describes the last run. `interrupted` has the ids of runs whose jobs no process is running. */
function lastText({ lastRun }: PlanStatus, interrupted: ReadonlySet<string>): string | null {
  if (lastRun === null) return null;
  const outcome = interrupted.has(lastRun.runId)
    ? 'interrupted; the next run continues it'
    : outcomeText(lastRun.outcome);
  return `${formatTime(lastRun.startedAt)}, ${outcome}`;
}

/** Returns how long the program that a plan starts before a run has been running; null if none is running. */
function preparationText({ beginning }: PlanStatus, now: number): string | null {
  if (beginning === null) return null;
  const elapsed = formatDuration(now - Date.parse(beginning.since));
  return beginning.cancelling
    ? `the program before the run has been running for ${elapsed} and is being stopped`
    : `the program before the run has been running for ${elapsed}; "packhorse plan cancel" stops it`;
}

export function plansText(
  plans: readonly PlanStatus[],
  now: number,
  interrupted: ReadonlySet<string> = new Set(),
): string {
  const rows = plans.map((status) => {
    const { name, instance, selection, schedule, retention } = status.plan;
    return [
      name,
      instance,
      selectionSummary(selection),
      scheduleText(schedule),
      retentionSummary(retention),
      nextText(status),
      lastText(status, interrupted),
    ];
  });
  const remarks = plans.flatMap((status) => {
    const { name } = status.plan;
    const preparation = preparationText(status, now);
    const overdue = overdueText(status);
    return [
      ...(preparation === null ? [] : [`${name}: ${preparation}`]),
      ...(overdue === null ? [] : [`${name} is overdue ${overdue}`]),
    ];
  });
  return joinLines(
    table(['PLAN', 'INSTANCE', 'BACKS UP', 'WHEN', 'KEEPS', 'NEXT RUN', 'LAST RUN'], rows),
    remarks.length > 0 && ['', ...remarks],
  );
}

const field = (name: string, text: string): string => `${name.padEnd(10)} ${text}`;

export function planText(
  status: PlanStatus,
  dueTimes: readonly string[],
  now: number,
  interrupted: ReadonlySet<string>,
): string {
  const { plan } = status;
  const { selection, schedule } = plan;
  const projects = selection.kind === 'projects' ? selection.projects : [];
  const preparation = preparationText(status, now);
  const overdue = overdueText(status);
  return joinLines(
    field('Plan', plan.name),
    field('Id', plan.id),
    field('Instance', plan.instance),
    field('Backs up', selectionText(selection)),
    projects.length > 1 && projects.map(({ fullPath }) => field('', `  ${fullPath}`)),
    selection.kind !== 'projects' && field('Scope', scopeText(selection.scope, null)),
    settingsText(plan).map(({ term, text }) => field(term, text)),
    field('When', scheduleText(schedule)),
    field('Archives', retentionText(plan.retention)),
    plan.archiveRoot !== null && field('Stored in', plan.archiveRoot),
    hooksText(plan),
    field('Next run', nextText(status)),
    plan.enabled && dueTimes.slice(1).map((due) => field('', dueText(due, schedule))),
    preparation !== null && field('Preparing', preparation),
    field('Last run', lastText(status, interrupted) ?? 'none yet'),
    overdue !== null && field('Overdue', overdue),
  );
}

function hooksText({ hooks: { before, after }, heartbeat }: Plan): Line[] {
  const commandText = ({ program, arguments: args, timeLimitSeconds }: Hook): string =>
    `${[program, ...args].map((word) => JSON.stringify(word)).join(' ')}, for at most ${timeLimitSeconds} s`;
  const rule = before?.ifFails === 'run' ? 'the run takes place anyway' : 'the run is skipped';
  const httpWarning =
    heartbeat?.origin.startsWith('http:') === true ? ' (not encrypted: whoever listens can read it)' : '';
  return [
    before !== null && field('Before', `${commandText(before)}; if it fails, ${rule}`),
    after !== null && field('After', commandText(after)),
    heartbeat !== null && field('Heartbeat', `${heartbeat.origin}${httpWarning}`),
  ];
}

export function notesText(notes: readonly RunNote[]): string[] {
  return notes.flatMap(({ message, output }) => [
    message,
    ...(output === undefined ? [] : [output.trimEnd().replace(/^/gm, '  | ')]),
  ]);
}

/** Returns since when a plan has not run, and why if that is known; null if the plan is not overdue. */
export function overdueText({ overdue }: PlanStatus): string | null {
  if (overdue === null) return null;
  const why =
    overdue.error === null ? 'no Packhorse process was running plans' : errorText(overdue.error).what;
  return `since ${formatTime(overdue.since)}: ${why}`;
}

export function forecastText({ count, forecast }: CallReply<'plan.forecast'>): string {
  if (count === 0) return 'The plan would back up no project now.';
  if (forecast === null) return 'No forecast yet: no project of this instance was backed up before.';
  const { startsAt, endsAt, known, projects } = forecast;
  const unknownText = known === count ? '' : `, ${count - known} of them never backed up before`;
  const more = count - projects.length;
  return joinLines(
    tableOf(projects, ({ project, startsAt, endsAt }) => ({
      PROJECT: project,
      STARTS: formatTime(startsAt),
      STORED: formatTime(endsAt),
    })),
    more > 0 && `… and ${more} more.`,
    '',
    `${plural(count, 'project')}${unknownText}: from ${formatTime(startsAt)} to about ${formatTime(endsAt)}.`,
  );
}

/** Returns a remark on a plan that never removes archives; null for a plan with a limit. */
export function unlimitedRetentionHint({ name, retention, skipUnchanged }: Plan): string | null {
  if (retentionLimits.some((limit) => retention[limit] !== null)) return null;
  const each = skipUnchanged ? 'every project that changed' : 'every project';
  return (
    `This plan keeps all archives: each run adds one archive of ${each}, and none is ever removed. ` +
    `To keep the newest 7 of each project: packhorse plan edit "${name}" --keep 7`
  );
}
