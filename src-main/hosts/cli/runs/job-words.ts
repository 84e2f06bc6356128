/** @file The work and the state of a job, in words. */
import { jobChangeKind } from '../../../../src-contract/runs/job.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { Job, JobState, JobStatus } from '../../../../src-contract/runs/job.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { jobStatusText, waitReasonText } from '../../../../src-contract/words/states.ts';
import { stepPlace, stepPlaceText } from '../../../../src-contract/runs/job-steps.ts';
import { stepWords } from '../../../../src-contract/words/steps.ts';
import { workText } from '../../../../src-contract/words/work.ts';
import { plural } from '../terminal/format.ts';

/** Returns the name of the state within a sentence: "done". */
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

/** Returns the kind of the job, or what it changes. */
export function workWord(job: Job): string {
  return workText(job.kind, jobChangeKind(job));
}

/** Returns the running or next step, with its place among the steps of the job. */
export function stepText(job: Pick<Job, 'kind' | 'step'>): string {
  if (job.step === null) return '';
  const place = stepPlace(job);
  const words = lowerFirst(stepWords(job.kind, job.step));
  return place === null ? words : `${words}, ${stepPlaceText(place)}`;
}

/** Returns how many jobs of a run are in each state: "2 jobs done", "1 job failed". */
export const jobCountTexts = (jobs: Run['jobs']): string[] =>
  Object.entries(jobs).map(
    ([status, count]) => `${plural(count, 'job')} ${lowerFirst(jobStatusText[status as JobStatus])}`,
  );
