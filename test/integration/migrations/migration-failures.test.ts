import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { archiveFilter } from '../../support/requests.ts';

const issue = (iid: number, title: string | null) => ({
  iid,
  title,
  state: 'opened',
  author_id: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-02T00:00:00.000Z',
  notes: [],
});

type Issue = ReturnType<typeof issue>;

interface MigratedScene extends MigrationScene {
  id: string;
  path: string;
}

/** Migrates a project with these issues; `before` is called with the scene before the migration. */
async function migrated(
  issues: readonly Issue[],
  before: (scene: MigrationScene) => void = () => undefined,
  members: Record<string, Buffer> = {},
): Promise<MigratedScene> {
  const folder = temporaryFolder();
  const file = join(folder, 'wagon.tar.gz');
  writeFileSync(file, await exportArchive({ 'tree/project/issues.ndjson': lines(...issues), ...members }));
  const scene = await openMigrationScene(folder, { source: { seedArchives: [file] } });
  onTestFinished(() => scene.close());
  before(scene);
  const path = 'archives/wagon';
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return { ...scene, id, path };
}

const onlyProject = async (scene: MigratedScene) => {
  const [project] = await scene.projects(scene.id);
  if (project === undefined) throw new Error('There is no project.');
  return project;
};

const failures = ({ client, id }: MigratedScene) =>
  client.call('failure.list', {
    migration: id,
    instance: null,
    project: null,
    relation: null,
    exceptionClass: null,
    state: null,
    search: null,
    offset: 0,
    limit: 500,
  });

const iidsOf = async ({ target, path }: MigratedScene): Promise<unknown[]> =>
  ((await target.state.project(path)).relations['issues'] ?? []).map((record) => record['iid']);

/** Imports the issues again and waits until the result was compared. */
async function retryIssues(scene: MigratedScene) {
  const { client, id, path } = scene;
  const { jobId } = await client.call('migration.retry', {
    migration: id,
    project: path,
    relation: 'issues',
    records: 'missing',
  });
  await scene.until(id, ({ status }) => status === 'ended');
  return client.call('job.show', { job: jobId });
}

describe('the failures of a migrated project', () => {
  it('are stored with their records, and the project has arrived once all of them are accepted', async () => {
    const scene = await migrated([
      issue(1, 'One'),
      issue(2, null),
      issue(3, 'Three'),
      issue(4, 'x'.repeat(300)),
    ]);
    const { client } = scene;
    expect(await onlyProject(scene)).toMatchObject({
      state: 'differs',
      failures: { open: 2, total: 2, hasUnlisted: false },
    });
    const found = await failures(scene);
    expect(found).toMatchObject({
      total: 2,
      hasUnlisted: false,
      unlistedCount: null,
      groups: [{ relation: 'issues', exceptionClass: 'ActiveRecord::RecordInvalid', total: 2, open: 2 }],
      failures: [
        { line: 1, project: scene.path, migrationId: scene.id, record: { iid: 2, title: null } },
        { line: 3, state: 'open', record: { iid: 4 } },
      ],
    });
    const [first, second] = found.failures.map(({ ref }) => ref);
    const shown = await client.call('failure.show', { failure: first ?? '' });
    expect(shown).toMatchObject({
      record: { line: 1, value: { iid: 2 } },
      findings: [{ severity: 'will-be-refused', path: 'title' }],
      sourceUrl: `${scene.source.url}/archives/wagon/-/issues/2`,
    });
    expect(shown.meaning).toMatch(/an invalid field/);

    const settle = (refs: (string | undefined)[], note: string | null) =>
      client.call('failure.settle', { failures: refs.map((ref) => ref ?? ''), state: 'accepted', note });
    await expect(settle([first], null)).rejects.toMatchObject({ code: 'invalid-input' });
    await settle([first], 'was a test');
    expect((await onlyProject(scene)).state).toBe('differs');
    await settle([second], 'was a test');
    expect(await onlyProject(scene)).toMatchObject({ state: 'arrived', failures: { open: 0, total: 2 } });
    await client.call('failure.settle', { failures: [first ?? ''], state: 'open', note: null });
    expect((await onlyProject(scene)).state).toBe('differs');
  });

  it('may be unlisted if the instance lists its maximum of a hundred', async () => {
    const scene = await migrated(Array.from({ length: 250 }, (_, at) => issue(at + 1, null)));
    expect((await onlyProject(scene)).failures).toEqual({ open: 100, total: 100, hasUnlisted: true });
    expect(await failures(scene)).toMatchObject({ total: 100, hasUnlisted: true, unlistedCount: null });
  });
});

describe('a relation that is imported again', () => {
  it('adds exactly the records that were missing, from a small file that is deleted when its job ends', async () => {
    const issues = Array.from({ length: 30 }, (_, at) => issue(at + 1, `Issue ${at + 1}`));
    const big = { 'uploads/0123456789abcdef0123456789abcdef/big.bin': randomBytes(8_000_000) };
    const scene = await migrated(
      issues,
      ({ target }) => {
        target.faults.add({
          match: { method: 'POST', path: '/projects/import$', times: 1 },
          action: { kind: 'drop-records', relation: 'issues', count: 2 },
        });
      },
      big,
    );
    expect(await onlyProject(scene)).toMatchObject({ state: 'differs', missing: 2 });
    expect(await iidsOf(scene)).toHaveLength(28);
    // The job is enqueued and the retry is recorded, or neither.
    const catalogue = new Database(createDataPaths(scene.dataDir).catalogue);
    onTestFinished(() => {
      catalogue.close();
    });
    catalogue.exec(
      `CREATE TRIGGER not_noted BEFORE INSERT ON migration_retries BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    await expect(retryIssues(scene)).rejects.toMatchObject({ code: 'internal' });
    expect(catalogue.prepare(`SELECT id FROM jobs WHERE kind = 'relation-import'`).all()).toEqual([]);
    catalogue.exec('DROP TRIGGER not_noted');
    const job = await retryIssues(scene);
    // The archive has no members, so no author can be kept; nothing else of the project changed.
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{ code: 'author-lost' }] });
    expect(await iidsOf(scene)).toEqual(issues.map(({ iid }) => iid));
    expect(await onlyProject(scene)).toMatchObject({ state: 'arrived', missing: 0, retryJobs: [job.id] });
    const { sizeBytes } = job.input as { sizeBytes: number };
    const { archives } = await scene.client.call('archive.list', archiveFilter({ limit: 1 }));
    expect(sizeBytes / statSync(archives[0]?.absolutePath ?? '').size).toBeLessThan(0.01);
    const folder = join(scene.dataDir, 'retries');
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
    await expect(retryIssues(scene)).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('fails if GitLab finishes it without adding a record, and its failures are open again', async () => {
    const scene = await migrated([issue(1, 'One'), issue(2, null)]);
    const retry = retryIssues(scene);
    const stateOfFailure = async () => (await failures(scene)).failures[0]?.state;
    await expect.poll(stateOfFailure, { interval: 1 }).toBe('retried');
    const job = await retry;
    expect(job.state).toMatchObject({
      status: 'failed',
      error: { code: 'relation-import-failed', message: expect.stringMatching(/added no records/) as string },
    });
    expect((await failures(scene)).failures).toMatchObject([{ state: 'open' }]);
    expect((await onlyProject(scene)).state).toBe('differs');
  });
});
