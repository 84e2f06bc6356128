/**
 * @file Corrects the counts of notes around an export if the notes were compared one by one. A note may have been deleted
 * before the snapshot, and another one added after it, so that the counts are too large. Pure.
 */
import type { Comparison, MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { relationOfNoteRow } from '../../../../../src-contract/relations.ts';
import { verdictOf } from '../../../importing/reconcile.ts';
import type { ArchivedRecord, ListedRecord } from '../losses/naming-losses.ts';
import { recordsByKey } from '../records-by-key.ts';

export interface ComparedNoteSides {
  /** A list is null if it was not read. Likewise `source` without a source. */
  source: Readonly<Partial<Record<string, readonly ListedRecord[] | null>>> | null;
  archive: Readonly<Partial<Record<string, readonly ArchivedRecord[]>>>;
  /** Records whose notes the export lost. */
  incomplete: readonly MissingRecord[];
  /** Number of records of the source whose notes were not compared. */
  uncomparedCount: number;
  /** Epoch milliseconds by the clock of the source. */
  exportedAt: number;
}

export const withComparedNotes = (rows: readonly Comparison[], sides: ComparedNoteSides): Comparison[] =>
  rows.map((row) => {
    const relation = relationOfNoteRow(row.relation);
    if (relation === null || row.source === null || row.archive === null || row.source <= row.archive)
      return row;
    if (sides.uncomparedCount > 0 || !isEachArchivedOnce(relation, sides)) return row;
    const lost = sides.incomplete
      .filter((record) => record.relation === relation && record.lost === 'on-export')
      .reduce(
        (sum, { part }) => sum + (part !== null && 'expected' in part ? part.expected - part.found : 0),
        0,
      );
    const source = Math.min(row.source, row.archive + lost);
    return { ...row, source, verdict: verdictOf(source, row.archive, row.target) };
  });

/** Returns whether the archive has each record of the source from before the export exactly once. */
function isEachArchivedOnce(relation: string, { source, archive, exportedAt }: ComparedNoteSides): boolean {
  const listed = source?.[relation] ?? null;
  const archived = recordsByKey(archive[relation] ?? []);
  return (
    listed !== null &&
    new Set(listed.map(({ key }) => key)).size === listed.length &&
    listed.every(
      ({ key, createdAt }) =>
        (createdAt !== null && createdAt >= exportedAt) || archived.get(key)?.length === 1,
    )
  );
}
