/** @file The actions that the host performs for the user, and the deletions that need a confirmation. */
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HostActions } from '../../../src-main/bridge/host/host-port.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ConfirmedAction } from '../../../src-contract/host.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { backUp, ended, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

/** Creates a host that can do everything, and records its requests. */
function ableHost(): { host: HostActions; requests: string[] } {
  const requests: string[] = [];
  const note = (line: string): Promise<void> => {
    requests.push(line);
    return Promise.resolve();
  };
  const host: HostActions = {
    capabilities: {
      host: 'desktop',
      choosePath: true,
      reveal: true,
      openLink: true,
      tray: true,
      notify: true,
      startAtLogin: true,
    },
    choosePath: (what) => Promise.resolve(what === 'folder' ? '/chosen/folder' : null),
    reveal: (path) => note(`reveal ${path}`),
    openLink: (url) => note(`open ${url}`),
    setStartAtLogin: (on) => note(`start at login ${on}`),
  };
  return { host, requests };
}

const confirm = (world: World, action: ConfirmedAction, instance: string, project: string | null = null) =>
  world.client.call('host.confirm', { action, instance, project });

test('the command line reports that it can show nothing, and that a keychain that replies is usable', async () => {
  const world = await openWorld({ keychain: new MemoryKeychain() });
  expect(await world.client.call('host.capabilities', {})).toEqual({
    host: 'command-line',
    choosePath: false,
    reveal: false,
    openLink: false,
    tray: false,
    notify: false,
    startAtLogin: false,
    handOverTokens: false,
    keychain: true,
  });
  await expect(world.client.call('host.choosePath', { what: 'folder' })).rejects.toMatchObject({
    code: 'host-cannot',
  });
});

test.each([
  ['keychain-missing', false, 2],
  ['keychain-unreachable', false, 2],
  ['keychain-locked', true, 1],
] as const)(
  'a keychain that fails with %s is usable: %s; two calls query it %i times',
  async (code, usable, expectedQueries) => {
    const keychain = new MemoryKeychain();
    let queries = 0;
    keychain.getPassword = () => {
      queries += 1;
      return Promise.reject(new AppError(code, 'x'));
    };
    const world = await openWorld({ keychain });
    for (let times = 0; times < 2; times++) {
      expect((await world.client.call('host.capabilities', {})).keychain).toBe(usable);
    }
    expect(queries).toBe(expectedQueries);
  },
);

test('the user chooses a path, or none', async () => {
  const world = await openWorld({ host: ableHost().host });
  expect(await world.client.call('host.choosePath', { what: 'folder' })).toEqual({ path: '/chosen/folder' });
  expect(await world.client.call('host.choosePath', { what: 'archive' })).toEqual({ path: null });
});

test('the host sets the start at login, and restores it if the rest of the change is rejected', async () => {
  const { host, requests } = ableHost();
  const world = await openWorld({ host });
  await world.client.call('settings.change', { preferences: { startAtLogin: true } });
  await world.client.call('settings.change', { preferences: { startAtLogin: true } });
  await expect(
    world.client.call('settings.change', { preferences: { startAtLogin: false }, archiveRoot: 'none' }),
  ).rejects.toMatchObject({ code: 'invalid-input' });
  expect(requests).toEqual(['start at login true', 'start at login false', 'start at login true']);
  expect((await world.client.call('settings.show', {})).preferences.startAtLogin).toBe(true);
});

test('only pages of registered instances are opened', async () => {
  const { host, requests } = ableHost();
  const world = await openWorld({ host });
  const sandbox = await openTestSandbox();
  const url = `${sandbox.url}/atlas/compass`;
  const open = (link: string) => world.client.call('host.openLink', { url: link });
  await expect(open(url)).rejects.toMatchObject({ code: 'link-refused' });
  await register(world, 'source', sandbox);
  await open(url);
  await expect(open('https://evil.example.com/')).rejects.toMatchObject({ code: 'link-refused' });
  expect(requests).toEqual([`open ${url}`]);
});

test('only stored archives are revealed, and none that is a link out of its folder', async () => {
  const { host, requests } = ableHost();
  const world = await openWorld({ host });
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  await backUp(world, 'source', 'all');
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 5 }));
  const [archive] = archives;
  if (archive === undefined) throw new Error('There is no archive.');
  const reveal = (reference: string) => world.client.call('host.reveal', { archive: reference });
  for (const reference of [archive.id, archive.path, archive.absolutePath, archive.sha256])
    await reveal(reference);
  expect(requests).toEqual(Array(4).fill(`reveal ${archive.absolutePath}`));

  const outside = join(temporaryFolder(), 'file.tar.gz');
  writeFileSync(outside, 'x');
  for (const reference of [outside, `${archive.path}\0`, '../settings.json', '/etc/passwd', world.dataDir]) {
    await expect(reveal(reference), reference).rejects.toMatchObject({
      code: expect.stringMatching(/^archive-/) as string,
    });
  }
  renameSync(archive.absolutePath, outside);
  symlinkSync(outside, archive.absolutePath);
  await expect(reveal(archive.id)).rejects.toMatchObject({ code: 'archive-unsafe' });
  expect(requests).toHaveLength(4);
});

