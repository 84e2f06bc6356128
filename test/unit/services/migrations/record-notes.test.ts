import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src-main/gitlab/projects/discussions.ts';
import {
  noteDifferencesOnExport,
  noteDifferencesOnImport,
} from '../../../../src-main/jobs/migrations/comparing/notes/changed-notes.ts';
import { archivedNotes } from '../../../../src-main/jobs/migrations/comparing/notes/compared-notes.ts';
import {
  compareNotes,
  describeUncomparedNotes,
  describeUntouchedNotes,
  type NotesRequest,
} from '../../../../src-main/services/migrations/comparing/one-by-one/record-notes.ts';

type Remote = NotesRequest['remote'];
/** No record of the target changed later. */
const importedAt = Infinity;
const times = { created_at: '2026-11-20T10:00:00.000Z', updated_at: '2026-11-20T10:00:00.000Z' };
const note = archivedNotes({ notes: [{ note: 'One', ...times }] })[0] ?? { ...times, contents: {} };

const noParts: Pick<Remote, 'recordPart'> = {
  recordPart: () => Promise.reject(new Error('no request for a part is expected')),
};

/** Compares the notes on these commits. Each has one in the archive. */
const compare = (shas: string[], discussions: Remote['discussions']) =>
  compareNotes(
    {
      archive: {
        records: { issues: [], merge_requests: [], snippets: [] },
        notes: { issues: new Map(), merge_requests: new Map(), snippets: new Map() },
        commitNotes: new Map(shas.map((sha, line) => [sha, [{ line, note }]])),
      } as unknown as NotesRequest['archive'],
      ...{ listed: {} as NotesRequest['listed'], projectId: 7, remote: { ...noParts, discussions } },
      signal: new AbortController().signal,
    },
    'on-import',
    (notes) => noteDifferencesOnImport(notes, importedAt),
  );
const one = { id: 'd', notes: [{ body: 'One', ...times }] };
const reply = (records: Discussion[], hiddenCount = 0) =>
  Promise.resolve({ records, contradiction: null, hiddenCount });

it('the notes on a commit are counted and compared', async () => {
  const found = await compare(['a', 'b'], (_, { id }) => reply(id === 'a' ? [one] : []));
  expect(found).toMatchObject({ commitNoteCount: 1, uncomparedCount: 0, changed: [] });
  expect(found.missingCommitNotes).toMatchObject([{ relation: 'commit_notes', line: 1, lost: 'on-import' }]);
});

it.each<[string, Remote['discussions']]>([
  ['that may not be read', () => Promise.resolve(null)],
  ['with a hidden note', () => reply([], 1)],
])('no note is lost on a commit %s, and their number is unknown', async (_, discussions) => {
  const found = await compare(['a'], discussions);
  expect(found).toMatchObject({ commitNoteCount: null, uncomparedCount: 1, missingCommitNotes: [] });
  expect(describeUncomparedNotes(null, found)).toEqual([
    expect.stringContaining('or commit were not compared'),
  ]);
});

it('at most 2000 commits are read', async () => {
  let requests = 0;
  const found = await compare(
    Array.from({ length: 2005 }, (_, index) => String(index)),
    () => ((requests += 1), reply([one])),
  );
  expect(requests).toBe(2000);
  expect(found).toMatchObject({ commitNoteCount: null, uncomparedCount: 5 });
});

it('a record whose notes are not kept in memory costs no request, and counts as not compared', async () => {
  const record = { line: 3, key: '7', iid: 7, title: 'x', notes: 1, createdAt: null, updatedAt: null };
  const request = {
    archive: {
      records: { issues: [record], merge_requests: [], snippets: [] },
      notes: {
        issues: new Map([[3, { hasComments: true, notes: null }]]),
        ...{ merge_requests: new Map(), snippets: new Map() },
      },
      commitNotes: new Map(),
    } as unknown as NotesRequest['archive'],
    listed: { issues: [{ ...record, id: 70 }] } as unknown as NotesRequest['listed'],
    projectId: 7,
    remote: { ...noParts, discussions: () => Promise.reject(new Error('no request is expected')) },
    signal: new AbortController().signal,
  };
  const found = await compareNotes(request, 'on-import', (notes) =>
    noteDifferencesOnImport(notes, importedAt),
  );
  expect(found).toMatchObject({ uncomparedCount: 1, changed: [], incomplete: [] });
});

/** Compares an issue with one note, which has a reaction in the archive. */
const compareReaction = async (recordPart: Remote['recordPart']) => {
  const archived = archivedNotes({ notes: [{ note: 'One', award_emoji: [{ name: 'eyes' }], ...times }] });
  const record = { line: 0, key: '7', iid: 7, title: 'x', notes: 1, createdAt: null, updatedAt: null };
  const others = { merge_requests: [], snippets: [] };
  const request = {
    archive: {
      records: { issues: [record], ...others },
      notes: { issues: new Map([[0, { hasComments: true, notes: archived }]]) },
      commitNotes: new Map(),
    },
    listed: { issues: [{ ...record, id: 70 }] },
    ...{ projectId: 7, signal: new AbortController().signal },
    remote: {
      discussions: () => reply([{ id: 'd', notes: [{ id: 5, body: 'One', ...times }] }]),
      recordPart,
    },
  };
  Object.assign(request.archive.notes, { merge_requests: new Map(), snippets: new Map() });
  return compareNotes(request as unknown as NotesRequest, 'on-import', (notes) =>
    noteDifferencesOnImport(notes, importedAt),
  );
};

