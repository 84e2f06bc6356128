/** @file The calls about settings, and the place of archives before and after a change of their root. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { initialPreferences } from '../../../src-contract/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const show = (world: World) => world.client.call('settings.show', {});
const chooseRoot = (world: World, archiveRoot: string) =>
  world.client.call('settings.change', { archiveRoot });
const archivesOf = async (world: World) => {
  const { archives } = await world.client.call('archive.list', archiveFilter());
  return archives;
};
const rescan = (world: World) => world.client.call('archive.rescan', {});

async function worldWithArchive(): Promise<{ world: World; project: string; sandbox: Sandbox }> {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'source', sandbox);
  const [project = ''] = sandbox.state.paths;
  await backUp(world, 'source', [project]);
  return { world, project, sandbox };
}

test('settings have their initial values until they are changed, and a change is stored and emits an event', async () => {
  const world = await openWorld();
  expect(await show(world)).toEqual({
    preferences: initialPreferences,
    archiveRoot: join(world.dataDir, 'archives'),
    earlierRoots: [],
    dataFolder: world.dataDir,
  });
  const events: unknown[] = [];
  world.app.subscribe((name, payload) => events.push([name, payload]));
  const table = { columns: [{ id: 'path', width: 200, visible: true }], sort: null };
  await world.client.call('settings.change', {
    preferences: { appearance: 'dark', tables: { projects: table } },
  });
  const changed = await world.client.call('settings.change', { preferences: { jobsAtOnce: 2 } });
  expect(changed.preferences).toEqual({
    ...initialPreferences,
    appearance: 'dark',
    jobsAtOnce: 2,
    tables: { projects: table },
  });
  expect(events).toEqual([
    ['settings.changed', { revision: 1 }],
    ['settings.changed', { revision: 2 }],
  ]);
  const again = await openWorld({ dataDir: world.dataDir });
  expect(await show(again)).toEqual(changed);
});

test('a host that cannot start at login rejects that setting, and nothing is changed', async () => {
  const world = await openWorld();
  await expect(
    world.client.call('settings.change', { preferences: { startAtLogin: true, appearance: 'dark' } }),
  ).rejects.toMatchObject({ code: 'host-cannot' });
  expect((await show(world)).preferences).toEqual(initialPreferences);
});

test('the setting for the number of jobs at once applies from its change on', async () => {
  const sandbox = await openTestSandbox({ projectCount: 4 });
  const world = await openWorld();
  await register(world, 'source', sandbox);
  let maxRunning = 0;
  const polls: Promise<void>[] = [];
  world.app.subscribe((name) => {
    if (name !== 'job.changed') return;
    polls.push(
      world.client.call('overview.show', {}).then(({ openJobs }) => {
        maxRunning = Math.max(maxRunning, openJobs['running'] ?? 0);
      }),
    );
  });
  await world.client.call('settings.change', { preferences: { jobsAtOnce: 1 } });
  await backUp(world, 'source', 'all');
  await Promise.all(polls);
  expect(maxRunning).toBe(1);
  await world.client.call('settings.change', { preferences: { jobsAtOnce: 3 } });
  await backUp(world, 'source', 'all');
  await Promise.all(polls);
  expect(maxRunning).toBeGreaterThan(1);
});

test('new archives are stored in the new root, and archives in the old one are still listed, read and verified', async () => {
  const { world, project } = await worldWithArchive();
  const root = temporaryFolder();
  const standard = join(world.dataDir, 'archives');
  expect(await chooseRoot(world, root)).toMatchObject({ archiveRoot: root, earlierRoots: [standard] });
  await backUp(world, 'source', [project]);
  const [newer, older] = await archivesOf(world);
  expect(newer?.absolutePath.startsWith(`${root}/`)).toBe(true);
  expect(older?.absolutePath.startsWith(`${standard}/`)).toBe(true);
  for (const archive of [newer, older]) {
    const verified = await world.client.call('archive.verify', { archive: archive?.id ?? '', level: 'L2' });
    expect(verified).toMatchObject({ proof: { level: 'L2' }, damaged: null });
    const shown = await world.client.call('archive.show', { archive: archive?.absolutePath ?? '' });
    expect(shown.summary.id).toBe(archive?.id);
  }
  expect(await rescan(world)).toMatchObject({ found: 2, added: 0, missing: 0, unreadable: [] });
  expect((await world.client.call('host.describe', {})).archiveRoot).toBe(root);

  const again = await openWorld({ dataDir: world.dataDir });
  expect((await archivesOf(again)).map(({ id }) => id)).toEqual([newer?.id, older?.id]);
  expect(await chooseRoot(again, standard)).toMatchObject({ archiveRoot: standard, earlierRoots: [root] });
  expect((await archivesOf(again)).map(({ id }) => id)).toEqual([newer?.id, older?.id]);
});

test('a folder is one root, whatever path names it', async () => {
  const { world, project } = await worldWithArchive();
  const standard = join(world.dataDir, 'archives');
  const folder = temporaryFolder();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(standard, link);
  for (const name of [`${standard}/`, link, `${link}/`, join(standard, '..', 'archives', '.')]) {
    expect(await chooseRoot(world, name), name).toMatchObject({ archiveRoot: standard, earlierRoots: [] });
  }
  await chooseRoot(world, `${folder}/`);
  const other = join(temporaryFolder(), 'other');
  symlinkSync(folder, other);
  for (const name of [other, folder, link, `${other}/`]) await chooseRoot(world, name);
  expect(await show(world)).toMatchObject({ archiveRoot: folder, earlierRoots: [standard] });
  await backUp(world, 'source', [project]);
  expect(await rescan(world)).toMatchObject({ found: 2, added: 0, missing: 0 });
  expect(await archivesOf(world)).toHaveLength(2);

  // The archives were moved into one folder, with a link in their old place.
  cpSync(folder, standard, { recursive: true });
  rmSync(folder, { recursive: true });
  symlinkSync(standard, folder);
  expect(await rescan(world)).toMatchObject({ found: 2, added: 1, missing: 0 });
  const together = await archivesOf(world);
  expect(together).toHaveLength(2);
  expect(together.every(({ absent, damaged }) => !absent && damaged === null)).toBe(true);
});

test('a folder that the settings name twice is used once, and archives are not listed twice', async () => {
  const { world, project, sandbox } = await worldWithArchive();
  const standard = join(world.dataDir, 'archives');
  await world.app.close();
  const settingsPath = join(world.dataDir, 'settings.json');
  const settings = JSON.parse(readFileSync(settingsPath, 'utf8')) as object;
  const link = join(temporaryFolder(), 'link');
  symlinkSync(standard, link);
  writeFileSync(join(standard, '.packhorse-root'), '');
  const archiveRoots = [null, `${standard}/`, link];
  writeFileSync(settingsPath, JSON.stringify({ ...settings, archiveRoots, archiveRoot: link }));
  const again = await openWorld({ dataDir: world.dataDir });
  expect(await rescan(again)).toMatchObject({ found: 1, added: 0, missing: 0 });
  const token = sandbox.tokens.maintainer;
  await again.client.call('instance.setToken', { name: 'source', token, keep: 'session' });
  await backUp(again, 'source', [project]);
  expect(await rescan(again)).toMatchObject({ found: 2, added: 0, missing: 0 });
  const archives = await archivesOf(again);
  expect(archives.map(({ absent }) => absent)).toEqual([false, false]);
  expect(archives.every(({ absolutePath }) => absolutePath.startsWith(`${standard}/127`))).toBe(true);
  const [newest] = archives;
  const byLink = join(link, newest?.absolutePath.slice(standard.length) ?? '');
  expect((await again.client.call('archive.show', { archive: byLink })).summary.id).toBe(newest?.id);
});

test('a folder that cannot be a root is rejected with the reason, and the root is unchanged', async () => {
  const world = await openWorld();
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  mkdirSync(join(world.dataDir, 'archives', 'inside'), { recursive: true });
  symlinkSync(join(world.dataDir, 'archives', 'inside'), join(folder, 'link'));
  const inner = join(folder, 'chosen', 'inner');
  mkdirSync(inner, { recursive: true });
  await chooseRoot(world, join(folder, 'chosen'));
  for (const [place, why] of [
    ['relative/folder', /not a full path/],
    [join(folder, 'none'), /no such folder/],
    [file, /no such folder/],
    [world.dataDir, /it contains the settings and the catalogue/],
    [join(world.dataDir, '..'), /it contains the settings and the catalogue/],
    [join(world.dataDir, 'archives', 'inside'), /inside the archive folder/],
    [join(folder, 'link'), /inside the archive folder/],
    [join(world.dataDir, 'logs'), /inside the data folder/],
    [inner, /inside the archive folder/],
    [folder, /it contains the archive folder/],
    [`${folder}\0`, /not a full path/],
  ] as const) {
    await expect(chooseRoot(world, place), place).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(why) as string,
    });
  }
  if (process.platform === 'linux') {
    await expect(chooseRoot(world, '/proc')).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/cannot be stored in \/proc: no file can be created in it/) as string,
    });
  }
  expect(await show(world)).toMatchObject({
    archiveRoot: join(folder, 'chosen'),
    earlierRoots: [join(world.dataDir, 'archives')],
  });
});

test.each([
  [
    'is missing',
    (root: string, aside: string) => {
      renameSync(root, aside);
    },
  ],
  [
    'is an empty mount point',
    (root: string, aside: string) => {
      renameSync(root, aside);
      mkdirSync(root);
    },
  ],
])(
  'archives of a root that %s are absent, not lost, and no archive is stored in its place',
  async (_how, unplug) => {
    const { world, project } = await worldWithArchive();
    const root = join(temporaryFolder(), 'disk');
    mkdirSync(root);
    await chooseRoot(world, root);
    await backUp(world, 'source', [project]);
    const aside = `${root}-aside`;
    unplug(root, aside);

    const [newer, older] = await archivesOf(world);
    expect([newer?.absent, older?.absent]).toEqual([true, false]);
    await expect(
      world.client.call('archive.verify', { archive: newer?.id ?? '', level: 'L1' }),
    ).rejects.toMatchObject({ code: 'disk-failed' });
    expect(await rescan(world)).toMatchObject({ found: 1, missing: 1 });
    const [job] = await backUp(world, 'source', [project]);
    expect(job?.state).toMatchObject({
      status: 'failed',
      error: { code: 'disk-failed', details: { path: root } },
    });

    expect(existsSync(root) ? readdirSync(root) : []).toEqual([]);
    rmSync(root, { recursive: true, force: true });
    renameSync(aside, root);
    expect(await archivesOf(world)).toMatchObject([
      { id: newer?.id, absent: false, damaged: null },
      { id: older?.id, absent: false, damaged: null },
    ]);
    expect(await rescan(world)).toMatchObject({ found: 2, missing: 0 });
  },
);

test('an archive store that was moved completely to the new root is found there, and nothing is missing', async () => {
  const { world } = await worldWithArchive();
  const [before] = await archivesOf(world);
  const root = temporaryFolder();
  await chooseRoot(world, root);
  cpSync(join(world.dataDir, 'archives'), root, { recursive: true });
  rmSync(join(world.dataDir, 'archives', before?.path ?? ''));
  rmSync(join(world.dataDir, 'archives', `${before?.path ?? ''}.manifest.json`));
  expect(await rescan(world)).toMatchObject({ found: 1, added: 1, missing: 0 });
  expect(await archivesOf(world)).toMatchObject([{ sha256: before?.sha256, damaged: null }]);
});

test('a root from the settings of an older version keeps its archives and their ids', async () => {
  const { world } = await worldWithArchive();
  const [before] = await archivesOf(world);
  await world.app.close();
  const root = join(temporaryFolder(), 'by-hand');
  renameSync(join(world.dataDir, 'archives'), root);
  const settings = join(world.dataDir, 'settings.json');
  const { instances } = JSON.parse(readFileSync(settings, 'utf8')) as { instances: unknown };
  writeFileSync(settings, JSON.stringify({ schemaVersion: 1, archiveRoot: root, instances }));
  const again = await openWorld({ dataDir: world.dataDir });
  expect(await archivesOf(again)).toMatchObject([{ id: before?.id, absent: false }]);
  await chooseRoot(again, temporaryFolder());
  expect(await archivesOf(again)).toMatchObject([{ id: before?.id, absent: false }]);
});
