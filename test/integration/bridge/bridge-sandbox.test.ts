/** @file The built-in sandbox servers: created once, registered as instances, and restarted by every long-lived host. */
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { exportResultSchema, importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import { sandboxToken } from '../../../src-main/sandbox/accounts/tokens.ts';
import { sandboxSeeds } from '../../../src-main/services/sandbox/sandbox-token.ts';
import { addVerifiable } from '../../verifier/verifiable-instances.ts';
import { backUp, importInto, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const open = (world: World) => world.client.call('sandbox.open', {});
const check = (world: World, name: string) => world.client.call('instance.check', { name });
const portOf = (url: string) => Number(new URL(url).port);

async function remove(world: World, name: string) {
  const { confirmation } = await world.client.call('host.confirm', {
    action: 'instance.remove',
    instance: name,
    project: null,
  });
  await world.client.call('instance.remove', { name, confirmation });
}

test('one call creates two instances, one with projects and an empty one to import into, and both can be used at once', async () => {
  const world = await openWorld();
  const { instances } = await open(world);
  expect(instances.map(({ name }) => name)).toEqual(['practice', 'practice-target']);
  for (const { url } of instances) expect(new URL(url).hostname).toBe('127.0.0.1');
  expect((await world.client.call('instance.list', {})).instances).toEqual(instances);
  const refreshed = await world.client.call('instance.refresh', { name: 'practice', visible: false });
  expect(refreshed.projects).toBe(8);
  expect(
    (await world.client.call('instance.refresh', { name: 'practice-target', visible: false })).projects,
  ).toBe(0);
});

test('the version, the token expiry and the write access of both instances are known as soon as they exist', async () => {
  const world = await openWorld();
  const { instances } = await open(world);
  for (const { name, serverVersion, tokenExpiresOn, tokenCanWrite } of instances) {
    const { version, expiresOn } = await check(world, name);
    expect({ serverVersion, tokenExpiresOn, tokenCanWrite }).toEqual({
      serverVersion: version,
      tokenExpiresOn: expiresOn,
      tokenCanWrite: true,
    });
    expect(version).not.toBeNull();
  }
});

test('one project contains a record that an import reports as a failure', async () => {
  const world = await openWorld();
  const { instances } = await open(world);
  const administrator = sandboxToken('administrator', sandboxSeeds.target);
  addVerifiable({ url: instances[1]?.url ?? '', tokens: { administrator } });
  const [job] = await backUp(world, 'practice', ['atlas/compass']);
  const { archiveId } = exportResultSchema.parse(job?.result);
  const imported = await importInto(world, 'practice-target', archiveId, { namespace: 'atlas' });
  const { failures } = importResultSchema.parse(imported.result);
  expect(failures).toMatchObject([
    { failure: { relation: 'milestones' }, record: { value: { title: null, iid: 999 } } },
  ]);
});

test('repeated and simultaneous calls return the same instances', async () => {
  const world = await openWorld();
  const [first, second] = await Promise.all([open(world), open(world)]);
  expect(second).toEqual(first);
  expect(await open(world)).toEqual(first);
});

test('a long-lived host restarts the servers on the same ports, with their tokens; a short-lived host does not', async () => {
  const first = await openWorld();
  const { instances } = await open(first);
  await first.app.close();

  const oneShot = await openWorld({ dataDir: first.dataDir });
  await expect(check(oneShot, 'practice')).rejects.toMatchObject({ code: 'connection-refused' });
  await expect(fetch(`${instances[0]?.url ?? ''}/api/v4/version`)).rejects.toThrow();
  await oneShot.app.close();

  const staying = await openWorld({ dataDir: first.dataDir, longLived: true });
  expect((await staying.client.call('instance.list', {})).instances).toEqual(instances);
  for (const { name } of instances) expect(await check(staying, name)).toMatchObject({ canWrite: true });
});

test('a command has the tokens while another process runs the servers', async () => {
  const first = await openWorld();
  await open(first);
  const command = await openWorld({ dataDir: first.dataDir });
  expect(await check(command, 'practice')).toMatchObject({ canWrite: true });
});

test('a host starts even if the sandbox servers cannot start', async () => {
  const first = await openWorld();
  await open(first);
  await first.app.close();
  const tmp = process.env['TMPDIR'];
  process.env['TMPDIR'] = '/nowhere/at/all';
  try {
    const world = await openWorld({ dataDir: first.dataDir, longLived: true });
    expect((await world.client.call('instance.list', {})).instances).toHaveLength(2);
  } finally {
    if (tmp === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = tmp;
  }
});

test('a second long-lived host uses the servers of the first', async () => {
  const first = await openWorld();
  const { instances } = await open(first);
  const second = await openWorld({ dataDir: first.dataDir, longLived: true });
  expect((await second.client.call('instance.list', {})).instances.map(({ url }) => url)).toEqual(
    instances.map(({ url }) => url),
  );
  expect(await check(second, 'practice')).toMatchObject({ canWrite: true });
});

test('if another program uses its port, a server moves to another port and keeps its project list', async () => {
  const first = await openWorld();
  const { instances } = await open(first);
  await first.client.call('instance.refresh', { name: 'practice', visible: false });
  await first.app.close();
  const [before] = instances;
  const port = portOf(before?.url ?? '');
  const portOwner = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => portOwner.listen(port, '127.0.0.1', resolve));
  try {
    const world = await openWorld({ dataDir: first.dataDir, longLived: true });
    const listed = (await world.client.call('instance.list', {})).instances;
    const moved = listed.find(({ name }) => name === 'practice');
    expect(portOf(moved?.url ?? '')).not.toBe(port);
    expect(await check(world, 'practice')).toMatchObject({ canWrite: true, url: moved?.url });
    await backUp(world, 'practice', ['atlas/compass']);
    const overview = await world.client.call('overview.show', {});
    const practice = overview.instances.find(({ name }) => name === 'practice');
    expect(practice?.statusCounts).toMatchObject({ current: 1, never: 7 });
  } finally {
    portOwner.close();
  }
});

test('removing one server stops it and keeps the other, and the next call creates it again', async () => {
  const world = await openWorld();
  const { instances } = await open(world);
  await remove(world, 'practice');
  await expect(fetch(`${instances[0]?.url ?? ''}/api/v4/version`)).rejects.toThrow();
  expect(await check(world, 'practice-target')).toMatchObject({ canWrite: true });
  const again = await open(world);
  expect(again.instances.map(({ name }) => name)).toEqual(['practice', 'practice-target']);
  expect(again.instances[1]).toMatchObject({ url: instances[1]?.url });
  expect(await check(world, 'practice')).toMatchObject({ canWrite: true });
});

test('a sandbox server does not take the name of another instance', async () => {
  const world = await openWorld();
  const sandbox = await openTestSandbox();
  await register(world, 'practice', sandbox);
  const { instances } = await open(world);
  expect(instances.map(({ name }) => name)).toEqual(['practice-2', 'practice-target']);
  expect(await check(world, 'practice')).toMatchObject({ url: sandbox.url });
});
