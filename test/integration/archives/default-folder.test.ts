/**
 * @file The default archive folder, used until the user chooses another. The app creates it once, recognises it by its
 * mark, and never creates it again without a request.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Job } from '../../../src-contract/runs/job.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const mark = '.packhorse-root';
const folderOf = ({ dataDir }: World): string => join(dataDir, 'archives');

async function backedUp(
  projects = 1,
): Promise<{ world: World; sandbox: Sandbox; again: (on?: World) => Promise<Job[]> }> {
  const sandbox = await openTestSandbox({ projectCount: projects });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const again = (on = world) => backUp(on, 'work', sandbox.state.paths.slice(0, projects));
  expect(await again()).toMatchObject(
    Array.from({ length: projects }, () => ({ state: { status: 'succeeded' } })),
  );
  await world.client.call('instance.refresh', { name: 'work', visible: false });
  return { world, sandbox, again };
}
const overview = async (world: World) => {
  const { attention, archives, instances } = await world.client.call('overview.show', {});
  return { first: attention[0], archives, statusCounts: instances[0]?.statusCounts };
};

test.for(['gone', 'replaced by an empty folder'])(
  'a default folder that is %s is reported first, and no project counts as backed up',
  async (how) => {
    const { world } = await backedUp(2);
    const folder = folderOf(world);
    const { bytes } = (await overview(world)).archives;
    expect(bytes).toBeGreaterThan(0);
    renameSync(folder, `${folder}-elsewhere`);
    const replaced = how !== 'gone';
    if (replaced) mkdirSync(folder);
    for (const rescan of [false, true]) {
      if (rescan) {
        expect(await world.client.call('archive.rescan', {})).toMatchObject({ found: 0, missing: 2 });
      }
      expect(await overview(world)).toMatchObject({
        first: { kind: 'archives-absent', path: folder, replaced, archives: 2, projects: 2 },
        archives: { count: 0, bytes: 0, absent: 2, freeBytes: null },
        statusCounts: { absent: 2, current: 0, changed: 0 },
      });
    }
    const { plan } = await world.client.call('plan.save', planDraft());
    const request = { id: plan.id, retention: plan.retention };
    expect(await world.client.call('plan.prunePreview', request)).toMatchObject({
      projects: [],
      absentCount: 2,
    });
    const { checks } = await world.client.call('doctor.run', {});
    expect(checks.filter(({ ok, value }) => !ok && value.includes(folder))).toHaveLength(1);

    if (replaced) rmSync(folder, { recursive: true });
    renameSync(`${folder}-elsewhere`, folder);
    expect(await overview(world)).toMatchObject({
      archives: { count: 2, bytes, absent: 0 },
      statusCounts: { absent: 0, current: 2 },
    });
  },
);

test('a backup does not recreate a default folder that contained archives, but a user can', async () => {
  const { world, again } = await backedUp();
  const folder = folderOf(world);
  renameSync(folder, `${folder}-elsewhere`);
  expect(await again()).toMatchObject([{ state: { status: 'failed', error: { code: 'disk-failed' } } }]);
  expect(existsSync(folder)).toBe(false);
  await world.client.call('settings.change', { archiveRoot: folder });
  expect(await again()).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(existsSync(join(folder, mark))).toBe(true);
});

test('another folder at the same path is not accepted as the default folder, even if a running backup has stored an archive in it', async () => {
  const { world } = await backedUp(2);
  const folder = folderOf(world);
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 9 }));
  const kept = dirname(archives[0]?.absolutePath ?? '');
  renameSync(folder, `${folder}-elsewhere`);
  cpSync(kept.replace(folder, `${folder}-elsewhere`), kept, { recursive: true });
  expect(await overview(world)).toMatchObject({
    first: { kind: 'archives-absent', path: folder, replaced: true, archives: 2 },
    statusCounts: { absent: 2, current: 0 },
  });
  expect(existsSync(join(folder, mark))).toBe(false);
  await world.client.call('settings.change', { archiveRoot: folder });
  expect(await overview(world)).toMatchObject({ archives: { absent: 0 } });
});

test('the default folder is not recreated even if the catalogue was lost with it', async () => {
  const { world, sandbox, again } = await backedUp();
  await world.app.close();
  rmSync(folderOf(world), { recursive: true });
  for (const file of ['catalogue.sqlite', 'catalogue.sqlite-wal', 'catalogue.sqlite-shm']) {
    rmSync(join(world.dataDir, file), { force: true });
  }
  const later = await openWorld({ dataDir: world.dataDir });
  const { checks } = await later.client.call('doctor.run', {});
  expect(checks.find(({ name }) => name === 'archive folder')).toMatchObject({ ok: false });
  const token = sandbox.tokens.maintainer;
  await later.client.call('instance.setToken', { name: 'work', token, keep: 'session' });
  expect(await again(later)).toMatchObject([{ state: { status: 'failed', error: { code: 'disk-failed' } } }]);
  expect(existsSync(folderOf(world))).toBe(false);
});

test('several archives that arrive at once are all stored in a new default folder', async () => {
  const { world } = await backedUp(4);
  expect((await overview(world)).archives).toMatchObject({ count: 4, absent: 0 });
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 9 }));
  expect(archives.map(({ absolutePath, path }) => absolutePath.replace(path, ''))).toEqual(
    Array(4).fill(`${folderOf(world)}/`),
  );
  expect(existsSync(join(folderOf(world), mark))).toBe(true);
});

test('a new data folder has no default folder until the first archive, and the default folder then has its mark', async () => {
  const world = await openWorld();
  const { checks } = await world.client.call('doctor.run', {});
  expect(checks.find(({ name }) => name === 'archive folder')?.value).toContain(folderOf(world));
  expect(existsSync(folderOf(world))).toBe(false);
  const { world: used } = await backedUp();
  expect(existsSync(join(folderOf(used), mark))).toBe(true);
});

test('a default folder of an earlier version gets its mark if its archives are in it, and otherwise none', async () => {
  const { world } = await backedUp();
  await world.app.close();
  const settings = join(world.dataDir, 'settings.json');
  const { defaultRootMarked: _, ...before } = JSON.parse(readFileSync(settings, 'utf8')) as Record<
    string,
    unknown
  >;
  writeFileSync(settings, JSON.stringify(before));
  rmSync(join(folderOf(world), mark));
  const aside = `${folderOf(world)}-aside`;
  cpSync(folderOf(world), aside, { recursive: true });

  rmSync(folderOf(world), { recursive: true });
  mkdirSync(folderOf(world));
  const without = await openWorld({ dataDir: world.dataDir });
  expect(await overview(without)).toMatchObject({ first: { kind: 'archives-absent', replaced: true } });
  expect(existsSync(join(folderOf(world), mark))).toBe(false);
  await without.app.close();

  cpSync(aside, folderOf(world), { recursive: true });
  const within = await openWorld({ dataDir: world.dataDir });
  expect(await overview(within)).toMatchObject({ archives: { count: 1, absent: 0 } });
  expect(existsSync(join(folderOf(world), mark))).toBe(true);
});

test('the command line reports a missing default folder first, and exits with 3 if --exit-code is given', async () => {
  const cli = new Cli();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await cli.add('gl', sandbox);
  const as = tokenOption('gl', sandbox.tokens.maintainer);
  await cli.run(['backup', '--instance', 'gl', '--all'], as);
  await cli.run(['instance', 'refresh', 'gl'], as);
  expect(await cli.run(['overview', '--exit-code'], as)).toMatchObject({ code: 0 });
  rmSync(join(cli.dataDir, 'archives'), { recursive: true });
  const reported = await cli.run(['overview', '--exit-code'], as);
  expect(reported.code).toBe(3);
  expect(reported.stdout).toMatch(/^1 archive of 1 project is not available\.\n/);
  expect(reported.stdout).toContain('0 archives, 0 B (1 more are not available)');
  expect(await cli.run(['overview'], as)).toMatchObject({ code: 0 });
  const list = await cli.run(['archive', 'list'], as);
  expect(list.stdout).toContain('absent');
});

test('an older copy of the folder that was put back is found by the doctor', async () => {
  const { world, again } = await backedUp();
  const folder = folderOf(world);
  cpSync(folder, `${folder}-older`, { recursive: true });
  await again();
  const folderChecks = async (): Promise<[boolean, string][]> => {
    const { checks } = await world.client.call('doctor.run', {});
    return checks.filter(({ name }) => name === 'archive folder').map(({ ok, value }) => [ok, value]);
  };
  expect(await folderChecks()).toMatchObject([[true, expect.stringContaining(folder) as string]]);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-older`, folder);
  expect(await folderChecks()).toEqual([[false, `${folder} lacks 1 archive of the catalogue`]]);
});
