/** @file The noun *import*: its status on the server, its failures, and the three-way comparison after it. */
import { countedRelations } from '../relations.ts';
import type { z } from '../schema.ts';
import type * as schemas from './import-schema.ts';

export type Failure = z.output<typeof schemas.failureSchema>;
export type ImportStatus = z.output<typeof schemas.importStatusSchema>;
export type FailureWithRecord = z.output<typeof schemas.failureWithRecordSchema>;
export type Comparison = z.output<typeof schemas.comparisonSchema>;
/** A field of a record with its values on both sides. */
export type ChangedField = z.output<typeof schemas.changedFieldSchema>;
export type MissingRecord = z.output<typeof schemas.missingRecordSchema>;
export type ReachedRelation = z.output<typeof schemas.reachedRelationSchema>;
export type Reconciliation = z.output<typeof schemas.reconciliationSchema>;
export type ComparisonForecast = z.output<typeof schemas.comparisonForecastSchema>;

export const importStates = ['none', 'scheduled', 'started', 'finished', 'failed', 'canceled'] as const;

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

/**
 * The parts that a comparison covers, from least to most. `numbers`: the number of records; `names`: also their names; `fields`:
 * also the fields of `docs/what-is-compared.md`; `contents`: everything that GitLab's API shows.
 */
export const comparisonDepths = ['numbers', 'names', 'fields', 'contents'] as const;
export type ComparisonDepth = (typeof comparisonDepths)[number];

/**
 * How far a comparison compared one relation with one side, from least to most. `none`: not at all; `counts`: the number of
 * records; `keys`: also which records these are; `contents`: also their fields.
 */
export const relationDepths = ['none', 'counts', 'keys', 'contents'] as const;
export type RelationDepth = (typeof relationDepths)[number];

/** Returns whether a comparison of this depth covers the contents of records. Less never counts as arrived. */
export const coversContents = (depth: ComparisonDepth): boolean => depth === 'fields' || depth === 'contents';

/**
 * Returns whether it is not known if the archived records of a relation arrived. The verdict does not show this if
 * records were lost on export, too.
 */
export const isArrivalUnknown = ({ archive, target }: Pick<Comparison, 'archive' | 'target'>): boolean =>
  archive !== 0 && (archive === null || target === null);

/**
 * Returns whether a relation with archived records was not counted on the target. A project does not count as arrived
 * then, because nobody can accept that. Excludes amounts such as uploads, which not
 * every instance reports, and relations that are not counted around an export: comparisons list these as `unproven`.
 */
export const isUncountedOnTarget = (row: Comparison): boolean =>
  isArrivalUnknown(row) && (countedRelations as readonly string[]).includes(row.relation);

const showsNoLoss = ({ verdict }: Comparison): boolean => !verdict.startsWith('lost');

/** Returns whether no row shows a loss, and every row with archived records was counted on the target. */
export const numbersAgree = (rows: readonly Comparison[]): boolean =>
  rows.every((row) => showsNoLoss(row) && !isArrivalUnknown(row));

/**
 * Returns whether source, archive and target agree in a comparison of contents once no failure is open. The stored
 * `reconciled` is false if failures were open when the comparison began, even if it resolved all of them.
 */
export const agreesWithoutFailures = ({
  depth,
  rows,
  missingCount,
  settings,
}: Pick<Reconciliation, 'depth' | 'rows' | 'missingCount' | 'settings'>): boolean =>
  coversContents(depth) &&
  rows.every((row) => showsNoLoss(row) && !isUncountedOnTarget(row)) &&
  missingCount + settings.length === 0;

/**
 * Returns whether a comparison found no difference, but did not cover contents. Older versions called such a comparison
 * `reconciled`. Returns false if nothing was counted on the target.
 * @param failureCount the number of failures that GitLab lists.
 */
export const lacksOnlyContents = (
  { depth, rows, missingCount, settings }: Reconciliation,
  failureCount: number,
): boolean =>
  !coversContents(depth) &&
  failureCount + missingCount + settings.length === 0 &&
  rows.some(({ target }) => target !== null) &&
  numbersAgree(rows);

/**
 * The depth of a comparison that a user chooses, from least to most. `counts`: the numbers of records; `keys`: also their
 * names; `contents`: everything in `docs/what-is-compared.md`.
 */
export const chosenDepths = ['counts', 'keys', 'contents'] as const;
export type ChosenDepth = (typeof chosenDepths)[number];

/** The depth that a comparison reaches if it can read all sides. */
export const coveredBy = {
  counts: 'numbers',
  keys: 'names',
  contents: 'fields',
} as const satisfies Record<ChosenDepth, ComparisonDepth>;

/** Returns the greatest of the depths. */
export const greatestDepth = (...depths: [ChosenDepth, ...ChosenDepth[]]): ChosenDepth =>
  depths.reduce((greatest, depth) =>
    chosenDepths.indexOf(depth) > chosenDepths.indexOf(greatest) ? depth : greatest,
  );
