/** @file Damage to the catalogue or to the archive folder loses no archive. [R6] */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { CallReply } from '../../src-contract/calls.ts';
import type { Disk } from '../../src-main/platform/disk/disk.ts';
import { realDisk } from '../../src-main/platform/disk/real-disk.ts';
import { exportWith, member, seeded } from '../support/archives/archive-builder.ts';
import { noSmallDisk, smallDisk } from '../support/faults/small-disk.ts';
import { ShiftedClock } from '../support/clocks/shifted-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../support/world.ts';
import { archiveFilter, jobFilter } from '../support/requests.ts';

/** Returns everything known about each archive, from its files and from the catalogue. */
async function allKnown(world: World): Promise<CallReply<'archive.show'>[]> {
  const filter = archiveFilter();
  const { archives } = await world.client.call('archive.list', filter);
  return Promise.all(archives.map(({ id }) => world.client.call('archive.show', { archive: id })));
}

/** Returns comparable texts, independent of the order of the archives and of the path of the data folder. */
const facts = (known: CallReply<'archive.show'>[]): string[] =>
  known
    .map(({ summary: { absolutePath: _, ...summary }, manifest, state }) =>
      JSON.stringify({ summary, manifest, state }),
    )
    .sort();

const catalogueIn = (dataDir: string): string => join(dataDir, 'catalogue.sqlite');

interface Site {
  dataDir: string;
  before: string[];
}

let sharedSite: Promise<Site> | null = null;

/**
 * Creates archives of three projects, one of them unknown, with a pin, a note and proofs; a job; and a daily copy of
 * all this.
 */
async function makeSite(): Promise<Site> {
  const site = mkdtempSync(join(tmpdir(), 'packhorse-site-'));
  const world = await openWorld({ dataDir: site });
  const source = await openTestSandbox({ projectCount: 2 });
  await register(world, 'source', source);
  const [compass = '', other = ''] = source.state.paths;
  const [job] = await backUp(world, 'source', [compass]);
  expect(job?.state.status).toBe('succeeded');
  const exports = temporaryFolder();
  const files = [compass, compass, other, other, 'gone/project'].map((fullPath, at) => {
    const file = join(exports, `${at}.tar.gz`);
    const name = './tree/project/issues.ndjson';
    const content = `${JSON.stringify({ title: `Number ${at} ${'x'.repeat(at)}` })}\n`;
    writeFileSync(file, exportWith({ [name]: member({ name, content }) }));
    return { file, fullPath };
  });
  const { files: adopted } = await world.client.call('archive.adopt', {
    instance: 'source',
    files,
    prove: true,
  });
  const [pinned, noted, proven] = adopted.map(({ archive }) => archive?.path ?? '');
  await world.client.call('archive.setPinned', { archive: pinned ?? '', pinned: true, note: 'for ever' });
  await world.client.call('archive.setPinned', { archive: noted ?? '', pinned: false, note: 'a note' });
  await world.client.call('archive.verify', { archive: proven ?? '', level: 'L2' });
  const before = facts(await allKnown(world));
  expect(before).toHaveLength(6);
  expect(before.filter((text) => text.includes('"pinned":true') && text.includes('for ever'))).toHaveLength(
    1,
  );
  await world.app.close();
  const reopened = await openWorld({ dataDir: site });
  await reopened.app.close();
  expect(readdirSync(site).filter((name) => name.includes('.copy-'))).toHaveLength(1);
  return { dataDir: site, before };
}

/** Copies the data folder for one test, with everything known about its archives. */
async function copied(): Promise<Site> {
  const site = await (sharedSite ??= makeSite());
  const dataDir = temporaryFolder();
  cpSync(site.dataDir, dataDir, { recursive: true });
  return { ...site, dataDir };
}

afterAll(async () => {
  const site = await sharedSite;
  if (site !== null) rmSync(site.dataDir, { recursive: true });
});

async function jobsOf(world: World): Promise<number> {
  const filter = jobFilter({ limit: 10 });
  return (await world.client.call('job.list', filter)).jobs.length;
}

