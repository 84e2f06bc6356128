/** @file Removes counts from a comparison that lists contradict, before they are taken for losses. Pure. */
import type { Comparison } from '../../../../../src-contract/transfers/import.ts';
import {
  isRef,
  listedRelations,
  relationOfNoteRow,
  type ListedRelation,
} from '../../../../../src-contract/relations.ts';
import { relationText } from '../../../../../src-contract/words/relations.ts';
import { verdictOf } from '../../../importing/reconcile.ts';
import type { ArchivedRecord, ListedRecord } from '../losses/naming-losses.ts';

/** A count of the source around the export that its own list does not confirm. */
export interface UnconfirmedCount {
  relation: ListedRelation;
  counted: number;
  archived: number;
  /** Number of records that the source had at the export: those that it lists from before, and those only archived. */
  known: number;
  /** False if the list shows no time of creation, so that `known` may include records that were added later. */
  hasTimes: boolean;
}

interface CountedSides {
  /** A list is null if it was not read. */
  source: Readonly<Record<ListedRelation, readonly ListedRecord[] | null>> | null;
  archive: Readonly<Record<ListedRelation, readonly ArchivedRecord[]>>;
  /** The time of the export request, in epoch milliseconds by the clock of the source. */
  exportedAt: number;
  /** The highest id of the labels of the source before the export; null if it is not known. */
  newestLabelId: number | null;
  /** True if the source was edited, or may have been edited, after its export began. */
  mayHaveChanged: boolean;
}

/** Returns the counts that exceed both the archive and the records that the source is known to have had. */
export function unconfirmedCounts(
  rows: readonly Comparison[],
  { source, archive, exportedAt, newestLabelId, mayHaveChanged }: CountedSides,
): UnconfirmedCount[] {
  return listedRelations.flatMap((relation): UnconfirmedCount[] => {
    const row = rows.find((one) => one.relation === relation);
    const listed = source?.[relation] ?? null;
    if (listed === null || !row || row.source === null || row.archive === null) return [];
    if (row.source <= row.archive) return [];
    const listedKeys = new Set(listed.map(({ key }) => key));
    const archivedKeys = new Set(archive[relation].map(({ key }) => key));
    const removedCount = archive[relation].filter(({ key }) => key !== null && !listedKeys.has(key)).length;
    // A branch may have been deleted before the snapshot, and another one created after it.
    const isDoubtful = ({ key }: ListedRecord): boolean =>
      isRef(relation) && mayHaveChanged && !archivedKeys.has(key);
    const isLater = ({ id, createdAt }: ListedRecord): boolean =>
      relation === 'labels'
        ? newestLabelId !== null && id !== null && id > newestLabelId
        : createdAt !== null && createdAt >= exportedAt;
    const earlier = listed.filter((record) => !isLater(record) && !isDoubtful(record));
    // A label that only the list has may be a renamed one that only the archive has.
    const renamedCount =
      relation === 'labels' ? earlier.filter(({ key }) => !archivedKeys.has(key)).length : 0;
    const known = earlier.length + Math.max(0, removedCount - renamedCount);
    const hasTimes = !isRef(relation) && earlier.every(({ createdAt }) => createdAt !== null);
    return known >= row.source
      ? []
      : [{ relation, counted: row.source, archived: row.archive, known, hasTimes }];
  });
}

export const describeUnconfirmedCounts = (instance: string, counts: readonly UnconfirmedCount[]): string[] =>
  counts.map(
    ({ relation, counted, known }) =>
      `"${instance}" counted ${counted} ${relationText(relation)} around the export, but its list and the archive show only ${known} from that time. The count was not used, so it is not known whether the export lost records that are not named.`,
  );

/** Relations whose numbers on a side are not known. */
export interface UntrustedNumbers {
  unconfirmed: readonly UnconfirmedCount[];
  source: ReadonlySet<string>;
  target: ReadonlySet<string>;
}

/** Returns the rows without the numbers that are not known, and with the verdicts that follow. */
export function withoutUntrusted(
  rows: readonly Comparison[],
  { unconfirmed, source, target }: UntrustedNumbers,
): Comparison[] {
  /** The row of notes follows its relation. */
  const includes = (relations: ReadonlySet<string>, row: string): boolean =>
    relations.has(row) || relations.has(relationOfNoteRow(row) ?? '');
  const sourceCount = (row: Comparison): number | null => {
    if (includes(source, row.relation)) return null;
    const count = unconfirmed.find(({ relation }) => relation === row.relation);
    if (count === undefined) return row.source;
    // A smaller number that is certain still shows a loss.
    return count.hasTimes && count.known > count.archived ? count.known : null;
  };
  return rows.map((row) => {
    const numbers = {
      source: sourceCount(row),
      archive: row.archive,
      target: includes(target, row.relation) ? null : row.target,
    };
    return {
      relation: row.relation,
      ...numbers,
      verdict: verdictOf(numbers.source, numbers.archive, numbers.target),
    };
  });
}
