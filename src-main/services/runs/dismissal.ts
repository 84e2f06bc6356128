/**
 * @file Decides which items of the overview can be dismissed: reports of past events. An item about unprotected data
 * stays until the data is protected.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../../src-contract/errors.ts';
import type { Attention } from '../../../src-contract/runs/overview-schema.ts';
import { outOfScopeSubject, jobSubject } from '../../catalogue/dismissals.ts';
import type { AttentionFilter, JobAttention } from '../../catalogue/runs/job-attention.ts';

export type Dismissable = Extract<Attention, { dismissal?: string | undefined }>;

/** Long enough to be unique in an overview, and short enough to type. */
const nameLength = 10;

/** Returns values that identify the event. They stay the same until something new happens. */
function occurrenceOf(about: Dismissable): readonly unknown[] {
  switch (about.kind) {
    case 'job-failed':
    case 'job-warnings':
      return ['job', about.jobId];
    case 'jobs-failed':
      return ['jobs', about.instance, about.jobKind, about.error.code, about.total, about.jobs[0]?.jobId];
    case 'left-scope':
      return ['left', about.instance, about.projectId, about.leftAt];
  }
}

export const withDismissalId = <About extends Dismissable>(about: About): About => ({
  ...about,
  dismissal: createHash('sha256')
    .update(JSON.stringify(occurrenceOf(about)))
    .digest('hex')
    .slice(0, nameLength),
});

/**
 * Returns the keys under which the catalogue stores the dismissal of an item. `filter` is the filter that found the
 * item.
 */
export function dismissalKeysOf(
  about: Dismissable,
  attention: Pick<JobAttention, 'jobIdsInGroup'>,
  filter: Omit<AttentionFilter, 'limit'>,
): string[] {
  switch (about.kind) {
    case 'job-failed':
    case 'job-warnings':
      return [jobSubject(about.jobId)];
    case 'jobs-failed': {
      const { jobKind, instance, error, total, dismissal = '' } = about;
      const jobIds = attention.jobIdsInGroup(filter, { jobKind, instance, code: error.code });
      // Another job failed in the same way meanwhile, and nobody has seen its failure.
      if (jobIds.length !== total) throw noSuchItem(dismissal);
      return jobIds.map(jobSubject);
    }
    case 'left-scope':
      return [outOfScopeSubject(about)];
  }
}

export const noSuchItem = (item: string): AppError =>
  new AppError('attention-missing', `The overview shows no item "${item}" that can be dismissed.`, {
    details: { item },
  });
