/**
 * @file Compares the notes of issues and merge requests with those in the archive. Each record costs a request, because no
 * list shows the notes of several records.
 */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { ContentDifference } from '../../../jobs/migrations/comparing/contents/content-differences.ts';
import type {
  NoteLosses,
  NotesToCompare,
} from '../../../jobs/migrations/comparing/contents/changed-notes.ts';
import {
  listedNotes,
  type ComparedNote,
} from '../../../jobs/migrations/comparing/contents/compared-notes.ts';
import type { ListedRecord, ListedRecords } from '../../../jobs/migrations/comparing/losses/naming-losses.ts';
import type { RemoteInstance } from '../../instances/remote/remote-instance.ts';
import type { ArchivedProject } from './archived-records.ts';
import { maxReadRecords } from './read-limit.ts';

export const relationsWithNotes = ['issues', 'merge_requests'] as const;
export type RelationWithNotes = (typeof relationsWithNotes)[number];

export interface ComparedNotes {
  changed: ContentDifference[];
  incomplete: MissingRecord[];
  /** Number of records whose notes were not compared: there are too many, or their list may not be read or is wrong. */
  uncomparedCount: number;
}

export interface NotesRequest {
  archive: Pick<ArchivedProject, 'records' | 'notes'>;
  listed: ListedRecords;
  projectId: number;
  remote: Pick<RemoteInstance, 'discussions'>;
  signal: AbortSignal;
}

/**
 * Compares the notes of all records that have notes on the side that is read first: the source of an export, the archive of an
 * import.
 */
export async function compareNotes(
  { archive, listed, projectId, remote, signal }: NotesRequest,
  lost: MissingRecord['lost'],
  findLosses: (notes: NotesToCompare) => NoteLosses,
): Promise<ComparedNotes> {
  const result: ComparedNotes = { changed: [], incomplete: [], uncomparedCount: 0 };
  let readCount = 0;
  for (const relation of relationsWithNotes) {
    const listedByKey = Map.groupBy(listed[relation] ?? [], ({ key }) => key);
    for (const [key, [record, second]] of Map.groupBy(archive.records[relation], (one) => one.key)) {
      const [found, other] = listedByKey.get(key) ?? [];
      const isUnique = key !== null && second === undefined && other === undefined;
      if (record === undefined || found === undefined || record.iid === null || !isUnique) continue;
      const archived = archive.notes[relation].get(record.line) ?? [];
      const hasNotes = lost === 'on-export' ? found.notes !== 0 : archived.length > 0;
      if (!hasNotes) continue;
      const notes = await readNotes(relation, found);
      if (notes === null) {
        result.uncomparedCount += 1;
        continue;
      }
      const losses = findLosses({ relation, record, archived, listed: notes.listed });
      result.changed.push(...losses.changed);
      if (losses.incomplete === null) continue;
      // A missing note may be one that the account may not see.
      if (lost === 'on-import' && notes.hasHidden) result.uncomparedCount += 1;
      else result.incomplete.push(losses.incomplete);
    }
  }
  return result;

  /** Returns null if the notes may not be read, their list contradicts itself, or too many were read already. */
  async function readNotes(
    relation: RelationWithNotes,
    record: ListedRecord,
  ): Promise<{ listed: ComparedNote[]; hasHidden: boolean } | null> {
    if (record.notes === 0) return { listed: [], hasHidden: false };
    if (record.iid === null || readCount >= maxReadRecords) return null;
    readCount += 1;
    const list = await remote.discussions(projectId, { relation, iid: record.iid }, signal);
    if (list === null || list.records === null) return null;
    return { listed: listedNotes(list.records), hasHidden: (list.hiddenCount ?? 0) > 0 };
  }
}

export function describeUncomparedNotes(uncomparedCount: number): string[] {
  if (uncomparedCount === 0) return [];
  const records =
    uncomparedCount === 1 ? '1 issue or merge request' : `${uncomparedCount} issues and merge requests`;
  return [
    `The notes of ${records} were only counted, not read: at most ${maxReadRecords} are read on each side, the account may not see all of them, or their list contradicts itself.`,
  ];
}
