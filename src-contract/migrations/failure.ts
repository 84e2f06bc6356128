/**
 * @file The noun *failure* as the ledger keeps it: every failed relation that an import ever listed, with the
 * imported archive and the state since then. GitLab lists only the newest 100 and forgets them with the next
 * import.
 */
import type { ArchiveRecord } from '../archives/archive.ts';
import type { Failure } from '../transfers/import.ts';
import type { Suspicion } from '../archives/record.ts';

/** The name of a record as people use it; null in either place where it has none. */
export interface RecordName {
  iid: number | null;
  title: string | null;
}

/**
 * `retried`: its relation was imported again, and the outcome is not yet known; `resolved`: its record is
 * there now.
 */
export const failureStates = ['open', 'retried', 'resolved', 'accepted'] as const;
export type FailureState = (typeof failureStates)[number];

export interface LedgerFailure extends Failure {
  /** Id of the ledger's row; GitLab's own `id` is unique on one instance only. */
  ref: string;
  instance: string;
  /** Full path and id of the project that it was imported into. */
  project: string;
  projectId: number;
  importJob: string;
  /** Null for an import that no migration made. */
  migrationId: string | null;
  archiveId: string | null;
  state: FailureState;
  /** Why somebody accepted it. */
  note: string | null;
  changedAt: string;
  /**
   * The name of the record, read from the archive; null where no archive was available, or the failure has no
   * line.
   */
  record: RecordName | null;
}

/** Failures of one relation with one exception. */
export interface FailureGroup {
  relation: string | null;
  exceptionClass: string;
  total: number;
  open: number;
  /** The meaning of such an exception, and advice: a sentence each. */
  meaning: string;
  advice: string;
}

export interface FailureDetails {
  failure: LedgerFailure;
  meaning: string;
  advice: string;
  /** Null where no archive is available, or the failure is about no line of it. */
  record: ArchiveRecord | null;
  /** Possible defects of the record, the weightiest first. */
  findings: Suspicion[];
  /** Sentences about searches that were skipped; see `recordViewSchema`. */
  notLookedFor: string[];
  /** Page of the original on the source; null where it has none. */
  sourceUrl: string | null;
}
