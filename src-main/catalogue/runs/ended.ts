/** @file The states of jobs that have ended, for SQL. */
import { endedStatuses } from '../../../src-contract/runs/job.ts';

/** For `status IN` and `status NOT IN`. The indexes of open jobs use the same list, in this order. */
export const endedStatusesSql = `(${endedStatuses.map((status) => `'${status}'`).join(', ')})`;
