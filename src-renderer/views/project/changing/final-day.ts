/** @file The day on which a marked project is deleted for good, with the usual delay: instances do not tell their own. */
import { dayMs } from '../../../../src-contract/bounds.ts';
import { usualDeletionDays } from '../../../../src-contract/projects/change.ts';

/** `from`: the day or moment of marking. */
export const finalDay = (from: string | number): string =>
  new Date(new Date(from).getTime() + usualDeletionDays * dayMs).toISOString().slice(0, 10);
