/** @file Words for jobs and their steps, wherever a job is shown. */
import { deedOf, type Job, type JobKind } from '../../../src-contract/job.ts';
import type { jobSteps } from '../../../src-contract/job-steps.ts';
import { jobKindText, workTitle } from '../../../src-contract/words/work.ts';
import { formatNumber } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';

const stepWords: { [Kind in JobKind]: Record<(typeof jobSteps)[Kind][number], string> } = {
  export: {
    prepare: 'Counting the source',
    'keep-existing': 'Keeping an earlier export',
    request: 'Asking for a fresh export',
    wait: 'Waiting for GitLab to export',
    count: 'Counting the source again',
    store: 'Downloading and reading the archive',
    prune: 'Moving older archives to the trash',
  },
  import: {
    prepare: 'Checking archive and target',
    send: 'Sending the archive',
    wait: 'Waiting for GitLab to import',
    explain: 'Looking up what failed',
    compare: 'Comparing what arrived',
  },
  change: {
    prepare: 'Looking at the project',
    send: 'Sending the change',
    follow: 'Reading what became of it',
  },
  'relation-import': {
    prepare: 'Checking archive and project',
    send: 'Sending the archive',
    wait: 'Waiting for GitLab to import',
    compare: 'Counting what arrived',
  },
  token: {
    prepare: 'Looking at the tokens',
    send: 'Asking GitLab, and keeping what it answers',
  },
};

export const jobText = {
  /** A step of a later version has no words yet; its name is better than nothing. */
  step: (kind: JobKind, name: string) => (stepWords[kind] as Partial<Record<string, string>>)[name] ?? name,
  on: (instance: string) => `on ${instance}`,
  titleOf: (job: Job) => workTitle(job.kind, deedOf(job), job.project),
  goesOn: (when: string) => `goes on ${when}`,
  /** How often a step was tried; a step that waits has only asked. Empty for the first time. */
  tries: (step: string, count: number) =>
    count < 2
      ? ''
      : step === 'wait'
        ? `asked ${formatNumber(count)} times`
        : `${formatNumber(count)} attempts`,
  cancel: 'Cancel',
  cancelOf: (project: string) => `Cancel the job of ${project}`,
  cancelTitle: (kind: JobKind) => `Cancel this ${jobKindText[kind].one}?`,
  cancelConfirm: (kind: JobKind) => `Cancel the ${jobKindText[kind].one}`,
  cancelRun: 'Cancel all…',
  cancelRunTitle: (count: number) => `Cancel ${common.jobs(count)}?`,
  cancelRunText:
    'Jobs that are queued or wait are cancelled at once, jobs that run as soon as they have stopped. Jobs that have ended keep their results. If another run waits for one of these jobs too, it is cancelled there as well.',
  cancelRunConfirm: 'Cancel all',
  /** Jobs that must not be stopped now. */
  cancelRunRefused: (count: number, why: string) => `${common.jobs(count)} not cancelled: ${why}`,
  keepRunning: 'Let it go on',
} as const;
