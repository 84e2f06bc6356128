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
const dismissalIdLength = 10;

/** Returns values that identify the event. They stay the same until something new happens. */
function occurrenceOf(item: Dismissable): readonly unknown[] {
  switch (item.kind) {
    case 'job-failed':
    case 'job-warnings':
      return ['job', item.jobId];
    case 'jobs-failed':
      return ['jobs', item.instance, item.jobKind, item.error.code, item.total, item.jobs[0]?.jobId];
    case 'left-scope':
      return ['left', item.instance, item.projectId, item.leftAt];
  }
}

export const withDismissalId = <Item extends Dismissable>(item: Item): Item => ({
  ...item,
  dismissal: createHash('sha256')
    .update(JSON.stringify(occurrenceOf(item)))
    .digest('hex')
    .slice(0, dismissalIdLength),
});

/**
 * Returns the keys under which the catalogue stores the dismissal of an item. `filter` is the filter that found the
 * item.
 */
export function dismissalKeysOf(
  item: Dismissable,
  attention: Pick<JobAttention, 'jobIdsInGroup'>,
  filter: Omit<AttentionFilter, 'limit'>,
): string[] {
  switch (item.kind) {
    case 'job-failed':
    case 'job-warnings':
      return [jobSubject(item.jobId)];
    case 'jobs-failed': {
      const { jobKind, instance, error, total, dismissal = '' } = item;
      const jobIds = attention.jobIdsInGroup(filter, { jobKind, instance, code: error.code });
      // Another job failed in the same way meanwhile, and nobody has seen its failure.
      if (jobIds.length !== total) throw noSuchItem(dismissal);
      return jobIds.map(jobSubject);
    }
    case 'left-scope':
      return [outOfScopeSubject(item)];
  }
}

export const noSuchItem = (item: string): AppError =>
  new AppError('attention-missing', `The overview shows no item "${item}" that can be dismissed.`, {
    details: { item },
  });
