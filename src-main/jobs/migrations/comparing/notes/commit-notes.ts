/**
 * @file Names the notes on commits that were lost, or whose fields differ. An archive stores each as a record of its own.
 * Pure.
 */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { commitNotes } from '../../../../../src-contract/relations.ts';
import type { NoteDifferences } from './changed-notes.ts';
import type { ComparedNote } from './compared-notes.ts';
import type { ContentDifference } from '../contents/content-differences.ts';
import { pairNoteAuthor, type PeoplePair } from '../people/paired-people.ts';
import { valueText } from '../contents/field-values.ts';

export interface ArchivedCommitNote {
  line: number;
  note: ComparedNote;
}

/** The notes of an archive by the SHA of their commit. */
export type ArchivedCommitNotes = ReadonlyMap<string, readonly ArchivedCommitNote[]>;

export interface CommitNoteLosses {
  changed: ContentDifference[];
  missing: MissingRecord[];
  /** The authors of the notes that both sides have. */
  people: PeoplePair[];
}

export function commitNoteLosses(
  sha: string,
  archived: readonly ArchivedCommitNote[],
  { lost, changed, missing, pairs }: NoteDifferences,
): CommitNoteLosses {
  const lines = new Map(archived.map(({ line, note }) => [note, line]));
  return {
    changed: changed.map(({ note, other, ...difference }) => {
      const inArchive = lines.has(note) ? note : other;
      const record = { line: lines.get(inArchive) ?? 0, iid: null, title: titleOf(sha, inArchive) };
      return { relation: commitNotes, record, lost, ...difference };
    }),
    missing: missing.map((note) => ({
      ...{ relation: commitNotes, lost, line: lines.get(note) ?? null, iid: null },
      ...{ title: titleOf(sha, note), part: null },
    })),
    people: pairs.flatMap(([note, other]) => {
      const record = { line: lines.get(note) ?? 0, iid: null, title: titleOf(sha, note) };
      return pairNoteAuthor(commitNotes, record, 'author', note, other);
    }),
  };
}

const titleOf = (sha: string, { contents }: ComparedNote): string =>
  `${sha.slice(0, 8)}: ${valueText(contents['text'] ?? '')}`;
