/** @file What a job is about, in words. */
import { deedOf } from '../../../../src-preload/contract/projects/change.ts';
import type { Job } from '../../../../src-preload/contract/job.ts';
import { stepPlace, stepPlaceText } from '../../../../src-preload/contract/job-steps.ts';
import { workText } from '../../../../src-preload/contract/words/work.ts';

/** The kind of the job, or what it changes. */
export function workWord(job: Pick<Job, 'kind' | 'input'>): string {
  return workText(job.kind, deedOf(job));
}

/** The step that runs or comes next, with its place among the steps of the job. */
export function stepText(job: Pick<Job, 'kind' | 'step'>): string {
  const place = stepPlace(job);
  return place === null ? (job.step ?? '') : `${job.step}, ${stepPlaceText(place)}`;
}
