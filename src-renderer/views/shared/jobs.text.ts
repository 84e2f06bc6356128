/** @file Texts for jobs and their steps, wherever a job is shown. */
import { inputOf } from '../../../src-contract/job-contents.ts';
import { changeKindOf } from '../../../src-contract/projects/change.ts';
import type { Job, JobKind } from '../../../src-contract/job.ts';
import type { jobSteps } from '../../../src-contract/job-steps.ts';
import { jobKindText, workTitle } from '../../../src-contract/words/work.ts';
import { formatNumber } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';

const stepWords: { [Kind in JobKind]: Record<(typeof jobSteps)[Kind][number], string> } = {
  export: {
    prepare: 'Counting the source',
    'keep-existing': 'Keeping an earlier export',
    request: 'Requesting a new export',
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
    compare: 'Comparing the result',
  },
  change: {
    prepare: 'Reading the project',
    send: 'Sending the change',
    follow: 'Reading the result',
  },
  'relation-import': {
    prepare: 'Checking archive and project',
    send: 'Sending the archive',
    wait: 'Waiting for GitLab to import',
    compare: 'Counting the imported records',
  },
  token: {
    prepare: 'Reading the tokens',
    send: 'Sending the request and storing the reply',
  },
};

export const jobText = {
  /** A step of a later version has no text yet; its name is better than nothing. */
  step: (kind: JobKind, name: string) => (stepWords[kind] as Partial<Record<string, string>>)[name] ?? name,
  on: (instance: string) => `on ${instance}`,
  titleOf: (job: Job) => {
    const asked = inputOf(job, 'change');
    return workTitle(job.kind, asked === null ? null : changeKindOf(asked.change), job.project);
  },
  goesOn: (when: string) => `continues ${when}`,
  /** The number of attempts of a step, or of polls for a waiting step; empty for one attempt. */
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
    'Queued and waiting jobs are cancelled at once, running jobs as soon as they have stopped. Jobs that have ended keep their results. If another run waits for one of these jobs too, it is cancelled there as well.',
  cancelRunConfirm: 'Cancel all',
  /** Jobs that cannot be cancelled now. */
  cancelRunRefused: (count: number, why: string) => `${common.jobs(count)} not cancelled: ${why}`,
  keepRunning: 'Keep it running',
} as const;
