/**
 * @file Pruning the archives of a plan, on a real store and catalogue: the preview shows exactly what is removed, and
 * pruning can be undone.
 */
import { cpSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../../src-main/compose/compose.ts';
import { openArchiveStore } from '../../../src-main/archive/store.ts';
import { trashRetentionMs } from '../../../src-main/archive/trash.ts';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import type { Retention } from '../../../src-contract/plans/plan.ts';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { manifestFields, receiveArchive, withCode } from '../../support/archives/archive-root.ts';
import { instanceOf } from '../../support/jobs/plan-harness.ts';
import { keepsAll, planDraft, type DraftOptions } from '../../support/jobs/plan-draft.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { readStoredState } from '../../support/faults/stored-truth.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openWorld, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const now = Date.UTC(2026, 10, 20, 12);
const day = 86_400_000;
const instanceUrl = 'https://gitlab.example';

let dataDir: string;
let world: World;

/** Stores an archive of the project that was received that many days ago. */
async function store(fullPath: string, projectId: number, days: number, name = 'work'): Promise<void> {
  const at = now - days * day;
  const archives = openArchiveStore({ root: join(dataDir, 'archives'), clock: new SteppedClock(at) });
  const pending = await receiveArchive(archives, exportWith(), {
    instanceUrl,
    fullPath,
    projectId,
    receivedAt: at,
  });
  await pending.commit({
    ...manifestFields,
    instance: { name, url: instanceUrl, username: 'ada' },
    project: { id: projectId, fullPath, name: fullPath },
  });
  const proof = { level: 'L2', at: new Date(at).toISOString(), detail: null } as const;
  await archives.updateState(pending.path, (state) => ({ ...state, proofs: [proof] }));
}

let seededDataDir: string;

beforeAll(async () => {
  seededDataDir = dataDir = mkdtempSync(join(tmpdir(), 'packhorse-'));
  const settings = new SettingsStore(join(dataDir, 'settings.json'), systemClock);
  await settings.change((before) => ({ ...before, instances: [instanceOf('work')] }));
  for (const days of [0, 1, 2, 9]) await store('group/app', 12, days);
  for (const days of [0, 3]) await store('group/other', 13, days);
  await store('group/app', 12, 30, 'elsewhere');
  const app = await composeApp({ dataDir, env: {} });
  await inProcessClient(app.dispatch, new AbortController().signal).call('archive.rescan', {});
  await app.close();
  return () => {
    rmSync(seededDataDir, { recursive: true });
  };
});

beforeEach(async () => {
  dataDir = temporaryFolder();
  cpSync(seededDataDir, dataDir, { recursive: true });
  world = await openWorld({ dataDir, clock: new ShiftedClock(now) });
});

const limits = (some: Partial<Retention>): Retention => ({ ...keepsAll, ...some });

async function planOf(options: DraftOptions): Promise<string> {
  return (await world.client.call('plan.save', planDraft(options))).plan.id;
}

const preview = async (id: string, retention: Retention) => {
  const result = await world.client.call('plan.prunePreview', { id, retention });
  const removed = result.projects.flatMap(({ project, archives }) =>
    archives.filter(({ keep }) => !keep).map((archive) => ({ ...archive, project })),
  );
  return { ...result, removed };
};

const storedArchives = async (): Promise<string[]> =>
  (await world.client.call('archive.list', archiveFilter())).archives
    .map(({ fullPath, storedAt }) => `${fullPath} ${storedAt.slice(0, 10)}`)
    .sort();

describe('pruning the archives of a plan', () => {
  it.each<[string, Partial<Retention>]>([
    ['by number', { keepLast: 2 }],
    ['by age', { withinDays: 2 }],
    ['by weeks and the newest', { keepLast: 1, weekly: 2 }],
    ['without a limit', {}],
  ])('%s removes exactly the archives that the preview shows', async (_how, some) => {
    const retention = limits(some);
    const id = await planOf({ retention });
    const before = await storedArchives();
    const { removed, removedCount, removedBytes } = await preview(id, retention);
    expect(await storedArchives()).toEqual(before);
    const pruned = await world.client.call('archive.prune', {
      planId: id,
      shown: removed.map((archive) => archive.id),
    });
    expect(pruned).toEqual({ movedCount: removedCount, movedBytes: removedBytes, failed: [] });
    const names = removed.map(({ project, storedAt }) => `${project} ${storedAt.slice(0, 10)}`);
    expect(await storedArchives()).toEqual(before.filter((archive) => !names.includes(archive)));
    expect((await preview(id, retention)).removed).toEqual([]);
    await world.app.close();
    const trashed = readStoredState(dataDir).trash.filter((file) => file.endsWith('.tar.gz'));
    expect(trashed).toHaveLength(removedCount);
  });

  it("removes only archives beyond the plan's own retention, even if the preview was for another one", async () => {
    const id = await planOf({ keepLast: 3 });
    const { removed } = await preview(id, limits({ keepLast: 1 }));
    expect(removed).toHaveLength(4);
    const shown = removed.map((archive) => archive.id);
    expect(await world.client.call('archive.prune', { planId: id, shown })).toMatchObject({ movedCount: 1 });
  });

  it('removes no archive that the user was not shown', async () => {
    const id = await planOf({ keepLast: 1 });
    expect(await world.client.call('archive.prune', { planId: id, shown: [] })).toMatchObject({
      movedCount: 0,
    });
    expect(await storedArchives()).toHaveLength(7);
  });

  it('keeps archives that another plan keeps, until that plan is removed or stores in another folder', async () => {
    const id = await planOf({ keepLast: 1 });
    const projects = [{ id: 12, fullPath: 'group/app' }];
    const app: DraftOptions = { selection: { kind: 'projects', projects } };
    const other = await planOf({ ...app, name: 'for good', enabled: false });
    const prunedProjects = async (): Promise<string[]> =>
      (await preview(id, limits({ keepLast: 1 }))).removed.map(({ project }) => project);
    expect(await prunedProjects()).toEqual(['group/other']);
    const elsewhere = temporaryFolder();
    await planOf({ ...app, id: other, name: 'for good', archiveRoot: elsewhere });
    expect(await prunedProjects()).toEqual(['group/app', 'group/app', 'group/app', 'group/other']);
    // A plan does not touch a folder that is not its own either.
    await planOf({ id, archiveRoot: elsewhere, keepLast: 1 });
    expect(await prunedProjects()).toEqual([]);
    await planOf({ id, archiveRoot: null, keepLast: 1 });
    await planOf({ ...app, id: other, name: 'for good', archiveRoot: null });
    expect(await prunedProjects()).toEqual(['group/other']);
    await world.client.call('plan.remove', { id: other });
    expect(await prunedProjects()).toEqual(['group/app', 'group/app', 'group/app', 'group/other']);
  });

  it('considers only the projects that the plan names', async () => {
    const projects = [{ id: 13, fullPath: 'group/other' }];
    const id = await planOf({ selection: { kind: 'projects', projects } });
    const { projects: shown } = await preview(id, limits({ keepLast: 1 }));
    expect(shown.map(({ project }) => project)).toEqual(['group/other']);
  });

  it('removes nothing of a project whose newest archive is damaged, and gives that as the reason', async () => {
    const id = await planOf({ keepLast: 1 });
    const { archives } = await world.client.call('archive.list', {
      instance: 'work',
      project: 'group/app',
      before: null,
      limit: 1,
    });
    const [newest] = archives;
    truncateSync(newest?.absolutePath ?? '', 100);
    await world.client.call('archive.verify', { archive: newest?.id ?? '', level: 'L1' });
    const { projects, removed } = await preview(id, limits({ keepLast: 1 }));
    expect(removed.map(({ project }) => project)).toEqual(['group/other']);
    const reasons = projects
      .find(({ project }) => project === 'group/app')
      ?.archives.map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['newest-damaged']));
    const [first, second] = projects.find(({ project }) => project === 'group/app')?.archives ?? [];
    expect(first).toMatchObject({ id: newest?.id, damaged: { reason: expect.any(String) as string } });
    expect(second).toMatchObject({
      damaged: null,
      condition: 'complete',
      proof: { level: 'L2', at: new Date(now - day).toISOString() },
    });
  });
});

