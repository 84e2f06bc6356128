/** @file Texts for jobs and their steps, wherever a job is shown. */
import { jobChangeKind, type Job, type JobKind } from '../../../src-contract/runs/job.ts';
import { stepWords } from '../../../src-contract/words/steps.ts';
import { jobKindText, workTitle } from '../../../src-contract/words/work.ts';
import { formatNumber } from '../../kit/format.ts';
import { common } from '../../kit/common.text.ts';

export const jobText = {
  step: stepWords,
  onInstance: (instance: string) => `on ${instance}`,
  titleOf: (job: Job) => workTitle(job.kind, jobChangeKind(job), job.project),
  continues: (when: string) => `continues ${when}`,
  /** The number of attempts of a step, or of polls of a waiting step; empty for one attempt. */
  attempts: (step: string, count: number) =>
    count < 2
      ? ''
      : step === 'wait'
        ? `polled ${formatNumber(count)} times`
        : `${formatNumber(count)} attempts`,
  cancel: 'Cancel',
  cancelOf: (project: string) => `Cancel the job of ${project}`,
  cancelTitle: (kind: JobKind) => `Cancel this ${jobKindText[kind].singular}?`,
  cancelConfirm: (kind: JobKind) => `Cancel the ${jobKindText[kind].singular}`,
  cancelRun: 'Cancel all…',
  cancelRunTitle: (count: number) => `Cancel ${common.jobs(count)}?`,
  cancelRunText:
    'Queued and waiting jobs are cancelled at once, running jobs as soon as they have stopped. Jobs that have ended keep their results. A job that another run also waits for is cancelled there as well.',
  cancelRunConfirm: 'Cancel all',
  cancelRunRefused: (count: number, why: string) => `${common.jobs(count)} not cancelled: ${why}`,
  keepRunning: 'Keep it running',
} as const;
