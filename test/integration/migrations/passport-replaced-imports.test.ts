/** @file The passport of a project that was imported twice: failures of the first import do not count. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import { openMigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const failureOf = (id: number) => ({
  ...{ id, created_at: '2026-11-20T00:00:00.000Z', source: 'process_relation_item!' },
  ...{ exception_class: 'ActiveRecord::RecordInvalid', exception_message: null },
  ...{ relation_name: 'issues', line_number: 0 },
});

/** Opens a migration of one project whose first import fails and lists a failure. */
async function migratedTwice() {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const { client, source, target } = scene;
  const [path = ''] = source.state.paths;
  /** Replaces the reply to one poll of an import; `nth` counts from now on. */
  const reportImport = (nth: number, status: string, failureIds: readonly number[]): void => {
    const body = {
      ...{ id: 1, path_with_namespace: path, import_status: status, import_error: null },
      failed_relations: failureIds.map(failureOf),
    };
    target.faults.add({
      match: { method: 'GET', path: '/projects/\\d+/import$', nth },
      action: { kind: 'respond', status: 200, body },
    });
  };
  reportImport(1, 'failed', [1]);
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const importAgain = async (): Promise<void> => {
    await client.call('migration.place', { migration: id, project: path, placement: { path: 'other' } });
    await client.call('migration.again', { migration: id, project: null });
    await scene.until(id, ({ status }) => status === 'ended');
  };
  const readPassport = async () => {
    const of = { migration: id, project: null, to: temporaryFolder() };
    const { folder } = await client.call('migration.passport', of);
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const [row] = passportIndexSchema.parse(read('index.json')).projects;
    const page = readFileSync(join(folder, row?.html ?? ''), 'utf8');
    return { row, page, passport: passportSchema.parse(read(row?.json ?? '')) };
  };
  return { ...scene, id, reportImport, importAgain, readPassport };
}

it('an accepted failure of a replaced import is listed, but is no accepted loss of the project', async () => {
  const scene = await migratedTwice();
  const page = { migration: scene.id, offset: 0, limit: 10 };
  const { failures } = await scene.client.call('failure.list', page);
  const refs = failures.map(({ ref }) => ref);
  expect(refs).toHaveLength(1);
  const settled = { failures: refs, state: 'accepted', note: 'Not needed.' } as const;
  await scene.client.call('failure.settle', settled);
  await scene.importAgain();
  const [project] = await scene.projects(scene.id);
  expect(project).toMatchObject({ state: 'arrived', accepted: 0 });
  const { passport } = await scene.readPassport();
  expect(passport.imports.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  expect(passport).toMatchObject({ outcome: 'arrived', accepted: [] });
});

it('a passport counts failures of the last import only, and lists those of a replaced one separately', async () => {
  const scene = await migratedTwice();
  scene.reportImport(1, 'finished', [1001, 1002]);
  await scene.importAgain();
  const { passport, row, page } = await scene.readPassport();
  expect(passport.failures).toMatchObject({
    total: 2,
    records: [{ id: 1001 }, { id: 1002 }],
    ofReplacedImports: [{ id: 1 }],
  });
  expect(row).toMatchObject({ failures: 2 });
  expect(page).toMatch(/Failures \(2\)[^]*1001[^]*1002[^]*Failures of other imports \(1\)/);
});

it('the number of unlisted failures is that of the last import, even if the replaced one had another path', async () => {
  const scene = await migratedTwice();
  scene.reportImport(1, 'started', [1001]);
  // The list of maximum length leaves out the ids between 1001 and 1050.
  const newest = Array.from({ length: 100 }, (_, index) => 1050 + index);
  scene.reportImport(2, 'finished', newest);
  await scene.importAgain();
  const { passport } = await scene.readPassport();
  expect(passport.failures).toMatchObject({ hasUnlisted: true, unlistedCount: 48 });
});
