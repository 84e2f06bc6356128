/**
 * @file The noun *failure* as the ledger keeps it: every failed relation that an import ever listed, with the
 * imported archive and the state since then. GitLab lists only the newest 100 and forgets them with the next
 * import.
 */
import type { z } from '../schema.ts';
import type * as schemas from './failure-schema.ts';

export type RecordName = z.output<typeof schemas.recordNameSchema>;
export type LedgerFailure = z.output<typeof schemas.ledgerFailureSchema>;

/** `retried`: its relation was imported again, with an unknown outcome yet; `resolved`: its record is there now. */
export const failureStates = ['open', 'retried', 'resolved', 'accepted'] as const;
export type FailureState = (typeof failureStates)[number];
