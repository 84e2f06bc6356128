/** @file Passports keep the check that each import ran under, with its overrides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Passport } from '../../../src-contract/migrations/passport-schema.ts';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [good, bad] = ['atlas/compass', 'atlas/tools/ferry'];

async function scene(): Promise<MigrationScene> {
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

/** The overridden findings of a check, with the notes. */
const notes = (check: Passport['check']): (string | undefined)[] =>
  (check?.findings ?? []).flatMap(({ overridden }) => overridden?.note ?? []);

it('what is placed, checked, overridden or moved again later leaves each project the check it moved under', async () => {
  const scenery = await scene();
  const { client, target } = scenery;
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', project: bad, times: 1 },
    action: { kind: 'end-import', as: 'failed' },
  });
  const { id: migration } = await scenery.migration([good, bad]);
  const first = await client.call('migration.check', { migration });
  const about = (path: string): string => first.findings.find(({ project }) => project === path)?.id ?? '';
  for (const path of [good, bad]) {
    await client.call('migration.override', { migration, finding: about(path), note: 'We try.' });
  }
  for (const { id: finding, severity } of first.findings) {
    if (severity === 'blocker') await client.call('migration.override', { migration, finding, note: 'No.' });
  }
  await client.call('migration.start', { migration, createGroups: false });
  await scenery.until(migration, ({ status }) => status === 'ended');
  const before = await checks(scenery, migration);
  expect(before.good).toMatchObject({ at: first.at, placedSince: false });
  expect(notes(before.good)).toContain('We try.');
  expect(before.bad).toMatchObject({ at: first.at, placedSince: false });
  expect(notes(before.bad)).toContain('We try.');

  // Another destination for the failed project: the check no longer applies, and is shown nevertheless.
  await client.call('migration.place', { migration, project: bad, placement: { path: 'ferry-2' } });
  expect(await client.call('migration.lastCheck', { migration })).toEqual({ check: null });
  expect(await checks(scenery, migration)).toEqual(before);

  // Another check with another note does not change the earlier one either.
  const second = await client.call('migration.check', { migration });
  expect(second.at > first.at).toBe(true);
  await client.call('migration.override', { migration, finding: about(bad), note: 'Better now.' });
  expect(await checks(scenery, migration)).toEqual(before);

  // A project that is moved again has the newer check, and the other keeps its own.
  await client.call('migration.again', { migration, project: bad });
  await scenery.until(migration, ({ status, projects }) => status === 'ended' && projects.failed === 0);
  const after = await checks(scenery, migration);
  expect(after.good).toEqual(before.good);
  expect(after.bad).toMatchObject({ at: second.at, placedSince: false });
  expect(notes(after.bad)).toContain('Better now.');
  expect(notes(after.bad)).not.toContain('We try.');

  // An override that was withdrawn later still applied then.
  await client.call('migration.override', { migration, finding: about(bad), note: null });
  expect(await checks(scenery, migration)).toEqual(after);
});

it('a project with a new destination that was not checked again says so', async () => {
  const scenery = await scene();
  const { client, target } = scenery;
  target.faults.add({
    match: { method: 'POST', path: '/projects/import$', project: bad, times: 1 },
    action: { kind: 'end-import', as: 'failed' },
  });
  const { id: migration } = await scenery.migration([good, bad]);
  await scenery.start(migration);
  await scenery.until(migration, ({ status }) => status === 'ended');
  const before = await checks(scenery, migration);
  expect(before.bad?.placedSince).toBe(false);
  await client.call('migration.place', { migration, project: bad, placement: { path: 'ferry-2' } });
  await client.call('migration.again', { migration, project: bad });
  await scenery.until(migration, ({ status, projects }) => status === 'ended' && projects.failed === 0);
  const after = await checks(scenery, migration);
  expect(after.bad).toEqual({ ...before.bad, placedSince: true });
  expect(after.good).toEqual(before.good);
});