test('an instance is removed only with its own confirmation of the last minute, which lists what is deleted with it', async () => {
  const clock = new SteppedClock(Date.now());
  const keychain = new MemoryKeychain();
  const world = await openWorld({ clock, keychain });
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'source', sandbox);
  await register(world, 'other', sandbox);
  await world.client.call('instance.refresh', { name: 'source', visible: false });
  const remove = (confirmation: string) =>
    world.client.call('instance.remove', { name: 'source', confirmation });
  const missing = { code: 'confirmation-missing' };

  const { confirmation, destroys } = await confirm(world, 'instance.remove', 'source');
  expect(destroys).toEqual([
    { what: 'token', name: 'source', count: null },
    { what: 'project-list', name: 'source', count: 3 },
  ]);
  await expect(remove('')).rejects.toMatchObject(missing);
  await expect(remove((await confirm(world, 'instance.remove', 'other')).confirmation)).rejects.toMatchObject(
    missing,
  );
  await clock.advance(60_001);
  await expect(remove(confirmation)).rejects.toMatchObject(missing);
  expect((await world.client.call('instance.list', {})).instances).toHaveLength(2);

  await remove((await confirm(world, 'instance.remove', 'source')).confirmation);
  expect((await world.client.call('instance.list', {})).instances.map(({ name }) => name)).toEqual(['other']);
});

test('the confirmation to remove an instance lists its plan', async () => {
  const world = await openWorld();
  await register(world, 'source', await openTestSandbox());
  await world.client.call('plan.save', planDraft({ instance: 'source' }));
  const { destroys } = await confirm(world, 'instance.remove', 'source');
  expect(destroys).toContainEqual({ what: 'plan', name: 'source', count: 1 });
});

test('an instance with jobs that have not ended is not removed', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'source', sandbox);
  sandbox.faults.add({ match: { path: '/export$' }, action: { kind: 'respond', status: 503, body: {} } });
  await world.client.call('backup.start', { instance: 'source', projects: 'all', keepExisting: false });
  const { confirmation } = await confirm(world, 'instance.remove', 'source');
  await expect(world.client.call('instance.remove', { name: 'source', confirmation })).rejects.toMatchObject({
    code: 'job-busy',
  });
});

test('an import replaces a project only with a single-use confirmation for exactly that target', async () => {
  const world = await openWorld();
  const source = await openTestSandbox({ projectCount: 2 });
  const target = await openTestSandbox({ projectCount: 2, seed: 2 });
  await register(world, 'source', source);
  await register(world, 'target', target, target.tokens.administrator);
  const [path = ''] = source.state.paths;
  await backUp(world, 'source', [path]);
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 5 }));
  const slash = path.lastIndexOf('/');
  const [namespace, name] = [path.slice(0, slash), path.slice(slash + 1)];
  const before = await target.state.project(path);
  const start = (confirmation: string | null, over = true, as = name) =>
    world.client.call('import.start', {
      instance: 'target',
      archive: archives[0]?.id ?? '',
      namespace,
      path: as,
      name: null,
      overwrite: over,
      allowSuspicious: false,
      overrideParams: {},
      confirmation,
    });
  const missing = { code: 'confirmation-missing' };

  await expect(start(null)).rejects.toMatchObject(missing);
  const other = target.state.paths[1] ?? '';
  const forOther = await confirm(world, 'import.overwrite', 'target', other);
  await expect(start(forOther.confirmation)).rejects.toMatchObject(missing);
  const forSource = await confirm(world, 'import.overwrite', 'source', path);
  await expect(start(forSource.confirmation)).rejects.toMatchObject(missing);
  expect((await target.state.project(path)).id).toBe(before.id);
  await expect(confirm(world, 'import.overwrite', 'target', null)).rejects.toMatchObject({
    code: 'invalid-input',
  });

  const { confirmation, destroys } = await confirm(world, 'import.overwrite', 'target', path);
  expect(destroys[0]).toEqual({ what: 'project', name: path, count: null });
  const issues = before.relations['issues']?.length ?? 0;
  expect(destroys).toContainEqual({ what: 'records', name: 'issues', count: issues });
  const { runId, jobId } = await start(confirmation);
  const [job] = await ended(world, runId);
  expect(job).toMatchObject({ id: jobId, state: { status: 'succeeded' } });
  expect((await target.state.project(path)).id).not.toBe(before.id);
  await expect(start(confirmation)).rejects.toMatchObject(missing);
});

test('the confirmation for a free target lists nothing, and a missing namespace is reported', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox();
  await register(world, 'source', sandbox);
  expect(await confirm(world, 'import.overwrite', 'source', 'atlas/none')).toMatchObject({ destroys: [] });
  await expect(confirm(world, 'import.overwrite', 'source', 'nowhere/none')).rejects.toMatchObject({
    code: 'namespace-missing',
  });
});
