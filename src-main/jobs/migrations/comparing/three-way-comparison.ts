/** @file Combines numbers, names and settings into one comparison of source, archive and target. Pure. */
import {
  agreesWithoutFailures,
  isArrivalUnknown,
  type ChosenDepth,
  type Comparison,
  type MissingRecord,
  type ReachedRelation,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';
import { gravestFirst, isGraveRecord, isGraveSetting } from '../../../../src-contract/transfers/gravity.ts';
import type { Inspection, ProjectCounts } from '../../../../src-contract/archives/archive.ts';
import { mapCountedRelations, type ListedRelation } from '../../../../src-contract/relations.ts';
import { verdictOf } from '../../importing/reconcile.ts';
import { describeUnknownSource, describeUnknownTarget } from '../../importing/unknown-sides.ts';
import { contentGaps, reachedDepth } from './coverage/reached-depth.ts';
import { limitNamedRecords } from './losses/named-limit.ts';
import type { ListedRecords } from './losses/naming-losses.ts';

/** The amounts of each side for a relation that is not listed by name. An amount is null if it is unknown. */
export interface RelationCounts {
  relation: string;
  source: number | null;
  archive: number | null;
  target: number | null;
}

/**
 * Counts the records of the lists, so that no list is read twice. A count is null if the account may not read the list.
 */
export function countsOfListed(listed: Pick<ListedRecords, ListedRelation>): ProjectCounts {
  return mapCountedRelations(
    (relation) => listed[relation]?.length ?? null,
    (parentRelation) =>
      listed[parentRelation]?.reduce<number | null>(
        (sum, { notes }) => (sum === null || notes === null ? null : sum + notes),
        0,
      ) ?? null,
  );
}

/** The name of the project statistic, and of the row in a comparison. */
export const lfsSize = 'lfs_objects_size';

/**
 * Compares the bytes of all LFS objects. Servers count an object once per repository. A source with more bytes than the
 * archive, but no more than the target, has lost nothing.
 * @param source the project statistic of the source; null if the account may not see it. Likewise `target`.
 */
export function lfsAmount(
  { lfsObjects, lfsBytes }: Pick<Inspection, 'lfsObjects' | 'lfsBytes'>,
  source: number | null,
  target: number | null,
  hasSourceChanged = false,
): RelationCounts {
  const archive = lfsObjects === 0 ? 0 : (lfsBytes ?? null);
  const hasMore = source !== null && archive !== null && source > archive;
  const isDoubtful = hasMore && (hasSourceChanged || target === null || target >= source);
  return { relation: lfsSize, source: isDoubtful ? null : source, archive, target };
}

export interface ComparisonParts {
  chosenDepth: ChosenDepth;
  /** False if the records of the archive could not be read one by one. */
  hasRecords: boolean;
  /** False if the account of the source does not see everything. */
  showsAll: boolean;
  amounts: readonly RelationCounts[];
  missing: readonly MissingRecord[];
  settings: Reconciliation['settings'];
  /** Relations that the source lists now. The names of their records are known even if their counts are not. */
  listedFromSource: ReadonlySet<string>;
  /** Other relations that could not be compared with the source. */
  notComparedWithSource: readonly string[];
  /** Relations whose arrival on the target is not proven. They do not count as lost. */
  unproven: readonly string[];
  /** Sentences about contents that were not compared, or whose differences may be edits. */
  declared: readonly string[];
  /** Sentences that leave nothing unknown about the compared contents. */
  remarks: readonly string[];
  notCompared: Reconciliation['notCompared'];
  /** How far each relation was compared. */
  relations: readonly ReachedRelation[];
}

/** A comparison of numbers. */
export interface ComparedNumbers extends Pick<Reconciliation, 'at' | 'rows'> {
  hasOpenFailures: boolean;
}

export function combineComparison(numbers: ComparedNumbers, parts: ComparisonParts): Reconciliation {
  const rows = [
    ...numbers.rows,
    ...parts.amounts.map((amount): Comparison => ({
      ...amount,
      verdict: verdictOf(amount.source, amount.archive, amount.target),
    })),
  ];
  const uncounted = numbers.rows
    .filter(({ relation, source }) => source === null && !parts.listedFromSource.has(relation))
    .map(({ relation }) => relation);
  const unknown = rows.filter(isArrivalUnknown);
  const unproven = [...new Set([...unknown.map(({ relation }) => relation), ...parts.unproven])];
  const declared = [
    ...describeUnknownSource([...uncounted, ...parts.notComparedWithSource]),
    ...describeUnknownTarget(rows),
    ...parts.declared,
  ];
  const { chosenDepth: chosen, hasRecords, showsAll, notCompared } = parts;
  const coverage = {
    chosen,
    hasRecords,
    showsAll,
    unknown: declared,
    unproven,
    rows,
    notCompared,
  };
  const depth = reachedDepth(coverage);
  const { settings } = parts;
  const missingCount = parts.missing.length;
  return {
    at: numbers.at,
    ...(unproven.length > 0 && { unproven }),
    depth,
    ...(depth === 'fields' && { gaps: contentGaps(coverage) }),
    reconciled: !numbers.hasOpenFailures && agreesWithoutFailures({ depth, rows, missingCount, settings }),
    rows,
    ...limitNamedRecords(gravestFirst(parts.missing, isGraveRecord)),
    missingCount,
    settings: gravestFirst(settings, isGraveSetting),
    declared: [...declared, ...parts.remarks],
    notCompared: [...notCompared],
    relations: [...parts.relations],
  };
}
