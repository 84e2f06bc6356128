/**
 * @file Compares the notes of issues, merge requests, snippets and commits with those in the archive. Each of them costs a
 * request, because no list shows the notes of several. Only commits with notes in the archive are known.
 */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { NoteableAddress } from '../../../../gitlab/projects/discussions.ts';
import type { ContentDifference } from '../../../../jobs/migrations/comparing/contents/content-differences.ts';
import {
  noteLossesOf,
  relationsWithNotes,
  type NoteDifferences,
  type NotesOnBothSides,
  type NotesToCompare,
  type RelationWithNotes,
} from '../../../../jobs/migrations/comparing/contents/changed-notes.ts';
import { commitNoteLosses } from '../../../../jobs/migrations/comparing/contents/commit-notes.ts';
import {
  listedNotes,
  type ComparedNote,
} from '../../../../jobs/migrations/comparing/contents/compared-notes.ts';
import type {
  ListedRecord,
  ListedRecords,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';
import type { ArchivedProject } from '../archived-records.ts';
import { maxReadRecords } from './read-limit.ts';

export interface ComparedNotes {
  changed: ContentDifference[];
  /** Records that lack notes. */
  incomplete: MissingRecord[];
  missingCommitNotes: MissingRecord[];
  /** Number of notes on the archive's commits; null if not all of these were read. */
  commitNoteCount: number | null;
  /**
   * Number of records and commits whose notes were not compared: there are too many, or their list may not be read or is
   * wrong.
   */
  uncomparedCount: number;
}

export const noNotes: ComparedNotes = {
  ...{ changed: [], incomplete: [], missingCommitNotes: [] },
  ...{ commitNoteCount: null, uncomparedCount: 0 },
};

export interface NotesRequest {
  archive: Pick<ArchivedProject, 'records' | 'notes' | 'commitNotes'>;
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
  findDifferences: (notes: NotesOnBothSides) => NoteDifferences,
): Promise<ComparedNotes> {
  const result: ComparedNotes = { ...noNotes, changed: [], incomplete: [], missingCommitNotes: [] };
  let readCount = 0;
  for (const { address, ...notes } of recordsWithNotes(archive, listed, lost)) {
    const read = address === null ? { listed: [], hasHidden: false } : await readNotes(address);
    if (read === null) {
      result.uncomparedCount += 1;
      continue;
    }
    const losses = noteLossesOf(notes, findDifferences({ ...notes, listed: read.listed }));
    result.changed.push(...losses.changed);
    if (losses.incomplete === null) continue;
    // A missing note may be one that the account may not see.
    if (lost === 'on-import' && read.hasHidden) result.uncomparedCount += 1;
    else result.incomplete.push(losses.incomplete);
  }
  let commitNoteCount: number | null = 0;
  for (const [sha, archived] of archive.commitNotes) {
    const read = await readNotes({ relation: 'repository/commits', id: sha });
    const isKnown = read !== null && !(lost === 'on-import' && read.hasHidden);
    if (!isKnown) {
      result.uncomparedCount += 1;
      commitNoteCount = null;
      continue;
    }
    const differences = findDifferences({ archived: archived.map(({ note }) => note), listed: read.listed });
    const losses = commitNoteLosses(sha, archived, differences);
    result.changed.push(...losses.changed);
    result.missingCommitNotes.push(...losses.missing);
    const count = lost === 'on-export' ? differences.expected : archived.length - losses.missing.length;
    if (commitNoteCount !== null) commitNoteCount += count;
  }
  return { ...result, commitNoteCount };

  /** Returns null if the notes may not be read, their list contradicts itself, or too many were read already. */
  async function readNotes(
    address: NoteableAddress,
  ): Promise<{ listed: ComparedNote[]; hasHidden: boolean } | null> {
    if (readCount >= maxReadRecords) return null;
    readCount += 1;
    const list = await remote.discussions(projectId, address, signal);
    if (list === null || list.records === null) return null;
    return { listed: listedNotes(list.records), hasHidden: (list.hiddenCount ?? 0) > 0 };
  }
}

type RecordWithNotes = Omit<NotesToCompare, 'listed'> & {
  /** Null for a record that is known to have no notes. */
  address: NoteableAddress | null;
};

function* recordsWithNotes(
  archive: NotesRequest['archive'],
  listed: ListedRecords,
  lost: MissingRecord['lost'],
): Generator<RecordWithNotes, void, undefined> {
  for (const relation of relationsWithNotes) {
    const listedByKey = Map.groupBy(listed[relation] ?? [], ({ key }) => key);
    for (const [key, [record, second]] of Map.groupBy(archive.records[relation], (one) => one.key)) {
      const [found, other] = listedByKey.get(key) ?? [];
      const isUnique = key !== null && second === undefined && other === undefined;
      if (record === undefined || found === undefined || !isUnique) continue;
      const archived = archive.notes[relation].get(record.line) ?? [];
      const id = idOf(relation, found);
      const hasNotes = lost === 'on-export' ? found.notes !== 0 : archived.length > 0;
      if (!hasNotes || id === null) continue;
      yield { relation, record, archived, address: found.notes === 0 ? null : { relation, id } };
    }
  }
}

/** GitLab addresses issues and merge requests by iid. Snippets have none. */
const idOf = (relation: RelationWithNotes, { id, iid }: ListedRecord): number | null =>
  relation === 'snippets' ? id : iid;

export function describeUncomparedNotes(uncomparedCount: number): string[] {
  if (uncomparedCount === 0) return [];
  const records =
    uncomparedCount === 1
      ? '1 issue, merge request, snippet or commit'
      : `${uncomparedCount} issues, merge requests, snippets and commits`;
  return [
    `The notes of ${records} were not compared: at most ${maxReadRecords} are read on each side, the account may not see all of them, or their list contradicts itself.`,
  ];
}
