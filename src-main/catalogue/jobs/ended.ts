/** @file The states of jobs that have ended, for SQL. */
import { endedStatuses } from '../../../src-contract/job.ts';

/** For `status IN` and `status NOT IN`; the indexes of open jobs are over the same list, in this order. */
export const ended = `(${endedStatuses.map((status) => `'${status}'`).join(', ')})`;
