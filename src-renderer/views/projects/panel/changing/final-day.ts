/**
 * @file The day of the final deletion of a marked project, by GitLab's default delay: instances do not report theirs.
 */
import { dayMs } from '../../../../../src-contract/bounds.ts';
import { usualDeletionDays } from '../../../../../src-contract/projects/change.ts';

/** `from`: the day or moment of marking. */
export const finalDay = (from: string | number): string =>
  new Date(new Date(from).getTime() + usualDeletionDays * dayMs).toISOString().slice(0, 10);
