/** @file The noun *import*: its status on the server, its failures, and the three-way comparison after it. */
import type { ArchiveRecord } from '../archives/archive.ts';

/** One failed relation as GitLab records it. Only the newest 100 are ever listed (gitlab-facts 15.2). */
export interface Failure {
  id: number;
  createdAt: string;
  exceptionClass: string;
  /** Null on real servers; the message is hidden there. */
  exceptionMessage: string | null;
  source: string;
  relation: string | null;
  /** Zero-based line in `tree/project/<relation>.ndjson` of the imported archive; null before GitLab 14.6. */
  line: number | null;
}

export const importStates = ['none', 'scheduled', 'started', 'finished', 'failed', 'canceled'] as const;
export type ImportState = (typeof importStates)[number];

export interface ImportStatus {
  projectId: number;
  fullPath: string;
  state: ImportState;
  importType: string | null;
  error: string | null;
  correlationId: string | null;
  failures: Failure[];
  /** For imports from another code host: counts fetched and imported; null otherwise. */
  stats: {
    fetched?: Record<string, number> | undefined;
    imported?: Record<string, number> | undefined;
  } | null;
}

/** A failure with the record behind it, where the archive was available. */
export interface ExplainedFailure {
  failure: Failure;
  record: ArchiveRecord | null;
}

/**
 * `equal`; `lost-on-export`: the archive holds less than the source; `lost-on-import`: the target holds less than the
 * archive; `lost-on-both`; `more`: the target holds more; `unknown`: one side could not be counted.
 */
export const comparisonVerdicts = [
  'equal',
  'lost-on-export',
  'lost-on-import',
  'lost-on-both',
  'more',
  'unknown',
] as const;
export type ComparisonVerdict = (typeof comparisonVerdicts)[number];

export interface Comparison {
  relation: string;
  source: number | null;
  archive: number | null;
  target: number | null;
  verdict: ComparisonVerdict;
}

/** Data that one side has and the next lacks, named as far as possible. */
export interface MissingRecord {
  relation: string;
  lost: 'on-export' | 'on-import';
  /** Zero-based line in the archive; null where the archive does not hold it. */
  line: number | null;
  iid: number | null;
  /**
   * Title, name or full reference (`refs/heads/main`), whichever identifies it; null where only its number is
   * known.
   */
  title: string | null;
  /**
   * For a record that is there, the part of it that is incomplete, with its count on either side; null: the
   * record itself.
   */
  part: { name: string; expected: number; found: number } | null;
}

/** A setting of the project that differs from the source, or from an override. */
export interface DifferingSetting {
  attribute: string;
  expected: string;
  found: string;
  /** Null where the archive does not show it. */
  lost: 'on-export' | 'on-import' | null;
}

/**
 * How many missing records of a relation are not named, and where the archive holds the complete ones that an
 * import lost.
 */
export interface UnnamedLosses {
  relation: string;
  lost: MissingRecord['lost'];
  count: number;
  /** Zero-based. */
  lines: number[];
}

/**
 * `reconciled`: no loss is visible to the API, all archived records could be counted, no failure is listed,
 * and counts that the source lacks are declared. `missing` names of `missingCount` the first of each
 * relation, `unnamed` counts the others; `declared` says in sentences which facts no comparison can know, and
 * which differences are no loss. `contentsCompared`: the contents of records were compared, not their numbers
 * and names alone; absent: they were not. `unproven` names relations and parts that did not arrive, or may
 * not have, without a known loss.
 */
export interface Reconciliation {
  at: string;
  reconciled: boolean;
  contentsCompared?: boolean | undefined;
  unproven?: string[] | undefined;
  rows: Comparison[];
  missing: MissingRecord[];
  missingCount: number;
  /** Absent where all are named. */
  unnamed?: UnnamedLosses[] | undefined;
  settings: DifferingSetting[];
  declared: string[];
}