const deleteCatalogue = (dataDir: string): void => {
  for (const part of ['', '-wal', '-shm']) rmSync(catalogueIn(dataDir) + part, { force: true });
};
const deleteCopies = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) if (name.includes('.copy-')) rmSync(join(dataDir, name));
};
const truncateCatalogue = (dataDir: string): void => {
  truncateSync(catalogueIn(dataDir), readFileSync(catalogueIn(dataDir)).length / 2);
};

describe('every archive is restored with its pins, notes and proofs after the catalogue', () => {
  test.each([
    [
      'was deleted; the job history is that of the copy',
      deleteCatalogue,
      1,
      /catalogue was gone.*from the last copy/,
    ],
    [
      'was deleted with its copies; a notice reports that the job history is lost',
      (dataDir: string) => {
        deleteCatalogue(dataDir);
        deleteCopies(dataDir);
      },
      0,
      /6 archives were indexed.*history of earlier jobs is lost/,
    ],
    ['was truncated to half its size', truncateCatalogue, 1, /was damaged.*from the last copy/],
    [
      'was emptied',
      (dataDir: string) => {
        truncateSync(catalogueIn(dataDir));
      },
      1,
      /was damaged.*from the last copy/,
    ],
  ] as const)('%s', async (_what, damage, jobs, notice) => {
    const { dataDir, before } = await copied();
    damage(dataDir);
    const world = await openWorld({ dataDir });
    expect(facts(await allKnown(world))).toEqual(before);
    expect(await jobsOf(world)).toBe(jobs);
    expect(world.app.notices.join(' ')).toMatch(notice);
  });

  test.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'had random pages overwritten (%i)',
    async (seed) => {
      const { dataDir, before } = await copied();
      const bytes = readFileSync(catalogueIn(dataDir));
      const random = seeded(seed + 1);
      for (let page = 0; page < 1 + (seed % 4); page += 1) {
        const at = random(bytes.length / 4096) * 4096;
        for (let byte = at; byte < at + 4096; byte += 1) bytes[byte] = random(256);
      }
      writeFileSync(catalogueIn(dataDir), bytes);
      const world = await openWorld({ dataDir });
      await world.client.call('archive.rescan', {});
      expect(facts(await allKnown(world))).toEqual(before);
      expect(await jobsOf(world)).toBe(1);
    },
  );
});

