/** @file The work and the state of a job, in words. */
import { jobChangeKind, type Job, type JobState, type JobStatus } from '../../../../src-contract/runs/job.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { jobStatusText, waitReasonText } from '../../../../src-contract/words/states.ts';
import { stepPosition, stepPositionText } from '../../../../src-contract/runs/job-steps.ts';
import { stepWords } from '../../../../src-contract/words/steps.ts';
import { workText } from '../../../../src-contract/words/work.ts';
import { plural } from '../terminal/format.ts';

export const jobStatusWord = ({ status }: JobState): string => lowerFirst(jobStatusText[status]);

/** Returns the name of the state, and why the job waits, failed or was skipped: "done, with 2 warnings". */
export function jobStateText(state: JobState): string {
  const name = jobStatusWord(state);
  switch (state.status) {
    case 'waiting':
      return `${name}: ${state.text === '' ? waitReasonText[state.reason] : state.text}`;
    case 'succeeded':
      return state.warnings.length === 0 ? name : `${name}, with ${plural(state.warnings.length, 'warning')}`;
    case 'failed':
      return `${name}: ${errorText(state.error).what}`;
    case 'cancelled':
      return `${name} by ${state.by}`;
    case 'skipped':
      return `${name}: ${state.why}`;
    default:
      return name;
  }
}

export function jobWorkText(job: Job): string {
  return workText(job.kind, jobChangeKind(job));
}

export function stepText(job: Pick<Job, 'kind' | 'step'>): string {
  if (job.step === null) return '';
  const place = stepPosition(job);
  const words = lowerFirst(stepWords(job.kind, job.step));
  return place === null ? words : `${words}, ${stepPositionText(place)}`;
}

export const jobCountTexts = (jobs: Run['jobs']): string[] =>
  Object.entries(jobs).map(
    ([status, count]) => `${plural(count, 'job')} ${lowerFirst(jobStatusText[status as JobStatus])}`,
  );
