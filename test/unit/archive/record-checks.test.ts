import { describe, expect, it } from 'vitest';
import { suspicionCodes, type RecordFinding } from '../../../src-contract/archives/record.ts';
import { checkRecord, type RecordContext } from '../../../src-main/archive/records/record-checks.ts';

const clean = {
  title: 'A title',
  iid: 3,
  state: 'opened',
  author_id: 1,
  created_at: '2026-01-31T23:59:59.999Z',
  due_date: '2024-02-29',
  milestone: { title: 'v1', created_at: '2016-06-14 15:02:04 UTC' },
  label_links: [{ label: { title: 'bug', type: 'ProjectLabel' } }],
  notes: [
    { note: 'seen', type: 'DiffNote', position: { base_sha: 'x' } },
    { note: 'closed', system: true, position: null },
  ],
};

function check(
  record: unknown,
  { relation = 'issues', line = 1, ...context }: RecordContext & { relation?: string; line?: number } = {},
): RecordFinding[] {
  const bytes = Buffer.isBuffer(record) ? record : Buffer.from(JSON.stringify(record));
  return checkRecord({ relation, line, bytes }, context);
}

const summaries = (found: RecordFinding[]): string[] =>
  found.map(({ severity, code, path }) => `${severity} ${code} ${path}`.trimEnd());

const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;

const cases: [name: string, found: RecordFinding[], expected: string[]][] = [
  ['a line that is not JSON', check(Buffer.from('{"title":')), ['will-be-refused record-malformed']],
  ['a line over 50 MiB', check(Buffer.alloc(50 * 1024 * 1024 + 1, 0x20)), ['will-be-refused line-too-long']],
  [
    'bytes that are not UTF-8',
    check(Buffer.from('{"title":"\xff","author_id":1}', 'latin1')),
    ['may-be-dropped text-invalid-utf8'],
  ],
  ['a NUL character', check({ ...clean, description: 'a\0b' }), ['may-be-dropped text-nul description']],
  ['a missing title', check({ ...clean, title: null }), ['will-be-refused title-missing title']],
  ['a blank title', check({ ...clean, title: ' ' }), ['will-be-refused title-missing title']],
  ['a missing tag', check({ name: 'One' }, { relation: 'releases' }), ['will-be-refused title-missing tag']],
  [
    'a title of 256 characters',
    check({ ...clean, title: '😀'.repeat(256) }),
    ['will-be-refused title-too-long title'],
  ],
  ['a missing author', check({ ...clean, author_id: null }), ['may-be-dropped value-missing author_id']],
  ['an unknown state', check({ ...clean, state: 'open' }), ['may-be-dropped value-unknown state']],
  [
    'an unknown access level',
    check({ access_level: 35 }, { relation: 'project_members' }),
    ['may-be-dropped value-unknown access_level'],
  ],
  ['the 30th of February', check({ ...clean, due_date: '2026-02-30' }), ['suspicious date-invalid due_date']],
  [
    'an invalid time in a nested record',
    check({ ...clean, notes: [{ note: 'x', created_at: 'NOT A DATE' }] }),
    ['suspicious date-invalid notes[0].created_at'],
  ],
  [
    'an iid of more than four bytes',
    check({ ...clean, iid: 2 ** 31 }),
    ['may-be-dropped integer-out-of-range iid'],
  ],
  [
    'an id of more than eight bytes',
    check({ ...clean, author_id: 1e20 }),
    ['will-be-refused integer-out-of-range author_id'],
  ],
  [
    'an iid that an earlier line has, too',
    check(clean, { linesWithIid: () => [0, 1] }),
    ['will-be-refused duplicate-iid iid'],
  ],
  [
    'an iid that a later line has, too',
    check(clean, { line: 0, linesWithIid: () => [0, 1] }),
    ['may-be-dropped duplicate-iid iid'],
  ],
  [
    'a label whose title another line has, too',
    check({ title: 'bug' }, { relation: 'labels', linesWithTitle: () => [1, 4] }),
    ['may-be-dropped duplicate-title title'],
  ],
  [
    'a milestone that the archive lacks',
    check(clean, { milestones: new Set(['v2']) }),
    ['suspicious milestone-unknown milestone.title'],
  ],
  [
    'a label that the archive lacks',
    check(clean, { labels: new Set() }),
    ['suspicious label-unknown label_links[0].label.title'],
  ],
  [
    'an invalid commit SHA',
    check(
      { ...clean, source_branch: 'a', target_branch: 'b', diff_head_sha: 'HEAD' },
      { relation: 'merge_requests' },
    ),
    ['suspicious sha-invalid diff_head_sha'],
  ],
  [
    'a note without text',
    check({ ...clean, notes: [{ note: '' }] }),
    ['may-be-dropped note-empty notes[0].note'],
  ],
  [
    'a diff note without a position',
    check({ ...clean, notes: [{ note: 'x', type: 'DiffNote', position: null }] }),
    ['may-be-dropped position-missing notes[0].position'],
  ],
];

describe('the checks of a record', () => {
  it.each(cases)('report %s', (_name, found, expected) => {
    expect(summaries(found)).toEqual(expected);
    for (const { message, advice } of found)
      expect([message, advice].every((text) => text.endsWith('.'))).toBe(true);
  });

  it('have a test case for every code', () => {
    const covered = new Set(cases.flatMap(([, found]) => found.map(({ code }) => code)));
    expect(suspicionCodes.filter((code) => !covered.has(code))).toEqual([]);
  });

  it('report nothing for a clean record, whatever is known about the rest of the archive, for null or for an unknown relation', () => {
    const context = {
      milestones: new Set(['v1']),
      labels: new Set(['bug']),
      linesWithIid: () => [1],
      linesWithTitle: () => [1],
    };
    expect(check(clean, context)).toEqual([]);
    expect(check({ ...clean, milestone: { title: 'g', group_id: 7 } }, { milestones: new Set() })).toEqual(
      [],
    );
    expect(check(null)).toEqual([]);
    expect(check({ anything: 1 }, { relation: 'of a later version' })).toEqual([]);
  });

  it('do not throw on hostile lines, and report at most 100 findings for a record', () => {
    expect(() => check(Buffer.from(`{"title":"x","a":${deep}}`))).not.toThrow();
    expect(summaries(check(Buffer.from('{"__proto__":{"title":"y"},"title":"x","title":null}')))).toEqual([
      'will-be-refused title-missing title',
    ]);
    const many = { ...clean, notes: Array.from({ length: 5_000 }, () => ({ note: '' })) };
    expect(check(many)).toHaveLength(100);
  });
});
