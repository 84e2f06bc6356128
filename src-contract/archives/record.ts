/**
 * @file Facts about one record of an archive, apart from its text. Pure.
 */
import type { ArchiveRecord } from './archive.ts';

/**
 * `will-be-refused`: GitLab cannot import the record as it is, or the whole archive because of it.
 * `may-be-dropped`: the record or the part of it may be left out, on some versions at least. `suspicious`:
 * should be reviewed.
 */
export const suspicionSeverities = ['will-be-refused', 'may-be-dropped', 'suspicious'] as const;
export type SuspicionSeverity = (typeof suspicionSeverities)[number];

export const suspicionCodes = [
  'record-malformed',
  'line-too-long',
  'text-invalid-utf8',
  'text-nul',
  'title-missing',
  'title-too-long',
  'value-missing',
  'value-unknown',
  'date-invalid',
  'integer-out-of-range',
  'duplicate-iid',
  'duplicate-title',
  'milestone-unknown',
  'label-unknown',
  'sha-invalid',
  'note-empty',
  'position-missing',
] as const;
export type SuspicionCode = (typeof suspicionCodes)[number];

export interface Suspicion {
  code: SuspicionCode;
  severity: SuspicionSeverity;
  /** Path in the record, such as `notes[3].position`; empty: the record itself. */
  path: string;
  message: string;
  advice: string;
}

export interface Neighbour {
  line: number;
  iid: number | null;
  title: string | null;
}

/** A record with the data that helps to understand it. */
export interface RecordView extends ArchiveRecord {
  /** The records on the lines before and after; null where there is none. */
  previous: Neighbour | null;
  next: Neighbour | null;
  suspicions: Suspicion[];
  /**
   * Sentences about searches that were skipped, because there is too much to search or no index; empty: none
   * was skipped.
   */
  notLookedFor: string[];
  /** Address of the original on its source; null when that is unknown. */
  url: string | null;
}
