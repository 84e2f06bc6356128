import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  archivedNotes,
  listedNotes,
  noteFieldNames,
} from '../../../../../src-main/jobs/migrations/comparing/notes/compared-notes.ts';
import {
  noteDifferencesOnExport,
  noteDifferencesOnImport,
  noteLossesOf,
  withSilentChanges,
  type NotesToCompare,
} from '../../../../../src-main/jobs/migrations/comparing/notes/changed-notes.ts';
import { changedNoteValues } from '../../../../support/migrations/changed-values.ts';

const notesLostOnExport = (notes: NotesToCompare, at: number) =>
  noteLossesOf(notes, noteDifferencesOnExport(notes, at));
const notesLostOnImport = (notes: NotesToCompare, at: number) =>
  noteLossesOf(notes, noteDifferencesOnImport(notes, at));

type Fields = Record<string, unknown>;
const time = (minute: number): string => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;
const exportedAt = Date.parse('2026-11-20T12:00:00Z');
const importedAt = Date.parse('2026-11-20T13:00:00Z');

/** A note as an archive contains it. */
const inArchive = (minute: number, note: string, more: Fields = {}): Fields => ({
  ...{ note, created_at: time(minute), updated_at: time(minute), system: false, author: { name: 'Mel' } },
  ...{ discussion_id: `d${minute}`, type: null, position: null, resolved_at: null, confidential: null },
  ...more,
});
/** A system note as an archive contains it. */
const inSystem = (minute: number, note: string, action: string | null): Fields =>
  inArchive(minute, note, { system: true, system_note_metadata: action === null ? null : { action } });
/** The same note as GitLab lists it. */
const inList = (minute: number, body: string, more: Fields = {}): Fields => ({
  ...{ body, created_at: time(minute), updated_at: time(minute), system: false, thread: `t${minute}` },
  ...{ type: null, confidential: false, ...more },
});

function compare(
  archive: Fields[],
  list: Fields[],
  { lost = 'on-import', endedAt = importedAt }: { lost?: 'on-import' | 'on-export'; endedAt?: number } = {},
) {
  const discussions = Map.groupBy(list, ({ thread }) => String(thread));
  const notes = {
    relation: 'issues' as const,
    record: { line: 4, iid: 7, title: 'Anchor', key: '7', notes: null, createdAt: null, updatedAt: null },
    archived: archivedNotes({ notes: archive }),
    listed: listedNotes([...discussions].map(([id, members]) => ({ id, notes: members }))),
  };
  return lost === 'on-import' ? notesLostOnImport(notes, endedAt) : notesLostOnExport(notes, exportedAt);
}
const nothing = {
  ...{ changed: [], incomplete: [], maybeHiddenCount: 0, ofOneSide: [], people: [] },
};

const suggestion = { applied: false, from_content: 'tie', to_content: 'tied' };
const suggesting = { type: 'DiffNote', suggestions: [suggestion] };

it('a suggestion that is applied on the target is a certain loss, unless the comparison came later', () => {
  const applied = { type: 'DiffNote', suggestions: [{ ...suggestion, applied: true }] };
  const { changed } = compare([inArchive(1, 'One', suggesting)], [inList(1, 'Two', applied)]);
  const certainOf = (differences: typeof changed): [string, boolean][] =>
    differences.map(({ name, isCertain }) => [name.split(' ')[0] ?? '', isCertain]);
  expect(certainOf(changed)).toEqual([
    ['text', true],
    ['suggestions', true],
  ]);
  expect(certainOf(withSilentChanges(changed))).toEqual([
    ['text', true],
    ['suggestions', false],
  ]);
});

it('the loss of one of two equal suggestions is found', () => {
  const twice = { ...suggesting, suggestions: [suggestion, suggestion] };
  const { changed } = compare([inArchive(1, 'One', twice)], [inList(1, 'One', suggesting)]);
  expect(changed).toHaveLength(1);
});

it('suggestions that only one side shows are counted', () => {
  const shown = [inArchive(1, 'One', suggesting)];
  expect(compare(shown, [inList(1, 'One', { type: 'DiffNote' })])).toMatchObject({
    ofOneSide: ['suggestions'],
  });
  const empty = [inArchive(1, 'One', { type: 'DiffNote', suggestions: [] })];
  expect(compare(empty, [inList(1, 'One', { type: 'DiffNote' })])).toMatchObject({
    ofOneSide: [],
  });
});

