/** @file What a job is about, in words. */
import { deedOf, type Deed } from '../../../../src-preload/contract/projects/change.ts';
import type { Job } from '../../../../src-preload/contract/job.ts';
import { stepPlace, stepPlaceText } from '../../../../src-preload/contract/job-steps.ts';

const deedWords: Record<Deed, string> = {
  create: 'creation',
  edit: 'edit',
  fork: 'fork',
  star: 'star',
  unstar: 'star taken back',
  'set-archived': 'mark as archived',
  'unset-archived': 'end of the mark as archived',
  delete: 'deletion',
  'delete-permanently': 'deletion for good',
  restore: 'restoration',
  upload: 'upload',
  export: 'export request',
  'create-group': 'creation of the group',
  'mark-as-moved': 'note that it was moved',
};

/** The kind of the job, or what it changes. */
export function workWord(job: Pick<Job, 'kind' | 'input'>): string {
  const deed = deedOf(job);
  return deed === null ? job.kind : deedWords[deed];
}

/** The step that runs or comes next, with its place among the steps of the job. */
export function stepText(job: Pick<Job, 'kind' | 'step'>): string {
  const place = stepPlace(job);
  return place === null ? (job.step ?? '') : `${job.step}, ${stepPlaceText(place)}`;
}
