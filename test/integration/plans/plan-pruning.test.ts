/**
 * @file Pruning the archives of a plan, on a real store and catalogue: the preview is what is removed, and it can be
 * undone.
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
import { fields, received, withCode } from '../../support/archives/archive-root.ts';
import { instanceOf } from '../../support/jobs/plan-harness.ts';
import { keepsAll, planDraft, type DraftOptions } from '../../support/jobs/plan-draft.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { storedTruth } from '../../support/faults/stored-truth.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openWorld, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const now = Date.UTC(2026, 10, 20, 12);
const day = 86_400_000;
const instanceUrl = 'https://gitlab.example';

let dataDir: string;
let world: World;

/** Stores an archive of the project as it was that many days ago. */
async function store(fullPath: string, projectId: number, days: number, name = 'work'): Promise<void> {
  const at = now - days * day;
  const archives = openArchiveStore({ root: join(dataDir, 'archives'), clock: new SteppedClock(at) });
  const pending = await received(archives, exportWith(), {
    instanceUrl,
    fullPath,
    projectId,
    receivedAt: at,
  });
  await pending.commit({
    ...fields,
    instance: { name, url: instanceUrl, username: 'ada' },
    project: { id: projectId, fullPath, name: fullPath },
  });
  const proof = { level: 'L2', at: new Date(at).toISOString(), detail: null } as const;
  await archives.updateState(pending.path, (state) => ({ ...state, proofs: [proof] }));
}

let filled: string;

beforeAll(async () => {
  filled = dataDir = mkdtempSync(join(tmpdir(), 'packhorse-'));
  const settings = new SettingsStore(join(dataDir, 'settings.json'), systemClock);
  await settings.change((before) => ({ ...before, instances: [instanceOf('work')] }));
  for (const days of [0, 1, 2, 9]) await store('group/app', 12, days);
  for (const days of [0, 3]) await store('group/other', 13, days);
  await store('group/app', 12, 30, 'elsewhere');
  const app = await composeApp({ dataDir, env: {} });
  await inProcessClient(app.dispatch, new AbortController().signal).call('archive.rescan', {});
  await app.close();
  return () => {
    rmSync(filled, { recursive: true });
  };
});

beforeEach(async () => {
  dataDir = temporaryFolder();
  cpSync(filled, dataDir, { recursive: true });
  world = await openWorld({ dataDir, clock: new ShiftedClock(now) });
});

const limits = (some: Partial<Retention>): Retention => ({ ...keepsAll, ...some });

async function planOf(options: DraftOptions): Promise<string> {
  return (await world.client.call('plan.save', planDraft(options))).plan.id;
}

const preview = async (id: string, retention: Retention) => {
  const told = await world.client.call('plan.prunePreview', { id, retention });
  const gone = told.projects.flatMap(({ project, archives }) =>
    archives.filter(({ keep }) => !keep).map((one) => ({ ...one, project })),
  );
  return { ...told, gone };
};

const held = async (): Promise<string[]> =>
  (await world.client.call('archive.list', archiveFilter())).archives
    .map(({ fullPath, storedAt }) => `${fullPath} ${storedAt.slice(0, 10)}`)
    .sort();