describe('a note', () => {
  it('is missing on the target, and is named with its time and text, even if another one occurs twice', () => {
    const archive = [inArchive(1, 'One'), inArchive(2, 'Two')];
    const lost = {
      ...{ relation: 'issues', lost: 'on-import', line: 4, iid: 7, title: 'Anchor' },
      part: { name: 'notes', expected: 2, found: 1, missing: ['2026-11-20T10:02:00.000Z: Two'] },
    };
    expect(compare(archive, [inList(1, 'One')])).toEqual({ ...nothing, incomplete: [lost] });
    expect(compare(archive, [inList(1, 'One'), inList(1, 'One')])).toEqual({
      ...nothing,
      incomplete: [lost],
    });
  });

  it('that the archive lacks was lost on export, unless it is newer', () => {
    const one = [inArchive(1, 'One')];
    const { incomplete } = compare(one, [inList(1, 'One'), inList(2, 'Two')], { lost: 'on-export' });
    expect(incomplete).toMatchObject([{ lost: 'on-export', part: { expected: 2, found: 1 } }]);
    const later = { created_at: '2026-11-20T12:00:01.000Z' };
    expect(compare(one, [inList(1, 'One'), inList(2, 'Two', later)], { lost: 'on-export' })).toEqual(nothing);
  });

  it('whose thread lost its first note on the source after the export is no loss', () => {
    const thread = { discussion_id: 'd1', type: 'DiscussionNote' };
    const archive = [inArchive(1, 'One', thread), inArchive(2, 'Two', thread), inArchive(3, 'Three', thread)];
    const list = [inList(2, 'Two', { thread: 't1' }), inList(3, 'Three', { thread: 't1' })];
    expect(compare(archive, list, { lost: 'on-export' })).toEqual(nothing);
    const other = [2, 3].map((minute) => inList(minute, minute === 2 ? 'Two' : 'Three', { thread: 't9' }));
    expect(compare(archive, [inList(1, 'One'), ...other], { lost: 'on-export' }).changed).toHaveLength(2);
  });

  it('with another text has changed, unless it was edited after the import', () => {
    expect(compare([inArchive(1, 'One')], [inList(1, 'On')]).changed).toMatchObject([
      { name: 'text of the note of 2026-11-20T10:01:00.000Z', expected: 'One', found: 'On', isCertain: true },
    ]);
    const edited = { updated_at: '2026-11-20T13:00:01.000Z' };
    expect(compare([inArchive(1, 'One')], [inList(1, 'On', edited)]).changed).toMatchObject([
      { isCertain: false },
    ]);
    const endedAt = Date.parse(edited.updated_at);
    expect(compare([inArchive(1, 'One')], [inList(1, 'On', edited)], { endedAt }).changed).toMatchObject([
      { isCertain: true },
    ]);
  });

  it('that was edited on the source after the export may differ', () => {
    const edited = { updated_at: '2026-11-20T12:00:01.000Z' };
    const compared = compare([inArchive(1, 'One')], [inList(1, 'One, edited', edited)], {
      lost: 'on-export',
    });
    expect(compared.changed).toMatchObject([{ expected: 'One, edited', found: 'One', isCertain: false }]);
    const cut = compare([inArchive(1, 'O')], [inList(1, 'One')], { lost: 'on-export' });
    expect(cut.changed).toMatchObject([{ isCertain: true }]);
  });

  it.each([
    ['names its author', 'One', 'One\n\n *By Mel on 2026-11-20T10:01:00*'],
    [
      'names its author as some versions do',
      'One',
      'One\n\n *By Mel on 2026-11-20T10:01:00 (imported from GitLab)*',
    ],
    [
      'names its author as old versions do',
      'One',
      'One\n\n *By Mel on 2026-11-20T10:01:00 (imported from GitLab project)*',
    ],
    ['had no text and names its author', '', '*Blank note*\n\n *By Mel on 2026-11-20T10:01:00*'],
  ])('that %s is unchanged, because an import without user mapping adds the name', (_rule, note, body) => {
    expect(compare([inArchive(1, note)], [inList(1, body)])).toEqual(nothing);
    expect(compare([inArchive(1, note)], [inList(1, body.replace('Mel', 'Pat'))]).changed).toHaveLength(1);
    expect(compare([inArchive(1, note)], [inList(1, body)], { lost: 'on-export' }).changed).toHaveLength(1);
  });

  it('of the system is compared apart from the comments of users, and is no loss if only the target has it', () => {
    const archive = [inArchive(1, 'One'), inSystem(2, 'changed the description', 'description')];
    const list = [inList(1, 'One'), inList(2, 'changed the description', { system: true })];
    expect(compare(archive, list)).toEqual(nothing);
    expect(compare([inArchive(1, 'One')], list)).toEqual(nothing);
    const { incomplete } = compare(archive, [inList(1, 'One'), inList(2, 'changed the description')]);
    expect(incomplete).toMatchObject([
      {
        part: {
          name: 'system notes',
          expected: 1,
          found: 0,
          missing: [`${time(2)}: changed the description`],
        },
      },
    ]);
    const other = [inList(1, 'One'), inList(2, 'changed the title', { system: true })];
    expect(compare(archive, other).changed).toMatchObject([
      { name: `text of the system note of ${time(2)}`, found: 'changed the title', isCertain: true },
    ]);
  });

  it.each([
    ['with an action that mentions another record', inSystem(1, 'marked #4 as related', 'relate')],
    ['without an action that mentions another record', inSystem(1, 'mentioned in merge request b/c!4', null)],
    ['with an unknown action', inSystem(1, 'did something', 'something_new')],
  ])('of the system %s may be hidden on the target, but not in the archive', (_rule, note) => {
    expect(compare([note], [])).toEqual({ ...nothing, maybeHiddenCount: 1 });
    const list = [inList(1, String(note['note']), { system: true })];
    expect(compare([], list, { lost: 'on-export' }).incomplete).toHaveLength(1);
  });

  it('that became public, unresolved, or moved in the diff has changed', () => {
    const position = { old_path: 'a', old_line: null, new_path: 'a', new_line: 3 };
    const diffNote = { type: 'DiffNote', position };
    const archive = [inArchive(1, 'One', { ...diffNote, confidential: true, resolved_at: time(9) })];
    const moved = { ...position, new_line: 4 };
    const list = [inList(1, 'One', { ...diffNote, internal: false, resolved: false, position: moved })];
    const { changed } = compare(archive, list);
    expect(changed).toMatchObject([
      { name: expect.stringMatching(/^resolved/) as string, expected: 'true', found: 'false' },
      { name: expect.stringMatching(/^internal/) as string, expected: 'true', found: 'false' },
      { name: expect.stringMatching(/^position/) as string, expected: 'a: a:3', found: 'a: a:4' },
    ]);
    const onExport = compare(archive, list, { lost: 'on-export' }).changed;
    expect(onExport.map(({ isCertain }) => isCertain)).toEqual([false, true, false]);
  });

  it('that left its thread has changed, and one whose thread lost its first note has not', () => {
    const archive = [
      inArchive(1, 'Question', { discussion_id: 'd' }),
      inArchive(2, 'Answer', { discussion_id: 'd' }),
    ];
    const together = [inList(1, 'Question', { thread: 't' }), inList(2, 'Answer', { thread: 't' })];
    expect(compare(archive, together)).toEqual(nothing);
    expect(compare(archive, [inList(1, 'Question'), inList(2, 'Answer')]).changed).toMatchObject([
      { name: 'thread of the note of 2026-11-20T10:02:00.000Z', expected: time(1), found: '' },
    ]);
    expect(compare(archive, [inList(2, 'Answer')])).toMatchObject({
      changed: [],
      incomplete: [{ part: { expected: 2, found: 1 } }],
    });
  });
});