it('the reactions to a note are read if the archive has some, and compared', async () => {
  const equal = await compareReaction((_, part) => {
    expect(part).toEqual({ part: 'award-emoji', relation: 'issues', id: 7, note: 5 });
    return Promise.resolve({ award_emoji: [{ name: 'eyes' }] });
  });
  expect(equal).toMatchObject({ changed: [], unreadEmojiCount: 0 });
  const lost = await compareReaction(() => Promise.resolve({ award_emoji: [] }));
  expect(lost.changed).toMatchObject([
    { name: 'emoji of the note of 2026-11-20T10:00:00.000Z', expected: 'eyes', found: '', isCertain: true },
  ]);
});

it('reactions that may not be read are no loss, and their number is known', async () => {
  const found = await compareReaction(() => Promise.resolve(null));
  expect(found).toMatchObject({ changed: [], unreadEmojiCount: 1 });
});

describe('on the source', () => {
  const exportedAt = Date.UTC(2026, 10, 21);
  const later = '2026-11-20T11:00:00.000Z';
  const issue = { line: 0, key: '7', iid: 7, title: 'x', notes: 0, createdAt: null, updatedAt: null };
  type Row = Record<string, unknown>;
  const compareIssue = async (
    { archived, listed }: { archived: Row[]; listed: Row[] },
    recordPart: Remote['recordPart'] = noParts.recordPart,
    hiddenCount = 0,
  ) => {
    const none = { merge_requests: [], snippets: [] };
    const notes = { hasComments: false, notes: archivedNotes({ notes: archived }) };
    const request = {
      archive: {
        records: { issues: [issue], ...none },
        notes: { issues: new Map(archived.length === 0 ? [] : [[0, notes]]), ...emptyMaps },
        commitNotes: new Map(),
      },
      listed: { issues: [{ ...issue, id: 70 }] },
      ...{ projectId: 7, signal: new AbortController().signal },
      remote: {
        discussions: () => reply([{ id: 'd', notes: listed }] as Discussion[], hiddenCount),
        recordPart,
      },
    };
    return compareNotes(request as unknown as NotesRequest, 'on-export', (both) =>
      noteDifferencesOnExport(both, exportedAt),
    );
  };
  const emptyMaps = { merge_requests: new Map(), snippets: new Map() };

  it('the system notes of a record without comments are read, also if the archive has none', async () => {
    const listed = [{ id: 1, body: 'changed the title', system: true, ...times }];
    const { incomplete, withoutCommentsCount } = await compareIssue({ archived: [], listed });
    expect(incomplete).toMatchObject([{ relation: 'issues', lost: 'on-export', part: { found: 0 } }]);
    expect(withoutCommentsCount).toBe(0);
  });

  it('a known loss of a record with hidden notes is not compared, because they may be the lost ones', async () => {
    const rows = { archived: [{ note: 'One', ...times }], listed: [{ id: 1, body: 'One', ...times }] };
    const found = await compareIssue(rows, noParts.recordPart, 1);
    expect(found.uncomparedLines).toEqual(new Map([['issues', new Set([0])]]));
    expect((await compareIssue(rows)).uncomparedLines).toEqual(new Map());
  });

  const changed = { id: 1, body: 'One', ...times, updated_at: later };
  const archived = [{ note: 'One', award_emoji: [], ...times }];
  it('the reactions to a changed comment are read, and are lost if the archive has none', async () => {
    const found = await compareIssue({ archived, listed: [changed] }, () =>
      Promise.resolve({ award_emoji: [{ name: 'eyes', created_at: later }] }),
    );
    expect(found.changed).toMatchObject([{ expected: 'eyes', found: '', isCertain: true }]);
  });

  it('a reaction without a time, or after the export, may be later than the archive', async () => {
    for (const created_at of [undefined, '2026-11-22T10:00:00.000Z']) {
      const found = await compareIssue({ archived, listed: [changed] }, () =>
        Promise.resolve({ award_emoji: [{ name: 'eyes', created_at }] }),
      );
      expect(found.changed).toMatchObject([{ expected: 'eyes', isCertain: false }]);
    }
  });

  it('a comment that nobody changed costs no request for reactions, and their number is named', async () => {
    const found = await compareIssue({ archived, listed: [{ ...changed, ...times }] });
    expect(found).toMatchObject({ changed: [], untouchedCount: 1 });
    expect(describeUntouchedNotes(found).join()).toContain('reactions to 1 note were not requested');
    expect(describeUntouchedNotes(null)).toEqual([]);
  });
});
