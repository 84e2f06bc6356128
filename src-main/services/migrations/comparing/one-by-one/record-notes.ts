/**
 * @file Compares the notes of issues, merge requests, snippets and commits with those in the archive. Each of them costs a
 * request, because no list shows the notes of several. Only commits with notes in the archive are known.
 */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { Discussion, NoteableAddress } from '../../../../gitlab/projects/discussions.ts';
import type { PartColumns } from '../../../../gitlab/projects/record-parts.ts';
import type { ContentDifference } from '../../../../jobs/migrations/comparing/contents/content-differences.ts';
import {
  noteLossesOf,
  type NoteLosses,
  relationsWithNotes,
  type NoteDifferences,
  type NotesOnBothSides,
  type NotesToCompare,
  type RelationWithNotes,
} from '../../../../jobs/migrations/comparing/notes/changed-notes.ts';
import { commitNoteLosses } from '../../../../jobs/migrations/comparing/notes/commit-notes.ts';
import {
  listedNotes,
  type ComparedNote,
} from '../../../../jobs/migrations/comparing/notes/compared-notes.ts';
import type {
  ListedRecord,
  ListedRecords,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import type { PeoplePair } from '../../../../jobs/migrations/comparing/people/paired-people.ts';
import { parseTime } from '../../../../platform/clock.ts';
import { recordsByKey } from '../../../../jobs/migrations/comparing/records-by-key.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';
import type { ArchivedNotes, ArchivedProject } from '../sides/archived-records.ts';
import { maxReadRecords } from '../../../../../src-contract/transfers/comparison-forecast.ts';

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
  /** The lines of these records in the archive, by relation. */
  uncomparedLines: ReadonlyMap<string, ReadonlySet<number>>;
  /** Number of system notes that the target may have, but does not show. */
  maybeHiddenCount: number;
  /** Number of notes with a detail that only one side has, by the name of the detail. */
  ofOneSide: ReadonlyMap<string, number>;
  /** Number of records without comments of users whose system notes were not compared. */
  withoutCommentsCount: number;
  /** Number of notes whose reactions were not read. */
  unreadEmojiCount: number;
  /** Number of comments of the source without a sign of a reaction, in the archive as in their times. */
  untouchedCount: number;
  people: PeoplePair[];
}

export const noNotes: ComparedNotes = {
  ...{ changed: [], incomplete: [], missingCommitNotes: [] },
  ...{ commitNoteCount: null, uncomparedCount: 0, uncomparedLines: new Map() },
  ...{
    maybeHiddenCount: 0,
    ofOneSide: new Map(),
    withoutCommentsCount: 0,
    unreadEmojiCount: 0,
    untouchedCount: 0,
    people: [],
  },
};

export interface NotesRequest {
  archive: Pick<ArchivedProject, 'records' | 'notes' | 'commitNotes'>;
  listed: ListedRecords;
  projectId: number;
  remote: Pick<RemoteInstance, 'discussions' | 'recordPart'>;
  signal: AbortSignal;
}

/**
 * Compares the notes of all records that may have notes on the side that is read first: the source of an export, the
 * archive of an import. Records with comments of users come first. No list shows which others have system notes.
 */