describe('what a plan does not keep', () => {
  it.each<[string, Partial<Retention>]>([
    ['by number', { keepLast: 2 }],
    ['by age', { withinDays: 2 }],
    ['by weeks and the newest', { keepLast: 1, weekly: 2 }],
    ['without a limit', {}],
  ])('%s is shown as it then goes, archive by archive', async (_how, some) => {
    const retention = limits(some);
    const id = await planOf({ retention });
    const before = await held();
    const { gone, removedCount, removedBytes } = await preview(id, retention);
    expect(await held()).toEqual(before);
    const pruned = await world.client.call('archive.prune', { planId: id, shown: gone.map((one) => one.id) });
    expect(pruned).toEqual({ movedCount: removedCount, movedBytes: removedBytes, failed: [] });
    const names = gone.map(({ project, storedAt }) => `${project} ${storedAt.slice(0, 10)}`);
    expect(await held()).toEqual(before.filter((one) => !names.includes(one)));
    expect((await preview(id, retention)).gone).toEqual([]);
    await world.app.close();
    const trashed = storedTruth(dataDir).trash.filter((file) => file.endsWith('.tar.gz'));
    expect(trashed).toHaveLength(removedCount);
  });

  it('of another retention than its own is shown, and never goes', async () => {
    const id = await planOf({ keepLast: 3 });
    const { gone } = await preview(id, limits({ keepLast: 1 }));
    expect(gone).toHaveLength(4);
    const shown = gone.map((one) => one.id);
    expect(await world.client.call('archive.prune', { planId: id, shown })).toMatchObject({ movedCount: 1 });
  });

  it('stays as long as nobody was shown it', async () => {
    const id = await planOf({ keepLast: 1 });
    expect(await world.client.call('archive.prune', { planId: id, shown: [] })).toMatchObject({
      movedCount: 0,
    });
    expect(await held()).toHaveLength(7);
  });

  it('stays where another plan keeps it, until that one is gone or stores elsewhere', async () => {
    const id = await planOf({ keepLast: 1 });
    const projects = [{ id: 12, fullPath: 'group/app' }];
    const app: DraftOptions = { selection: { kind: 'projects', projects } };
    const other = await planOf({ ...app, name: 'for good', enabled: false });
    const beyond = async (): Promise<string[]> =>
      (await preview(id, limits({ keepLast: 1 }))).gone.map(({ project }) => project);
    expect(await beyond()).toEqual(['group/other']);
    const elsewhere = temporaryFolder();
    await planOf({ ...app, id: other, name: 'for good', archiveRoot: elsewhere });
    expect(await beyond()).toEqual(['group/app', 'group/app', 'group/app', 'group/other']);
    // A plan does not touch a folder that is not its own either.
    await planOf({ id, archiveRoot: elsewhere, keepLast: 1 });
    expect(await beyond()).toEqual([]);
    await planOf({ id, archiveRoot: null, keepLast: 1 });
    await planOf({ ...app, id: other, name: 'for good', archiveRoot: null });
    expect(await beyond()).toEqual(['group/other']);
    await world.client.call('plan.remove', { id: other });
    expect(await beyond()).toEqual(['group/app', 'group/app', 'group/app', 'group/other']);
  });

  it('considers only the projects that it names', async () => {
    const projects = [{ id: 13, fullPath: 'group/other' }];
    const id = await planOf({ selection: { kind: 'projects', projects } });
    const { projects: told } = await preview(id, limits({ keepLast: 1 }));
    expect(told.map(({ project }) => project)).toEqual(['group/other']);
  });

  it('is nothing while the newest archive of a project is damaged, and the reason says so', async () => {
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
    const { projects, gone } = await preview(id, limits({ keepLast: 1 }));
    expect(gone.map(({ project }) => project)).toEqual(['group/other']);
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

describe('an archive that is pinned', () => {
  it('stays whatever a plan says, also after the catalogue was rebuilt, and goes once it is not', async () => {
    const id = await planOf({ keepLast: 1 });
    const oldest = (await preview(id, limits({ keepLast: 1 }))).gone.at(-1)?.id ?? '';
    const pin = (pinned: boolean, note: string | null) =>
      world.client.call('archive.setPinned', { archive: oldest, pinned, note });
    expect(await pin(true, 'for the audit')).toMatchObject({
      summary: { pinned: true },
      state: { pinned: true, note: 'for the audit' },
    });
    const isGoing = async (): Promise<boolean> =>
      (await preview(id, limits({ keepLast: 1 }))).gone.some((one) => one.id === oldest);
    expect(await isGoing()).toBe(false);
    await world.client.call('archive.rescan', {});
    expect(await isGoing()).toBe(false);
    expect(await pin(false, null)).toMatchObject({ state: { pinned: false, note: 'for the audit' } });
    expect(await isGoing()).toBe(true);
  });
});

describe('what went', () => {
  const prune = async (): Promise<string[]> => {
    const id = await planOf({ keepLast: 1 });
    const { gone } = await preview(id, limits({ keepLast: 1 }));
    await world.client.call('archive.prune', { planId: id, shown: gone.map((one) => one.id) });
    return gone.map((one) => one.id);
  };

  it('is in the trash for seven days with its reason, and comes back pinned under the same id', async () => {
    const gone = await prune();
    const { archives, bytes } = await world.client.call('archive.trash', {});
    expect(archives).toHaveLength(4);
    expect(bytes).toBeGreaterThan(archives.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    const [first] = archives;
    const { at, until } = first?.trashed ?? { at: '', until: '' };
    expect(first?.trashed?.reason).toBe('Beyond the limits of each project: the newest 1');
    expect(Date.parse(until) - Date.parse(at)).toBe(trashRetentionMs);
    const { summary } = await world.client.call('archive.restore', { trashed: first?.path ?? '' });
    expect(gone).toContain(summary.id);
    expect(summary).toMatchObject({ pinned: true, proof: { level: 'L2' } });
    expect(await held()).toHaveLength(4);
    expect(await world.client.call('archive.verify', { archive: summary.id, level: 'L2' })).toMatchObject({
      damaged: null,
    });
    expect((await world.client.call('archive.trash', {})).archives).toHaveLength(3);
    await world.app.close();
    expect(storedTruth(dataDir).archives).toHaveLength(4);
  });

  it('is not restored by a name that means several, or none', async () => {
    await prune();
    const { archives } = await world.client.call('archive.trash', {});
    const restore = (trashed: string) => world.client.call('archive.restore', { trashed });
    await expect(restore(archives[0]?.sha256.slice(0, 8) ?? '')).rejects.toThrow(
      withCode('archive-ambiguous'),
    );
    await expect(restore('../../settings.json')).rejects.toThrow(withCode('archive-missing'));
  });

  it('is removed permanently by a user who confirms it, and not without', async () => {
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
    expect(await held()).toHaveLength(3);
  });

  it('is only forgotten where somebody took its files away', async () => {
    const id = await planOf({ keepLast: 1 });
    const { gone } = await preview(id, limits({ keepLast: 1 }));
    const { summary } = await world.client.call('archive.show', { archive: gone[0]?.id ?? '' });
    rmSync(`${summary.absolutePath}.manifest.json`);
    rmSync(summary.absolutePath);
    const pruned = await world.client.call('archive.prune', { planId: id, shown: gone.map((one) => one.id) });
    expect(pruned.movedCount).toBe(4);
  });
});
