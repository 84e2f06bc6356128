/** @file Texts of the view of current and past work. */
import type { JobStatus, JobStep } from '../../../src-contract/runs/job.ts';
import { countJobs, type Run, type RunForecast } from '../../../src-contract/runs/run.ts';
import { jobStatusText } from '../../../src-contract/words/states.ts';
import { workTitle } from '../../../src-contract/words/work.ts';
import { formatDuration, formatNumber, formatTime } from '../../kit/format.ts';
import { common, pluralize } from '../../kit/common.text.ts';

export const activityText = {
  parts: 'Current and past',
  now: 'Now',
  history: 'History',
  queue: 'Running and waiting jobs',
  running: 'Running',
  waiting: 'Waiting',
  queued: 'Queued',
  nothingRuns: 'Nothing is running',
  nothingRunsText: 'Backups and imports in progress are shown here.',
  goToProjects: 'Choose projects to back up',
  moreQueued: (shownCount: number) =>
    `Only the first ${formatNumber(shownCount)} are shown; the others follow automatically.`,

  runs: 'Runs',
  noRuns: 'No runs yet',
  noRunsText: 'Each backup and each import is listed here, with its outcome.',
  columns: {
    started: 'Started',
    what: 'What',
    outcome: 'Outcome',
    jobs: 'Jobs',
    instances: 'Instance',
    startedBy: 'Started by',
  },
  runTitle: (run: Run): string =>
    run.project === null
      ? workTitle(run.kind, null, common.projects(countJobs(run).all))
      : workTitle(run.kind, run.deed, run.project),
  /** Says who started a run; `plan` is the name of its plan, if the plan still exists. */
  startedBy: ({ planId, manual }: Pick<Run, 'planId' | 'manual'>, plan: string | undefined): string =>
    planId === null
      ? ''
      : plan === undefined
        ? manual
          ? 'Manual'
          : 'Schedule'
        : `plan ${plan}${manual ? ' (manual)' : ''}`,
  counts: (jobs: Run['jobs']): string =>
    Object.entries(jobs)
      .map(([status, count]) => `${formatNumber(count)} ${statusWord(status)}`)
      .join(' · '),
} as const;

function statusWord(status: string): string {
  return (jobStatusText[status as JobStatus] as string | undefined)?.toLowerCase() ?? status;
}

export const runText = {
  started: 'Started',
  due: 'Was due',
  instances: 'Instance',
  startedBy: 'Started by',
  duration: 'Duration',
  ended: (endedCount: number, total: number) => `${formatNumber(endedCount)} of ${formatNumber(total)} ended`,
  jobs: 'Jobs',
  filter: 'Which jobs',
  all: 'All',
  noJobsText: 'No job of this run matches.',
  nothingToDo: 'There was nothing to do.',
  leftOut: (count: number) =>
    `${common.projects(count)} left out: another job worked on them with other settings.`,
  didNotRun: 'The run did not take place',
  notes: 'Notes',
  output: 'Program output',
  /** The text is unique per output, because it is the accessible name of the scrollable area. */
  outputEnd: (note: string) => `The end of the output. ${note}`,
  more: (count: number) => `and ${formatNumber(count)} more`,
} as const;

const minComparedDurationMs = 60_000;

/** Returns a sentence that compares a plan's run with its forecast; null if the run was too short to compare. */
export function forecastOutcomeText({ startsAt, endsAt, came }: RunForecast): string | null {
  if (came === null) return `The run was expected to end about ${formatTime(endsAt)}.`;
  const delayMs = Date.parse(came.endedAt) - Date.parse(endsAt);
  if (Date.parse(came.endedAt) - Date.parse(startsAt) < minComparedDurationMs) return null;
  const largestDeviation = came.furthestOff.find(
    (entry) => formatDuration(entry.tookMs) !== formatDuration(entry.expectedMs),
  );
  const deviationText =
    largestDeviation === undefined
      ? ''
      : `; ${largestDeviation.project} took ${formatDuration(largestDeviation.tookMs)} instead of ${formatDuration(largestDeviation.expectedMs)}`;
  const endText =
    Math.abs(delayMs) < 60_000
      ? 'The run ended at the expected time'
      : `The run ended ${formatDuration(Math.abs(delayMs))} ${delayMs > 0 ? 'later' : 'earlier'} than expected (${formatTime(endsAt)})`;
  return `${endText}${deviationText}.`;
}

export const jobDetailsText = {
  back: 'Back to the run',
  pruned: 'Pruned',
  prunedCount: (count: number) => `${pluralize(count, 'older archive')} moved to the trash`,
  steps: 'Steps',
  stepState: {
    done: 'done',
    running: 'running',
    next: 'comes next',
    later: 'later',
    stopped: 'stopped here',
  } satisfies Record<JobStep['state'], string>,
  warnings: 'Warnings',
  cancelledBy: (actor: string) => `Cancelled by ${actor}.`,
  skipped: (reason: string) => `Skipped: ${reason}`,
  waits: (reason: string, timeText: string) => `${reason}; continues ${timeText}.`,
  result: 'Result',
  archive: 'Archive',
  showArchive: 'Show the archive',
  size: 'Size',
  imported: 'Imported as',
  checkAgain: 'Check this import again',
  overridesNotApplied: 'Not every setting was applied',
  overridesUnknown: 'The settings of the project could not be checked',
  compare: 'Compare source, archive and target…',
  compareTitle: (project: string) => `Comparison of ${project}`,
  failures: (count: number) => common.failures(count),
  facts: 'About the job',
  instance: 'Instance',
  id: 'Job ID',
  created: 'Created',
  ended: 'Ended',
  updated: 'Last change',
  log: 'Log',
  retry: 'Run again',
  retryHint: 'Starts the same work as a new job.',
  newer: 'Show the newer attempt',
  newerHint: 'The same work has been started again since then.',
  retried: (project: string) => `Started again: ${project}`,
  cancel: 'Cancel…',
} as const;

export const undeliveredText = {
  open: 'The import did not arrive…',
  title: (target: string) => `Is the import missing at ${target}?`,
  text: 'Check the target in a browser first. Also look for a project whose path starts the same and ends in many letters and digits: GitLab imports under such a path before it replaces a project. Confirm only if you find neither. Packhorse then sends the next import to this path.',
  confirm: 'The import did not arrive',
  done: (target: string) => `Packhorse will send the next import to ${target}.`,
} as const;

const logTypes: Readonly<Record<string, string>> = {
  queued: 'Queued',
  joined: 'Joined',
  claim: 'Started',
  'step-done': 'Step done',
  note: 'Note',
  wait: 'Waiting',
  succeed: 'Done',
  fail: 'Failed',
  cancel: 'Cancel requested',
  aborted: 'Cancelled',
  interrupt: 'Interrupted',
};

export const logText = {
  /** A type of a later version has no text, so its name is shown. */
  type: (name: string) => logTypes[name] ?? name,
  filter: 'Search in the log',
  copy: 'Copy the log',
  earlier: (count: number) => `Show ${formatNumber(count)} earlier lines`,
  dropped: (count: number) =>
    `${formatNumber(count)} older lines are not shown here; “packhorse job log” prints them all.`,
  none: 'Nothing is logged yet.',
  noMatch: 'No line matches.',
  lines: 'Lines of the log, oldest first',
} as const;