export async function compareNotes(
  { archive, listed, projectId, remote, signal }: NotesRequest,
  lost: MissingRecord['lost'],
  findDifferences: (notes: NotesOnBothSides) => NoteDifferences,
): Promise<ComparedNotes> {
  const ofOneSide = new Map<string, number>();
  const uncomparedLines = new Map<string, Set<number>>();
  const result: ComparedNotes = {
    ...{ ...noNotes, changed: [], incomplete: [], missingCommitNotes: [], people: [], ofOneSide },
    uncomparedLines,
  };
  const addUncompared = ({ relation, record }: Pick<RecordWithNotes, 'relation' | 'record'>): void => {
    uncomparedLines.set(relation, (uncomparedLines.get(relation) ?? new Set()).add(record.line));
  };
  let [readCount, reactionCount] = [0, 0];
  // A large project has many records, so they are found twice instead of kept.
  const inOrder = [true, false]
    .values()
    .flatMap((first) =>
      recordsWithNotes(archive, listed, lost).filter(({ hasComments }) => hasComments === first),
    );
  for (const { address, archived, hasComments, ...notes } of inOrder) {
    const unreadEmojiBefore = result.unreadEmojiCount;
    const read = archived === null ? null : await readNotes(address, archived);
    if (read === null || result.unreadEmojiCount > unreadEmojiBefore) addUncompared(notes);
    if (archived === null || read === null) {
      if (hasComments) result.uncomparedCount += 1;
      else result.withoutCommentsCount += 1;
      continue;
    }
    const losses = noteLossesOf(notes, findDifferences({ archived, listed: read.listed }));
    result.changed.push(...losses.changed);
    result.people.push(...losses.people);
    const visible = withoutHiddenNotes(losses, lost === 'on-import' ? read.hiddenCount : 0);
    result.maybeHiddenCount += visible.maybeHiddenCount;
    for (const name of losses.ofOneSide) ofOneSide.set(name, (ofOneSide.get(name) ?? 0) + 1);
    // A hidden note of the source may be one that the export lost.
    const mayHideLoss = lost === 'on-export' && read.hiddenCount > 0;
    if (visible.hasHiddenComments || visible.maybeHiddenCount > 0 || mayHideLoss) addUncompared(notes);
    if (visible.hasHiddenComments) result.uncomparedCount += 1;
    else result.incomplete.push(...visible.incomplete);
  }
  let commitNoteCount: number | null = 0;
  for (const [sha, archived] of archive.commitNotes) {
    const read = await readNotes({ relation: 'repository/commits', id: sha }, []);
    const isKnown = read !== null && !(lost === 'on-import' && read.hiddenCount > 0);
    if (!isKnown) {
      result.uncomparedCount += 1;
      commitNoteCount = null;
      continue;
    }
    const differences = findDifferences({
      archived: archived.map(({ note }) => note),
      listed: read.listed.filter(({ isSystem }) => !isSystem),
    });
    const losses = commitNoteLosses(sha, archived, differences);
    result.changed.push(...losses.changed);
    result.missingCommitNotes.push(...losses.missing);
    result.people.push(...losses.people);
    const count = lost === 'on-export' ? differences.expected : archived.length - losses.missing.length;
    if (commitNoteCount !== null) commitNoteCount += count;
  }
  return { ...result, commitNoteCount };

  /** Returns null if the notes may not be read, their list contradicts itself, or too many were read already. */
  async function readNotes(
    address: NoteableAddress,
    archived: readonly ComparedNote[],
  ): Promise<{ listed: ComparedNote[]; hiddenCount: number } | null> {
    if (readCount >= maxReadRecords) return null;
    readCount += 1;
    const list = await remote.discussions(projectId, address, signal);
    if (list === null || list.records === null) return null;
    const discussions = await withEmoji(address, list.records, archived);
    return { listed: listedNotes(discussions), hiddenCount: list.hiddenCount ?? 0 };
  }

  /**
   * Adds the reactions to the notes that have reactions in the archive, and on the source to comments that changed after
   * they were written, as newer versions of GitLab change them with a reaction. No list shows reactions.
   */
  async function withEmoji(
    { relation, id }: NoteableAddress,
    discussions: readonly Discussion[],
    archived: readonly ComparedNote[],
  ): Promise<readonly Discussion[]> {
    const withReactions = archived.filter(({ contents }) => (contents['emoji'] ?? '') !== '');
    if (relation === 'repository/commits') return discussions;
    const seconds = new Set(withReactions.map(({ createdAt }) => secondOf(createdAt)));
    const columns = new Map<unknown, PartColumns>();
    for (const { id: note, created_at: at, updated_at: changedAt, system } of discussions.flatMap(
      ({ notes }) => notes,
    )) {
      if (typeof note !== 'number' || typeof at !== 'string') continue;
      const isArchived = seconds.has(secondOf(parseTime(at)));
      if (!isArchived) {
        if (lost === 'on-import' || system === true) continue;
        if (changedAt === at) {
          result.untouchedCount += 1;
          continue;
        }
      }
      if (isArchived) readCount += 1;
      else reactionCount += 1;
      const read =
        (isArchived ? readCount : reactionCount) > maxReadRecords
          ? null
          : await remote.recordPart(projectId, { part: 'award-emoji', relation, id, note }, signal);
      if (read === null) result.unreadEmojiCount += 1;
      else columns.set(note, read);
    }
    return discussions.map((discussion) => ({
      ...discussion,
      notes: discussion.notes.map((note) => ({ ...note, ...columns.get(note['id']) })),
    }));
  }
}

const secondOf = (time: number | null): number => Math.floor((time ?? 0) / 1000);

type RecordWithNotes = Pick<NotesToCompare, 'relation' | 'record'> & {
  hasComments: boolean;
  /** Null if they are not kept in memory. */
  archived: readonly ComparedNote[] | null;
  address: NoteableAddress;
};

