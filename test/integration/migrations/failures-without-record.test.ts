/** @file Failures that GitLab lists about a line that the archive does not have. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const path = 'archives/wagon';

const issue = (iid: number, title: string | null) => ({
  ...{ iid, title, state: 'opened', author_id: 1, notes: [] },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' },
});

/** Migrates a project with issues of these titles. Its import also lists a failure for each of these lines. */
async function migrated(titles: readonly (string | null)[], listedLines: number[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'wagon.tar.gz');
  const issues = lines(...titles.map((title, at) => issue(at + 1, title)));
  writeFileSync(file, await exportArchive({ 'tree/project/issues.ndjson': issues }));
  const scene = await openMigrationScene(folder, { source: { seedArchives: [file] } });
  onTestFinished(() => scene.close());
  scene.target.faults.add({
    match: { method: 'POST', path: '/projects/import$' },
    action: { kind: 'list-failures', relation: 'issues', lines: listedLines },
  });
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const { client } = scene;
  return {
    ...scene,
    id,
    folder,
    state: async () => (await scene.projects(id))[0]?.state,
    failures: async () =>
      (await client.call('failure.list', { migration: id, offset: 0, limit: 500 })).failures,
    retry: () =>
      client.call('migration.retry', {
        ...{ migration: id, project: path, relation: 'issues', records: 'missing' },
      }),
  };
}

describe('a failure about a line that the archive does not have', () => {
  it('stays open over every comparison, and the project differs until a user accepts it', async () => {
    const scene = await migrated(['One', 'Two', 'Three'], [99_999, -1, 3]);
    const statesByLine = async () =>
      (await scene.failures()).map(({ line, state }) => [line, state]).toSorted();
    const open = [
      [-1, 'open'],
      [3, 'open'],
      [99_999, 'open'],
    ];
    expect(await statesByLine()).toEqual(open);
    expect(await scene.state()).toBe('differs');
    await scene.client.call('migration.reconcile', { migration: scene.id, project: path });
    expect(await statesByLine()).toEqual(open);
    const refs = (await scene.failures()).map(({ ref }) => ref);
    const accept = (failures: string[]) =>
      scene.client.call('failure.settle', { failures, state: 'accepted', note: 'Nothing is missing.' });
    await accept(refs.slice(1));
    expect(await scene.state()).toBe('differs');
    await accept(refs);
    expect(await scene.state()).toBe('arrived');
  });

  it('is shown with the words that the archive has no such line, also in the passport', async () => {
    const scene = await migrated(['One'], [99_999]);
    const [failure] = await scene.failures();
    const shown = await scene.client.call('failure.show', { failure: failure?.ref ?? '' });
    expect(shown).toMatchObject({ record: null, recordAbsence: 'no-such-line' });
    const saved = await scene.client.call('migration.passport', {
      ...{ migration: scene.id, project: path, to: join(scene.folder, 'passports') },
    });
    const [page = '', json = ''] = saved.files.map((name) => readFileSync(join(saved.folder, name), 'utf8'));
    const passport = passportSchema.parse(JSON.parse(json));
    expect(passport.failures.records).toMatchObject([
      { line: 99_999, state: 'open', text: null, recordAbsence: 'no-such-line' },
    ]);
    expect(page).toContain('The archive has no line 99999 in issues, so the record cannot be shown.');
    expect(page).toContain('the failure stays open until a user accepts it.');
  });

  it('does not keep the other failures of its relation from being imported again', async () => {
    const scene = await migrated(['One', null, 'Three'], [99_999]);
    await scene.retry();
    await scene.until(scene.id, ({ status }) => status === 'ended');
    expect(await scene.failures()).toMatchObject([
      { line: 1, state: 'open' },
      { line: 99_999, state: 'open' },
    ]);
  });

  it('leaves nothing to import again if it is the only failure', async () => {
    const scene = await migrated(['One'], [99_999]);
    await expect(scene.retry()).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/on lines that the archive does not have, such as 99999/) as string,
    });
    expect(await scene.failures()).toMatchObject([{ line: 99_999, state: 'open' }]);
  });
});
