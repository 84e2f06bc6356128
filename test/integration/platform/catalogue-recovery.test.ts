import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportResultSchema } from '../../../src-contract/runs/job-schema.ts';
import { composeApp } from '../../../src-main/compose/compose.ts';
import { folderOnDisk } from '../../support/temporary-folder.ts';
import { backUp, nextChange, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const listed = async (world: World): Promise<string[]> => {
  const request = archiveFilter();
  const { archives } = await world.client.call('archive.list', request);
  return archives.map((archive) => `${archive.id} ${archive.sha256} ${archive.fullPath}`).sort();
};

/** Creates and closes a data folder with archives; returns the list of them. */
async function backedUp(): Promise<{ dataDir: string; before: string[] }> {
  const dataDir = folderOnDisk();
  const app = await composeApp({ dataDir, env: {} });
  await app.close();
  const world = await openWorld({ dataDir });
  const source = await openTestSandbox({ projectCount: 3 });
  await register(world, 'source', source);
  const jobs = await backUp(world, 'source', 'all');
  expect(jobs.map((job) => job.state.status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  const before = await listed(world);
  await world.app.close();
  return { dataDir, before };
}

function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 4096, bytes.length);
  writeFileSync(path, bytes);
}

it('a damaged catalogue is set aside and every archive is listed again from the store', async () => {
  const { dataDir, before } = await backedUp();
  damage(join(dataDir, 'catalogue.sqlite'));

  const world = await openWorld({ dataDir });
  expect(await listed(world)).toEqual(before);
  expect(world.app.notices.join()).toContain('was damaged');
});

it('a missing catalogue is built again from the store at once, with the same archive ids', async () => {
  const { dataDir, before } = await backedUp();
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(dataDir, `catalogue.sqlite${suffix}`), { force: true });

  const world = await openWorld({ dataDir });
  expect(await listed(world)).toEqual(before);
  expect(world.app.notices.join()).toContain('3 archives were indexed');
  expect(await world.client.call('archive.rescan', {})).toEqual({
    found: 3,
    added: 0,
    missing: 0,
    missingArchives: [],
    absentFolders: [],
    unreadable: [],
    withoutManifest: [],
  });
});

it('a rescan distinguishes a missing archive, a broken manifest and a broken state file', async () => {
  const { dataDir } = await backedUp();
  const world = await openWorld({ dataDir });
  const request = archiveFilter({ limit: 3 });
  const { archives } = await world.client.call('archive.list', request);
  const [missingArchive, brokenManifest, brokenState] = archives;
  if (missingArchive === undefined || brokenManifest === undefined || brokenState === undefined)
    throw new Error('too few');
  rmSync(missingArchive.absolutePath);
  writeFileSync(`${brokenManifest.absolutePath}.manifest.json`, '{');
  writeFileSync(`${brokenState.absolutePath}.state.json`, '{');

  const scanned = await world.client.call('archive.rescan', {});
  expect(scanned).toMatchObject({ found: 1, added: 0, missing: 1 });
  expect(scanned.unreadable.map(({ path }) => path).sort()).toEqual(
    [brokenManifest.path, brokenState.path].sort(),
  );
  const after = await world.client.call('archive.list', request);
  const damagedOf = (path: string) =>
    after.archives.find((archive) => archive.path === path)?.damaged?.reason;
  expect(damagedOf(missingArchive.path)).toContain('missing');
  expect(damagedOf(brokenManifest.path)).toContain('cannot be read');
  expect(damagedOf(brokenState.path)).toBeUndefined();
});

it('an archive that was deleted from the store by hand is reported as damaged, and is still known', async () => {
  const { dataDir } = await backedUp();
  const world = await openWorld({ dataDir });
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
  const [archive] = archives;
  if (archive === undefined) throw new Error('nothing is listed');
  rmSync(archive.absolutePath);
  const verified = await world.client.call('archive.verify', { archive: archive.path, level: 'L1' });
  expect(verified.damaged).not.toBeNull();
  const shown = await world.client.call('archive.show', { archive: archive.path });
  expect(shown.state.damaged).toEqual(verified.damaged);
});

it('jobs that were open in the copy from which a catalogue is restored fail, and are not run again', async () => {
  const dataDir = folderOnDisk();
  const before = await openWorld({ dataDir });
  const target = await openTestSandbox();
  const source = await openTestSandbox({ projectCount: 1 });
  await register(before, 'source', source);
  await register(before, 'target', target);
  const [backup] = await backUp(before, 'source', 'all');
  target.faults.add({ match: {}, action: { kind: 'end-import', as: 'stuck', at: 'started' } });
  const archive = exportResultSchema.parse(backup?.result).archivePath;
  const { jobId } = await before.client.call('import.start', {
    instance: 'target',
    archive,
    namespace: null,
    path: 'moved',
    name: null,
    overwrite: false,
    allowSuspicious: false,
    overrideParams: {},
  });
  for (let change = nextChange(before); ; change = nextChange(before)) {
    const { state } = await before.client.call('job.show', { job: jobId });
    if (state.status === 'waiting') break;
    await change;
  }
  await before.app.close();
  const path = join(dataDir, 'catalogue.sqlite');
  copyFileSync(path, `${path}.copy-29991231T000000000Z`);
  damage(path);
  const sent = target.requests.length;

  const after = await openWorld({ dataDir });
  const { state } = await after.client.call('job.show', { job: jobId });
  expect(state).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  expect(after.app.notices.join(' ')).toContain('Jobs that are open in that copy were given up: 1.');
  expect(target.requests).toHaveLength(sent);
});