it('a comment on a diff that became a plain one is changed, and its details of one side are named', () => {
  const resolved = { type: 'DiffNote', resolved_at: time(5), position: { new_path: 'a', new_line: 1 } };
  const { changed, ofOneSide } = compare([inArchive(1, 'One', resolved)], [inList(1, 'One')]);
  expect(changed).toMatchObject([{ name: 'type of the note of 2026-11-20T10:01:00.000Z' }]);
  expect(ofOneSide).toEqual(['resolved', 'resolved_at', 'position', 'position_type']);
});

describe('the position of a comment on a diff', () => {
  const position = {
    ...{ base_sha: 'b', start_sha: 's', head_sha: 'h', old_path: 'a', new_path: 'a', position_type: 'text' },
    ...{ old_line: null, new_line: 20 },
  };
  const oldRange = {
    ...{ start_line_code: 'c_0_10', start_line_type: 'new', end_line_code: 'c_5_20', end_line_type: null },
  };
  const newRange = {
    start: { line_code: 'c_0_10', type: 'new', old_line: null, new_line: 10 },
    end: { line_code: 'c_5_20', type: null, old_line: 5, new_line: 20 },
  };
  const at = (more: Fields): Fields => ({ type: 'DiffNote', position: { ...position, ...more } });
  const differing = (before: Fields, after: Fields, lost: 'on-import' | 'on-export' = 'on-import') => {
    const [archive, list] = lost === 'on-import' ? [before, after] : [after, before];
    const { changed, ofOneSide } = compare([inArchive(1, 'One', at(archive))], [inList(1, 'One', at(list))], {
      lost,
    });
    const names = changed.map(
      ({ name, expected, found, isCertain }) =>
        `${name.split(' ')[0] ?? ''}: ${expected} → ${found}${isCertain ? '' : '?'}`,
    );
    return [...names, ...ofOneSide];
  };

  it('has lost its range of lines, its commits, its type or its point', () => {
    expect(differing({ line_range: newRange }, { line_range: null })).toEqual([
      'line_range: c_0_10 new :10 to c_5_20 5:20 → ',
    ]);
    expect(differing({}, { base_sha: 'B', start_sha: 'S', head_sha: 'H' })).toEqual([
      'diff_refs: b s h → B S H',
    ]);
    const image = { position_type: 'image', new_line: undefined, x: 10, y: 20, width: 100, height: 50 };
    expect(differing(image, { ...image, x: 99 })).toEqual(['image_point: 10,20 of 100×50 → 99,20 of 100×50']);
    expect(differing(image, { position_type: 'text', new_line: undefined })).toEqual([
      'position_type: image → text',
      'image_point: 10,20 of 100×50 → ',
    ]);
    expect(differing({ ignore_whitespace_change: true }, { ignore_whitespace_change: false })).toEqual([
      'ignore_whitespace_change: true → false',
    ]);
  });

  it('differs from the source after a push, which is no certain loss', () => {
    expect(differing({ line_range: newRange, head_sha: 'later' }, {}, 'on-export')).toEqual([
      'diff_refs: b s later → b s h?',
      'line_range',
    ]);
    const moved = { line_range: { ...newRange, end: newRange.start } };
    expect(differing(moved, { line_range: newRange }, 'on-export')).toEqual([
      'line_range: c_0_10 new :10 to c_0_10 new :10 → c_0_10 new :10 to c_5_20 5:20?',
    ]);
  });

  it('is equal in the old and the new form of a range, which newer imports rewrite', () => {
    expect(differing({ line_range: oldRange }, { line_range: newRange })).toEqual([]);
    expect(differing({ line_range: oldRange }, { line_range: oldRange })).toEqual([]);
    const other = { ...oldRange, end_line_code: 'c_5_21' };
    expect(differing({ line_range: other }, { line_range: newRange })).toHaveLength(1);
  });

  it('is equal without the details that older versions do not have, unless they have a value', () => {
    const newer = { line_range: null, ignore_whitespace_change: false };
    const { position_type: _, ...older } = position;
    const archive = [inArchive(1, 'One', { type: 'DiffNote', position: older })];
    expect(compare(archive, [inList(1, 'One', at(newer))])).toEqual(nothing);
    expect(differing({ line_range: newRange }, {})).toEqual(['line_range']);
  });
});