describe('a pinned archive', () => {
  it('is kept whatever the limits of a plan, even after the catalogue was rebuilt, until it is unpinned', async () => {
    const id = await planOf({ keepLast: 1 });
    const oldest = (await preview(id, limits({ keepLast: 1 }))).removed.at(-1)?.id ?? '';
    const pin = (pinned: boolean, note: string | null) =>
      world.client.call('archive.setPinned', { archive: oldest, pinned, note });
    expect(await pin(true, 'for the audit')).toMatchObject({
      summary: { pinned: true },
      state: { pinned: true, note: 'for the audit' },
    });
    const isPruned = async (): Promise<boolean> =>
      (await preview(id, limits({ keepLast: 1 }))).removed.some((archive) => archive.id === oldest);
    expect(await isPruned()).toBe(false);
    await world.client.call('archive.rescan', {});
    expect(await isPruned()).toBe(false);
    expect(await pin(false, null)).toMatchObject({ state: { pinned: false, note: 'for the audit' } });
    expect(await isPruned()).toBe(true);
  });
});

describe('a pruned archive', () => {
  const prune = async (): Promise<string[]> => {
    const id = await planOf({ keepLast: 1 });
    const { removed } = await preview(id, limits({ keepLast: 1 }));
    await world.client.call('archive.prune', { planId: id, shown: removed.map((archive) => archive.id) });
    return removed.map((archive) => archive.id);
  };

  it('is in the trash for seven days with its reason, and is restored pinned under the same ID', async () => {
    const prunedIds = await prune();
    const { archives, bytes } = await world.client.call('archive.trash', {});
    expect(archives).toHaveLength(4);
    expect(bytes).toBeGreaterThan(archives.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    const [first] = archives;
    const { at, until } = first?.trashed ?? { at: '', until: '' };
    expect(first?.trashed?.reason).toBe(
      'Outside the limits that the plan sets for each project: the newest 1',
    );
    expect(Date.parse(until) - Date.parse(at)).toBe(trashRetentionMs);
    const { summary } = await world.client.call('archive.restore', { trashed: first?.path ?? '' });
    expect(prunedIds).toContain(summary.id);
    expect(summary).toMatchObject({ pinned: true, proof: { level: 'L2' } });
    expect(await storedArchives()).toHaveLength(4);
    expect(await world.client.call('archive.verify', { archive: summary.id, level: 'L2' })).toMatchObject({
      damaged: null,
    });
    expect((await world.client.call('archive.trash', {})).archives).toHaveLength(3);
    await world.app.close();
    expect(readStoredState(dataDir).archives).toHaveLength(4);
  });

  it('is not restored by a name that matches several archives or none', async () => {
    await prune();
    const { archives } = await world.client.call('archive.trash', {});
    const restore = (trashed: string) => world.client.call('archive.restore', { trashed });
    await expect(restore(archives[0]?.sha256.slice(0, 8) ?? '')).rejects.toThrow(
      withCode('archive-ambiguous'),
    );
    await expect(restore('../../settings.json')).rejects.toThrow(withCode('archive-missing'));
  });

  it('is removed permanently only after the user confirms it', async () => {
    await prune();
    const empty = (confirmation: string) => world.client.call('archive.emptyTrash', { confirmation });
    await expect(empty('a word')).rejects.toThrow(withCode('confirmation-missing'));
    expect((await world.client.call('archive.trash', {})).archives).toHaveLength(4);
    const { confirmation, destroys } = await world.client.call('host.confirm', {
      action: 'trash.empty',
      instance: '',
      project: null,
    });
    expect(destroys).toEqual([
      { what: 'trash', name: '', count: (await world.client.call('archive.trash', {})).bytes },
    ]);
    await empty(confirmation);
    expect(await world.client.call('archive.trash', {})).toEqual({ archives: [], bytes: 0 });
    expect(await storedArchives()).toHaveLength(3);
  });

  it('is only removed from the catalogue if its files were already deleted', async () => {
    const id = await planOf({ keepLast: 1 });
    const { removed } = await preview(id, limits({ keepLast: 1 }));
    const { summary } = await world.client.call('archive.show', { archive: removed[0]?.id ?? '' });
    rmSync(`${summary.absolutePath}.manifest.json`);
    rmSync(summary.absolutePath);
    const pruned = await world.client.call('archive.prune', {
      planId: id,
      shown: removed.map((archive) => archive.id),
    });
    // Counts as moved, because an interrupted earlier pruning may have moved its files.
    expect(pruned).toMatchObject({ movedCount: 4, failed: [] });
    expect(await storedArchives()).toHaveLength(3);
    const { archives } = await world.client.call('archive.trash', {});
    expect(archives.map(({ path }) => path)).not.toContain(summary.path);
    expect(archives).toHaveLength(3);
  });
});
