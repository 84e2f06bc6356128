import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readArchivedProject } from '../../../src-main/services/migrations/comparing/sides/archived-records.ts';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { openRecordIndex } from '../../../src-main/archive/records/record-index.ts';
import { bundle, exportWith, lines, member } from '../../support/archives/archive-builder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function archived(changes: Record<string, Buffer | string>) {
  const at = temporaryFolder();
  const path = join(at, 'some_export.tar.gz');
  const members = Object.entries(changes).map(([name, content]) => [name, member({ name, content })]);
  writeFileSync(path, exportWith(Object.fromEntries(members) as Record<string, Buffer>));
  const folder = join(at, 'indexes');
  const { sha256 } = await inspectFile(path, { indexFolder: folder });
  const index = await openRecordIndex(folder, sha256);
  if (index === null) throw new Error('There is no index');
  onTestFinished(() => index.close());
  return readArchivedProject(index, new AbortController().signal);
}

it('a member is identified by its line in the archive, in which invitations have lines too', async () => {
  const ada = { username: 'ada', public_email: 'ada@example.com' };
  const { members } = await archived({
    './tree/project/project_members.ndjson': lines(
      { invite_email: 'who@example.com', user: null },
      { user: { id: 7, ...ada } },
      { invite_email: 'else@example.com', user: null },
      { user: { username: 'bob' } },
    ),
  });
  expect(members).toEqual([
    { line: 1, username: 'ada', userId: 7, email: 'ada@example.com', accessLevel: null, expiresAt: null },
    { line: 3, username: 'bob', userId: null, email: null, accessLevel: null, expiresAt: null },
  ]);
});

it('labels and refs are identified by their full names', async () => {
  const title = '🚀'.repeat(255);
  const branch = 'b'.repeat(255);
  const { records } = await archived({
    './tree/project/labels.ndjson': lines({ title, type: 'ProjectLabel' }),
    './project.bundle': bundle([`refs/heads/${branch}`, `refs/tags/${branch}`]),
  });
  expect(records.labels.map(({ key }) => key)).toEqual([title]);
  expect(records.branches.map(({ key }) => key)).toEqual([branch]);
  expect(records.tags.map(({ key }) => key)).toEqual([branch]);
});

it('system notes of commits are counted as a part that is not compared', async () => {
  const note = { note: 'mentioned in issue #1', commit_id: 'a'.repeat(40), noteable_type: 'Commit' };
  const { commitNotes, uncompared } = await archived({
    './tree/project/commit_notes.ndjson': lines({ ...note, system: true }, { ...note, system: false }),
  });
  expect([...commitNotes.values()].flat()).toHaveLength(1);
  expect(uncompared.counts.get('commit_system_notes')).toBe(1);
});

it('only the notes of as many records are kept in memory as a comparison reads', async () => {
  const times = { created_at: '2026-11-20T10:00:00.000Z', updated_at: '2026-11-20T10:00:00.000Z' };
  const issue = (iid: number, system: boolean) => ({
    iid,
    title: 'x',
    notes: [{ note: 'y', system, ...times }],
  });
  const issues = Array.from({ length: 4010 }, (_, index) => issue(index + 1, index % 2 === 1));
  const { notes } = await archived({ './tree/project/issues.ndjson': lines(...issues) });
  const all = [...notes.issues.values()];
  expect(all.map(({ hasComments }) => hasComments)).toEqual(issues.map((_, index) => index % 2 === 0));
  const kept = all.filter(({ notes: ofRecord }) => ofRecord !== null);
  expect(kept).toEqual(all.slice(0, 4000));
});