describe('the time at which a thread was resolved', () => {
  const resolved = (text: string) => ({ resolved_at: text, resolved: true, type: 'DiscussionNote' });
  const certainties = (before: string, after: string, lost: 'on-import' | 'on-export') => {
    const [archive, list] = lost === 'on-import' ? [before, after] : [after, before];
    return compare([inArchive(1, 'One', resolved(archive))], [inList(1, 'One', resolved(list))], {
      lost,
    }).changed.map(({ name, isCertain }) => [name.split(' ')[0], isCertain]);
  };

  it('is lost if it is another one, unless the thread was resolved after the export or the import', () => {
    expect(certainties(time(5), time(6), 'on-import')).toEqual([['resolved_at', true]]);
    expect(certainties(time(5), '2026-11-20T13:00:01Z', 'on-import')).toEqual([['resolved_at', false]]);
    expect(certainties(time(5), time(6), 'on-export')).toEqual([['resolved_at', true]]);
    expect(certainties('2026-11-20T12:00:01Z', time(6), 'on-export')).toEqual([['resolved_at', false]]);
    expect(certainties(time(5), '2026-11-20T10:05:00.400Z', 'on-import')).toEqual([]);
  });

  it('is compared only if both sides resolved the thread, because a resolution of one side is a difference itself', () => {
    const open = { resolved_at: null, resolved: false, type: 'DiscussionNote' };
    const { changed } = compare([inArchive(1, 'One', resolved(time(5)))], [inList(1, 'One', open)]);
    expect(changed.map(({ name }) => name.split(' ')[0])).toEqual(['resolved']);
    const later = '2026-11-20T13:00:01Z';
    expect(compare([inArchive(1, 'One', open)], [inList(1, 'One', resolved(later))]).changed).toMatchObject([
      { name: expect.stringMatching(/^resolved of/) as string, isCertain: false },
    ]);
    const list = [inList(1, 'One', resolved('2026-11-20T12:00:01Z'))];
    expect(compare([inArchive(1, 'One', open)], list, { lost: 'on-export' }).changed).toMatchObject([
      { isCertain: false },
    ]);
  });

  it('is unknown of a thread that may have been reopened, and is also the time of who resolved it', () => {
    const comparedWith = (shown: Fields, lost: 'on-import' | 'on-export' = 'on-import') =>
      compare([inArchive(1, 'One', { ...resolved(time(5)), resolved_by_id: 6 })], [inList(1, 'One', shown)], {
        lost,
      });
    const open = { resolved_at: null, resolved: false, resolved_by: null };
    expect(comparedWith(open, 'on-export').changed).toMatchObject([{ isCertain: false }]);
    expect(withSilentChanges(comparedWith(open).changed)).toMatchObject([{ isCertain: false }]);
    const byBob = { ...resolved(time(9)), resolved_by: { id: 5, username: 'bob' } };
    const times = [open, byBob].map((shown) => comparedWith(shown).people.at(-1)?.listedAt);
    expect(times).toEqual([null, Date.parse(time(9))]);
  });

  it('is named if an older version does not show it', () => {
    const { resolved_at: _, ...shown } = resolved(time(5));
    const { changed, ofOneSide } = compare(
      [inArchive(1, 'One', resolved(time(5)))],
      [inList(1, 'One', shown)],
    );
    expect([changed, ofOneSide]).toEqual([[], ['resolved_at']]);
  });
});

