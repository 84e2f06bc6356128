/** @file The overview: the items that need attention, and when they disappear. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import type { Attention, Overview } from '../../../src-contract/runs/overview-schema.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { backUp, importInto, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const show = (world: World) => world.client.call('overview.show', {});
const kinds = ({ attention }: Overview) => attention.map(({ kind }) => kind);
const itemsOf = <Kind extends Attention['kind']>({ attention }: Overview, kind: Kind) =>
  attention.filter((item): item is Extract<Attention, { kind: Kind }> => item.kind === kind);
const refresh = (world: World, name = 'source') =>
  world.client.call('instance.refresh', { name, visible: false });

test('the overview of an empty data folder has no items, except about the disk', async () => {
  const world = await openWorld();
  const overview = await show(world);
  expect(overview).toMatchObject({
    instances: [],
    archives: { count: 0, bytes: 0, absent: 0, freeBytes: expect.any(Number) as number },
    openJobs: {},
    moreAttention: 0,
  });
  expect(kinds(overview).filter((kind) => kind !== 'disk-low')).toEqual([]);
});

test('projects are counted by their backup status, archives by number and size', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'source', sandbox);
  expect(kinds(await show(world))).toContain('list-old');
  const { refreshedAt } = await refresh(world);
  expect(itemsOf(await show(world), 'never-backed-up')).toEqual([
    { kind: 'never-backed-up', instance: 'source', projects: 3 },
  ]);
  const [first = ''] = sandbox.state.paths;
  const [job] = await backUp(world, 'source', [first]);
  const overview = await show(world);
  expect(overview.instances).toEqual([
    {
      name: 'source',
      url: sandbox.url,
      username: 'maintainer',
      tokenCanWrite: true,
      anonymous: false,
      readOnly: false,
      refreshedAt,
      projects: 3,
      statusCounts: {
        absent: 0,
        damaged: 0,
        incomplete: 0,
        suspicious: 0,
        failed: 0,
        never: 2,
        changed: 0,
        current: 1,
        'not-allowed': 0,
      },
      failedHeld: 0,
      newCopies: 0,
      oldestArchive: null,
      plan: null,
    },
  ]);
  expect(overview.archives).toMatchObject({
    count: 1,
    bytes: (job?.result as { sizeBytes: number }).sizeBytes,
  });
  expect(overview.runsJobs).toBe(true);
  expect(kinds(overview)).not.toContain('list-old');
});

test('a failed job is reported once, and no longer when a later job of the project has succeeded', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  await refresh(world);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 2 },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  await backUp(world, 'source', 'all');
  const [again] = await backUp(world, 'source', 'all');
  expect(itemsOf(await show(world), 'job-failed')).toMatchObject([
    {
      jobId: again?.id,
      instance: 'source',
      project: sandbox.state.paths[0],
      error: { code: again?.state.status === 'failed' ? again.state.error.code : '' },
    },
  ]);
  await backUp(world, 'source', 'all');
  expect(itemsOf(await show(world), 'job-failed')).toEqual([]);
});

test('backups that fail for the same reason are reported once, with their number', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 4 });
  await register(world, 'source', sandbox);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 3 },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  const jobs = await backUp(world, 'source', 'all');
  const failed = jobs.filter(({ state }) => state.status === 'failed').toReversed();
  expect(failed).toHaveLength(3);
  const overview = await show(world);
  expect(itemsOf(overview, 'job-failed')).toEqual([]);
  expect(itemsOf(overview, 'jobs-failed')).toMatchObject([
    {
      jobKind: 'export',
      instance: 'source',
      total: 3,
      jobs: failed.map(({ id, project }) => ({ jobId: id, project })),
    },
  ]);
});

test('records that an export lost are reported as a warning until the next complete backup', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 1 },
    action: { kind: 'drop-records', relation: 'issues', count: 1 },
  });
  const [job] = await backUp(world, 'source', 'all');
  const messages = job?.state.status === 'succeeded' ? job.state.warnings.map(({ message }) => message) : [];
  expect(messages).not.toEqual([]);
  expect(itemsOf(await show(world), 'job-warnings')).toMatchObject([
    { jobId: job?.id, jobKind: 'export', warnings: messages.length, messages: messages },
  ]);
  await backUp(world, 'source', 'all');
  expect(itemsOf(await show(world), 'job-warnings')).toEqual([]);
});

test('a damaged archive is reported, and as a lesser problem when a newer archive of the project is readable', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  await backUp(world, 'source', 'all');
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 5 }));
  appendFileSync(archives[0]?.absolutePath ?? '', 'x');
  await world.client.call('archive.verify', { archive: archives[0]?.id ?? '', level: 'L1' });
  expect(itemsOf(await show(world), 'archive-damaged')).toMatchObject([
    { archiveId: archives[0]?.id, instance: 'source', project: sandbox.state.paths[0] },
  ]);
  await backUp(world, 'source', 'all');
  const after = await show(world);
  expect(itemsOf(after, 'archive-damaged')).toEqual([]);
  expect(itemsOf(after, 'older-archive-damaged')).toMatchObject([{ archiveId: archives[0]?.id }]);
});

test('the day on which a token expires is stored at each check, and reported when it is near', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox();
  await register(world, 'source', sandbox);
  const { expiresOn } = await world.client.call('instance.check', { name: 'source' });
  const settings = new SettingsStore(join(world.dataDir, 'settings.json'), systemClock);
  expect(settings.instance('source').tokenExpiresOn).toBe(expiresOn);
  expect(kinds(await show(world))).not.toContain('token-expires');
  const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  await settings.change((before) => ({
    ...before,
    instances: before.instances.map((instance) => ({ ...instance, tokenExpiresOn: soon })),
  }));
  expect(itemsOf(await show(world), 'token-expires')).toEqual([
    { kind: 'token-expires', instance: 'source', expiresOn: soon },
  ]);
  await world.client.call('instance.check', { name: 'source' });
  expect(kinds(await show(world))).not.toContain('token-expires');
});

test('a read-only token is reported instead of projects without a backup, until another token is given', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 2 });
  await register(world, 'source', sandbox, sandbox.tokens.readOnly);
  await refresh(world);
  const overview = await show(world);
  expect(overview.instances).toMatchObject([{ tokenCanWrite: false, statusCounts: { never: 2 } }]);
  expect(kinds(overview).filter((kind) => kind !== 'disk-low')).toEqual(['token-read-only']);

  const token = sandbox.tokens.maintainer;
  await world.client.call('instance.setToken', { name: 'source', token, keep: 'session' });
  expect(kinds(await show(world)).filter((kind) => kind !== 'disk-low')).toEqual(['never-backed-up']);
});

test('a missing token is reported without waiting for the keychain', async () => {
  const keychain = new MemoryKeychain();
  const first = await openWorld({ keychain });
  await register(first, 'source', await openTestSandbox());
  expect(kinds(await show(first))).not.toContain('token-missing');

  const second = await openWorld({ keychain, dataDir: first.dataDir });
  const found = new Promise<void>((resolve) => {
    second.app.subscribe((name) => {
      if (name === 'instance.changed') resolve();
    });
  });
  expect(kinds(await show(second))).not.toContain('token-missing');
  await found;
  expect(itemsOf(await show(second), 'token-missing')).toEqual([
    { kind: 'token-missing', instance: 'source' },
  ]);
});

test('items are sorted with the worst first, and none is reported twice', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 2 });
  await register(world, 'source', sandbox);
  await register(world, 'other', sandbox);
  await refresh(world);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 1 },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  await backUp(world, 'source', [sandbox.state.paths[0] ?? '']);
  const overview = await show(world);
  expect(kinds(overview).filter((kind) => kind !== 'disk-low')).toEqual([
    'job-failed',
    'never-backed-up',
    'list-old',
  ]);
  const texts = overview.attention.map((item) => JSON.stringify(item));
  expect(new Set(texts).size).toBe(texts.length);
});

test('a failed project with an older archive and a copy that was just imported are counted apart from projects without an archive', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  await backUp(world, 'source', 'all');
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 5 }));
  const [archive] = archives;
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$' },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
  await backUp(world, 'source', 'all');
  await importInto(world, 'source', archive?.id ?? '', { namespace: 'atlas', path: 'copy' });
  await refresh(world);
  const overview = await show(world);
  // Returns the rows of the project list, which must agree with the overview.
  const listed = async (backupStatus: 'never' | 'new-copy' | null) => {
    const every = { instance: null, search: null, archived: null, sort: 'path' as const, descending: false };
    const page = { ...every, backupStatus, offset: 0, limit: 9 };
    const { projects, total } = await world.client.call('project.page', page);
    expect(total).toBe(projects.length);
    return projects.map(({ fullPath, newCopy }) => [fullPath, newCopy]);
  };
  expect(overview.instances).toMatchObject([
    {
      statusCounts: { failed: 1, never: 1 },
      failedHeld: 1,
      newCopies: 1,
      oldestArchive: archive?.storedAt,
    },
  ]);
  expect(kinds(overview)).toContain('job-failed');
  expect(kinds(overview)).not.toContain('never-backed-up');
  expect(await listed('new-copy')).toEqual([['atlas/copy', true]]);
  expect(await listed('never')).toEqual([]);
  expect(await listed(null)).toContainEqual(['atlas/copy', true]);

  // Without its source archive, the copy is as unprotected as any other project.
  await world.client.call('archive.moveToTrash', { archive: archive?.id ?? '' });
  const after = await show(world);
  expect(after.instances).toMatchObject([
    { statusCounts: { failed: 1, never: 1 }, failedHeld: 0, newCopies: 0, oldestArchive: null },
  ]);
  expect(itemsOf(after, 'never-backed-up')).toMatchObject([{ projects: 1 }]);
  expect(await listed('new-copy')).toEqual([]);
  expect(await listed('never')).toEqual([['atlas/copy', undefined]]);
});

test('the notices from the start of the program are reported in the overview too', async () => {
  const first = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(first, 'source', sandbox);
  await backUp(first, 'source', 'all');
  await first.app.close();
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(first.dataDir, `catalogue.sqlite${suffix}`), { force: true });
  writeFileSync(join(first.dataDir, 'catalogue.sqlite'), '');
  const world = await openWorld({ dataDir: first.dataDir });
  expect(itemsOf(await show(world), 'notice')).toMatchObject([
    { text: expect.stringContaining('1 archive was indexed') as string },
    { text: expect.stringContaining('history of earlier jobs is lost') as string },
  ]);
});
