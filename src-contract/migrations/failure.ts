/**
 * @file The noun *failure*: one failed record of an import, as the catalogue stores it, with its archive and its
 * state. GitLab lists only the newest 100 failures of an import, and deletes them with the next import.
 */
import type { z } from '../schema.ts';
import type * as schemas from './failure-schema.ts';

export type RecordName = z.output<typeof schemas.recordNameSchema>;
export type ImportFailure = z.output<typeof schemas.importFailureSchema>;

/**
 * `retried`: its relation was imported again, and the outcome is not yet known; `resolved`: the target has the record
 * now.
 */
export const failureStates = ['open', 'retried', 'resolved', 'accepted'] as const;
export type FailureState = (typeof failureStates)[number];