it('a comment with another time is changed', () => {
  expect(compare([inArchive(1, 'One')], [inList(2, 'One')]).changed).toMatchObject([
    { name: 'created_at of the note of 2026-11-20T10:01:00.000Z', isCertain: true },
  ]);
});

it('details that only one side of a note has are named: internal comments, threads, authors and resolvers', () => {
  const internal = [inList(1, 'One', { confidential: true })];
  const { confidential: _, ...withoutInternal } = inArchive(1, 'One');
  expect(compare([withoutInternal], internal, { lost: 'on-export' }).ofOneSide).toEqual(['internal']);
  const thread = [inList(1, 'One', { thread: 't' }), inList(2, 'Two', { thread: 't' })];
  const withoutThread = [1, 2].map((at) => inArchive(at, at === 1 ? 'One' : 'Two', { discussion_id: null }));
  expect(compare(withoutThread, thread, { lost: 'on-export' }).ofOneSide).toEqual(['thread']);
  const people = inArchive(1, 'One', { author_id: 5, resolved_by_id: 5 });
  expect(compare([people], [inList(1, 'One', { author: null })]).ofOneSide).toEqual([
    'author',
    'resolved_by',
  ]);
  expect(compare([inArchive(1, 'One')], [inList(1, 'One')]).ofOneSide).toEqual([]);
});

test('the sandbox changes every compared field of notes in the tests of losses, except the thread, the type and the time', () => {
  // The reactions to a note are lost with their times. The type and the time decide which other fields a note has, and which
  // note it is, so that they are tested here.
  const others = ['emoji_times', 'thread', 'type', 'created_at'];
  expect([...Object.keys(changedNoteValues), ...others].toSorted()).toEqual(noteFieldNames.toSorted());
});

test('the document about comparisons names the compared fields of notes', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../../../docs/what-is-compared.md'), 'utf8');
  const fields = noteFieldNames.map((name) => `\`${name}\``).join(', ');
  expect(document).toMatch(new RegExp(`\\| notes +\\| ${fields} +\\|`));
});
