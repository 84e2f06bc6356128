import { expect, it } from 'vitest';
import {
  noteDifferencesOnExport,
  noteDifferencesOnImport,
} from '../../../../../src-main/jobs/migrations/comparing/notes/changed-notes.ts';
import {
  commitNoteLosses,
  type ArchivedCommitNote,
} from '../../../../../src-main/jobs/migrations/comparing/notes/commit-notes.ts';
import {
  archivedNotes,
  listedNotes,
} from '../../../../../src-main/jobs/migrations/comparing/notes/compared-notes.ts';

const sha = 'c0ffee'.repeat(6);
const times = { created_at: '2026-11-20T10:00:00.000Z', updated_at: '2026-11-20T10:00:00.000Z' };
/** No record of the target changed later. */
const importedAt = Infinity;
const exportedAt = Date.parse('2026-11-20T12:00:00Z');

const archive = (...texts: string[]): ArchivedCommitNote[] =>
  archivedNotes({ notes: texts.map((note) => ({ note, ...times, author: { name: 'Mel' } })) }).map(
    (note, index) => ({ line: index + 5, note }),
  );
const list = (...texts: string[]) =>
  listedNotes(texts.map((body) => ({ id: body, notes: [{ body, ...times }] })));
const notesOf = (archived: ArchivedCommitNote[], texts: string[]) => ({
  archived: archived.map(({ note }) => note),
  listed: list(...texts),
});

it('a note on a commit that the target lacks is named with its commit, text and line', () => {
  const archived = archive('One', 'Two');
  const losses = commitNoteLosses(
    sha,
    archived,
    noteDifferencesOnImport(notesOf(archived, ['One\n\n *By Mel on 2026-11-20T10:00:00*']), importedAt),
  );
  expect(losses).toEqual({
    ...{ changed: [], people: [] },
    missing: [
      { relation: 'commit_notes', lost: 'on-import', line: 6, iid: null, title: 'c0ffeec0: Two', part: null },
    ],
  });
});

it('a note on a commit that the archive lacks has no line', () => {
  const archived = archive('One');
  const { missing } = commitNoteLosses(
    sha,
    archived,
    noteDifferencesOnExport(notesOf(archived, ['One', 'Two']), exportedAt),
  );
  expect(missing).toMatchObject([{ lost: 'on-export', line: null, title: 'c0ffeec0: Two' }]);
});

it.each([
  ['on-import', 'One', 'Other'],
  ['on-export', 'Other', 'One'],
] as const)(
  'a note on a commit that differs %s is named by its text in the archive',
  (lost, expected, found) => {
    const archived = archive('One');
    const notes = notesOf(archived, ['Other']);
    const differences =
      lost === 'on-export'
        ? noteDifferencesOnExport(notes, exportedAt)
        : noteDifferencesOnImport(notes, importedAt);
    expect(commitNoteLosses(sha, archived, differences).changed).toEqual([
      {
        ...{ relation: 'commit_notes', lost, name: 'text', expected, found, isCertain: true },
        record: { line: 5, iid: null, title: 'c0ffeec0: One' },
      },
    ]);
  },
);