function* recordsWithNotes(
  archive: NotesRequest['archive'],
  listed: ListedRecords,
  lost: MissingRecord['lost'],
): Generator<RecordWithNotes, void, undefined> {
  for (const relation of relationsWithNotes) {
    const listedByKey = recordsByKey(listed[relation] ?? []);
    for (const [key, [record, second]] of recordsByKey(archive.records[relation])) {
      const [found, other] = listedByKey.get(key) ?? [];
      const isUnique = key !== null && second === undefined && other === undefined;
      if (record === undefined || found === undefined || !isUnique) continue;
      const { notes: archived, hasComments } = archive.notes[relation].get(record.line) ?? withoutNotes;
      const id = idOf(relation, found);
      if (id === null || (lost === 'on-import' && archived?.length === 0)) continue;
      const hasAny = lost === 'on-export' ? found.notes !== 0 : hasComments;
      yield { relation, record, archived, hasComments: hasAny, address: { relation, id } };
    }
  }
}

/** GitLab addresses issues and merge requests by iid. Snippets have none. */
const idOf = (relation: RelationWithNotes, { id, iid }: ListedRecord): number | null =>
  relation === 'snippets' ? id : iid;

const withoutNotes: ArchivedNotes = { hasComments: false, notes: [] };

/**
 * GitLab says how many notes it hides, but not which. These are system notes if enough of them are missing, because all
 * readers see the comments of users, except for internal ones.
 */
function withoutHiddenNotes({ incomplete, maybeHiddenCount }: NoteLosses, hiddenCount: number) {
  const comments = incomplete.filter(({ part }) => part?.name === 'notes');
  const missingSystemNotes = incomplete
    .filter((record) => !comments.includes(record))
    .reduce(
      (sum, { part }) => sum + (part !== null && 'expected' in part ? part.expected - part.found : 0),
      0,
    );
  if (hiddenCount <= maybeHiddenCount) return { incomplete, maybeHiddenCount, hasHiddenComments: false };
  const hiddenSystemNotes = maybeHiddenCount + missingSystemNotes;
  const hasHiddenComments = comments.length > 0 && hiddenCount > hiddenSystemNotes;
  return { incomplete: comments, maybeHiddenCount: hiddenSystemNotes, hasHiddenComments };
}

/** @param source null if the source was not read. */
export function describeUncomparedNotes(source: ComparedNotes | null, target: ComparedNotes): string[] {
  const { maybeHiddenCount } = target;
  const withoutCommentsCount = target.withoutCommentsCount + (source?.withoutCommentsCount ?? 0);
  const uncomparedCount = target.uncomparedCount + (source?.uncomparedCount ?? 0);
  const ofOneSide = [source, target].flatMap((side) => [...(side?.ofOneSide ?? [])]);
  const details = [...Map.groupBy(ofOneSide, ([name]) => name)].map(
    ([name, counts]) => `${name} (${counts.reduce((sum, [, count]) => sum + count, 0)})`,
  );
  return [
    ...(uncomparedCount === 0
      ? []
      : [
          `The notes of ${countNoted(uncomparedCount)} were not compared: at most ${maxReadRecords} are read on each side, the account may not see all of them, or their list contradicts itself.`,
        ]),
    ...(maybeHiddenCount === 0
      ? []
      : [
          `The target does not show ${maybeHiddenCount === 1 ? '1 system note' : `${maybeHiddenCount} system notes`} of the archive. GitLab hides system notes that mention what the account cannot see, so it is not known whether they were lost.`,
        ]),
    ...(details.length === 0
      ? []
      : [
          `These details of notes were not compared, because only one side shows them (number of notes): ${details.join(', ')}.`,
        ]),
    ...(withoutCommentsCount === 0
      ? []
      : [
          `The system notes of ${countRecords(withoutCommentsCount)} without comments were not compared: at most ${maxReadRecords} records are read on each side, and the account may not see all of them.`,
        ]),
  ];
}

/** Returns a remark on the notes whose reactions were not requested. @param source null if the source was not read. */
export function describeUntouchedNotes(source: ComparedNotes | null): string[] {
  const count = source?.untouchedCount ?? 0;
  if (count === 0) return [];
  return [
    `The reactions to ${count === 1 ? '1 note' : `${count} notes`} were not requested from the source: the archive has none, and nothing changed there since the writing. Newer versions of GitLab change a note with each reaction.`,
  ];
}

const countRecords = (count: number): string =>
  count === 1 ? '1 issue or merge request' : `${count} issues and merge requests`;
const countNoted = (count: number): string =>
  count === 1
    ? '1 issue, merge request, snippet or commit'
    : `${count} issues, merge requests, snippets and commits`;
