/** @file Passports contain the check under which each import ran, with its overrides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Passport } from '../../../src-contract/migrations/passport-schema.ts';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [good, bad] = ['atlas/compass', 'atlas/tools/ferry'];

async function openScene(): Promise<MigrationScene> {
  const opened = await openMigrationScene(temporaryFolder(), { source: { projectCount: 2 } });
  onTestFinished(() => opened.close());
  return opened;
}

async function checks({ client }: MigrationScene, migration: string) {
  const { folder } = await client.call('migration.passport', {
    migration,
    project: null,
    to: temporaryFolder(),
  });
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const { projects } = passportIndexSchema.parse(read('index.json'));
  const of = (path: string): Passport['check'] => {
    const row = projects.find(({ sourcePath }) => sourcePath === path);
    return passportSchema.parse(read(row?.json ?? '')).check;
  };
  return { good: of(good), bad: of(bad) };
}

/** Returns the notes of the overridden findings of a check. */
const notes = (check: Passport['check']): (string | undefined)[] =>
  (check?.findings ?? []).flatMap(({ overridden }) => overridden?.note ?? []);

it('the passport of a project keeps the check of its import, whatever is placed, checked, overridden or retried later', async () => {
  const scene = await openScene();
  const { client, target } = scene;
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', project: bad, times: 1 },
    action: { kind: 'end-import', as: 'failed' },
  });
  const { id: migration } = await scene.migration([good, bad]);
  const first = await client.call('migration.check', { migration });
  const findingOf = (path: string): string =>
    first.findings.find(({ project }) => project === path)?.id ?? '';
  for (const path of [good, bad]) {
    await client.call('migration.override', { migration, finding: findingOf(path), note: 'We try.' });
  }
  for (const { id: finding, severity } of first.findings) {
    if (severity === 'blocker') await client.call('migration.override', { migration, finding, note: 'No.' });
  }
  await client.call('migration.start', { migration, createGroups: false });
  await scene.until(migration, ({ status }) => status === 'ended');
  const before = await checks(scene, migration);
  expect(before.good).toMatchObject({ at: first.at, placedSince: false });
  expect(notes(before.good)).toContain('We try.');
  expect(before.bad).toMatchObject({ at: first.at, placedSince: false });
  expect(notes(before.bad)).toContain('We try.');

  // Another destination for the failed project: the check no longer applies, and is shown nevertheless.
  await client.call('migration.place', { migration, project: bad, placement: { path: 'ferry-2' } });
  expect(await client.call('migration.lastCheck', { migration })).toEqual({ check: null });
  expect(await checks(scene, migration)).toEqual(before);

  // Another check with another note does not change the earlier one either.
  const second = await client.call('migration.check', { migration });
  expect(second.at > first.at).toBe(true);
  await client.call('migration.override', { migration, finding: findingOf(bad), note: 'Better now.' });
  expect(await checks(scene, migration)).toEqual(before);

  // The retried project has the newer check, and the other project keeps its own.
  await client.call('migration.again', { migration, project: bad });
  await scene.until(migration, ({ status, projects }) => status === 'ended' && projects.failed === 0);
  const after = await checks(scene, migration);
  expect(after.good).toEqual(before.good);
  expect(after.bad).toMatchObject({ at: second.at, placedSince: false });
  expect(notes(after.bad)).toContain('Better now.');
  expect(notes(after.bad)).not.toContain('We try.');

  // An override that is withdrawn later still applied to the import.
  await client.call('migration.override', { migration, finding: findingOf(bad), note: null });
  expect(await checks(scene, migration)).toEqual(after);
});

it('the passport of a project reports that its new destination was not checked', async () => {
  const scene = await openScene();
  const { client, target } = scene;
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', project: bad, times: 1 },
    action: { kind: 'end-import', as: 'failed' },
  });
  const { id: migration } = await scene.migration([good, bad]);
  await scene.start(migration);
  await scene.until(migration, ({ status }) => status === 'ended');
  const before = await checks(scene, migration);
  expect(before.bad?.placedSince).toBe(false);
  await client.call('migration.place', { migration, project: bad, placement: { path: 'ferry-2' } });
  await client.call('migration.again', { migration, project: bad });
  await scene.until(migration, ({ status, projects }) => status === 'ended' && projects.failed === 0);
  const after = await checks(scene, migration);
  expect(after.bad).toEqual({ ...before.bad, placedSince: true });
  expect(after.good).toEqual(before.good);
});