test('a change and a rescan wait for another process that writes to the catalogue', async () => {
  const { dataDir, before } = await copied();
  deleteCatalogue(dataDir);
  deleteCopies(dataDir);
  const world = await openWorld({ dataDir });
  const program = fileURLToPath(new URL('../support/catalogue/catalogue-child.ts', import.meta.url));
  const whileLocked = async <T>(work: () => Promise<T>): Promise<T> => {
    const holder = spawn(process.execPath, [program, 'hold', dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(holder, 'exit');
    await once(holder.stdout, 'data');
    const result = await work();
    await ended;
    return result;
  };
  const rescanned = await whileLocked(() => world.client.call('archive.rescan', {}));
  expect(rescanned).toMatchObject({ found: 6, added: 0 });
  const known = await allKnown(world);
  expect(facts(known)).toEqual(before);
  const change = { archive: known[0]?.summary.path ?? '', pinned: true, note: 'changed during the lock' };
  await whileLocked(() => world.client.call('archive.setPinned', change));
  expect(facts(await allKnown(world)).join()).toContain(change.note);
});

describe('while the archive folder cannot be read after the catalogue was created again', () => {
  const policy = { keepLast: 1, withinDays: null, hourly: null, daily: null, weekly: null, monthly: null };

  async function planOf(world: World): Promise<string> {
    const { plan } = await world.client.call('plan.save', {
      id: null,
      name: 'nightly',
      instance: 'source',
      selection: { kind: 'all' },
      schedule: { kind: 'daily', at: '02:00', timeZone: 'UTC' },
      retention: { ...policy, yearly: null },
      enabled: false,
    });
    return plan.id;
  }

  test('nothing is pruned, even after restarts, until a rescan succeeds', async () => {
    const { dataDir, before } = await copied();
    const [store, away] = [join(dataDir, 'archives'), join(dataDir, 'away')];
    truncateCatalogue(dataDir);
    renameSync(store, away);
    writeFileSync(store, 'no folder');
    const first = await openWorld({ dataDir });
    expect(first.app.notices.join(' ')).toMatch(/could not be read.*Nothing is pruned/);
    await first.app.close();

    // Pruning keeps adopted archives for 30 days.
    const world = await openWorld({ dataDir, clock: new ShiftedClock(Date.now() + 31 * 86_400_000) });
    expect(world.app.notices.join(' ')).toMatch(/Nothing is pruned/);
    rmSync(store);
    renameSync(away, store);
    const planId = await planOf(world);
    const { retention } = (await world.client.call('plan.list', {})).plans[0]?.plan ?? { retention: null };
    if (retention === null) throw new Error('There is no plan.');
    const { projects } = await world.client.call('plan.prunePreview', { id: planId, retention });
    const shown = projects.flatMap(({ archives }) =>
      archives.filter(({ keep }) => !keep).map(({ id }) => id),
    );
    expect(shown).toHaveLength(1);
    const refusedPruning = await world.client.call('archive.prune', { planId, shown });
    expect(refusedPruning.movedCount).toBe(0);
    expect(refusedPruning.failed.map(({ error }) => error.code)).toEqual(shown.map(() => 'rescan-needed'));
    expect(facts(await allKnown(world))).toEqual(before);

    await world.client.call('archive.rescan', {});
    const pruned = await world.client.call('archive.prune', { planId, shown });
    expect(pruned).toMatchObject({ movedCount: shown.length, failed: [] });
  });
});

describe('a backup into a folder', () => {
  async function worldOn(dataDir: string, disk?: Disk): Promise<World> {
    const world = await openWorld({ dataDir, ...(disk === undefined ? {} : { disk }) });
    await register(world, 'lab', await openTestSandbox({ projectCount: 1 }));
    return world;
  }

  test.skipIf(noSmallDisk)(
    'that is read-only fails with disk-denied, and the next backup succeeds once the folder is writable',
    async () => {
      const { root, resize } = smallDisk();
      const { dataDir, before } = await copied();
      const world = await worldOn(dataDir);
      const store = join(root, 'store');
      mkdirSync(store);
      await world.client.call('settings.change', { archiveRoot: store });
      resize('ro');
      onTestFinished(() => {
        resize('rw');
      });
      const [failed] = await backUp(world, 'lab', ['atlas/compass']);
      expect(failed?.state).toMatchObject({ status: 'failed', error: { code: 'disk-denied' } });
      expect(facts(await allKnown(world))).toEqual(before);
      resize('rw');
      const [job] = await backUp(world, 'lab', ['atlas/compass']);
      expect(job?.state.status).toBe('succeeded');
      expect(await allKnown(world)).toHaveLength(before.length + 1);
    },
  );

  test('that vanishes during the backup fails with disk-failed, and every archive is available when it is back', async () => {
    const { dataDir, before } = await copied();
    const folder = temporaryFolder();
    const [store, away] = [join(folder, 'store'), join(folder, 'away')];
    mkdirSync(store);
    let vanishes = false;
    const disk: Disk = {
      ...realDisk,
      async create(path) {
        const file = await realDisk.create(path);
        if (vanishes) renameSync(store, away);
        vanishes = false;
        return file;
      },
    };
    const world = await worldOn(dataDir, disk);
    await world.client.call('settings.change', { archiveRoot: store });
    const [stored] = await backUp(world, 'lab', ['atlas/compass']);
    expect(stored?.state.status).toBe('succeeded');
    vanishes = true;
    const [failed] = await backUp(world, 'lab', ['atlas/compass']);
    expect(failed?.state).toMatchObject({ status: 'failed', error: { code: 'disk-failed' } });
    expect(existsSync(store)).toBe(false);
    // Archives on an absent disk are not lost.
    await world.client.call('archive.rescan', {});
    const filter = archiveFilter({ instance: 'lab', limit: 10 });
    expect((await world.client.call('archive.list', filter)).archives).toMatchObject([
      { absent: true, damaged: null, proof: { level: 'L2' } },
    ]);
    renameSync(away, store);
    const [job] = await backUp(world, 'lab', ['atlas/compass']);
    expect(job?.state.status).toBe('succeeded');
    const known = await allKnown(world);
    expect(known).toHaveLength(before.length + 2);
    await world.client.call('archive.rescan', {});
    expect(facts(await allKnown(world))).toEqual(facts(known));
  });
});
