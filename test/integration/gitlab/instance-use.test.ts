/** @file The ways to use an instance: without an account, read-only, through its own proxy. */
import { expect, test } from 'vitest';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { ended, openTestSandbox, openWorld, register } from '../../support/world.ts';

/** Returns valid requests of calls that change a server, which need an account. */
const requestsTo = (instance: string) =>
  ({
    'backup.start': { instance, projects: 'all', keepExisting: false },
    'import.start': {
      instance,
      archive: '/any.tar.gz',
      namespace: null,
      path: 'x',
      name: null,
      overwrite: false,
      allowSuspicious: false,
      overrideParams: {},
    },
    'export.start': { instance, project: 'atlas/compass', description: null, push: null },
    'project.change': { instance, project: 'atlas/compass', change: { kind: 'star' } },
  }) as const;

test('an instance without an account lists public projects, and rejects calls that need an account', async () => {
  const [world, sandbox] = [await openWorld(), await openTestSandbox({ projectCount: 4 })];
  const { client } = world;
  const { instance, check } = await client.call('instance.add', {
    name: 'public',
    url: sandbox.url,
    caFile: null,
    pace: 'sandbox',
    keep: 'session',
    anonymous: true,
  });
  expect(instance).toMatchObject({ anonymous: true, username: null });
  expect(check).toMatchObject({ username: null, tokenSource: null, canRead: true, canWrite: false });
  const { projects } = await client.call('instance.refresh', { name: 'public', visible: false });
  const response = await fetch(`${sandbox.url}/api/v4/projects?per_page=100`);
  expect(projects).toBe(((await response.json()) as unknown[]).length);
  const requests = {
    ...requestsTo('public'),
    'token.rotate': { instance: 'public', slot: 'main', expiresOn: null },
    'token.show': { instance: 'public', id: null },
  } as const;
  for (const name of Object.keys(requests) as (keyof typeof requests)[]) {
    await expect(client.call(name, requests[name]), name).rejects.toMatchObject({ code: 'sign-in-needed' });
  }
  expect(sandbox.requests.filter(({ hasToken }) => hasToken)).toEqual([]);
  // An instance with a token has an account.
  const token = sandbox.tokens.maintainer;
  await client.call('instance.setToken', { name: 'public', token, keep: 'session' });
  expect(await client.call('instance.check', { name: 'public' })).toMatchObject({ username: 'maintainer' });
});

test('a server that is not GitLab is not added without an account either', async () => {
  const [world, sandbox] = [await openWorld(), await openTestSandbox()];
  const request = {
    name: 'public',
    caFile: null,
    pace: 'sandbox',
    keep: 'session',
    anonymous: true,
  } as const;
  const url = `${sandbox.url}/elsewhere`;
  await expect(world.client.call('instance.add', { ...request, url })).rejects.toBeDefined();
  expect((await world.client.call('instance.list', {})).instances).toEqual([]);
});

test('no write is sent to a read-only instance until writes are allowed again', async () => {
  const [world, sandbox] = [await openWorld(), await openTestSandbox({ projectCount: 1 })];
  await register(world, 'source', sandbox);
  const { client } = world;
  const change = (readOnly: boolean) => client.call('instance.change', { name: 'source', readOnly });
  expect(await change(true)).toMatchObject({ readOnly: true });
  const requests = requestsTo('source');
  const send = async (name: keyof typeof requests): Promise<unknown> => client.call(name, requests[name]);
  for (const name of Object.keys(requests) as (keyof typeof requests)[]) {
    await expect(send(name), name).rejects.toMatchObject({ code: 'instance-read-only' });
  }
  expect(await client.call('run.list', { limit: 1 })).toMatchObject({ runs: [] });
  expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await change(false);
  const { runId } = await client.call('backup.start', requests['backup.start']);
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
});

test('a proxy with credentials and a missing CA file are rejected, and omitted settings keep their values', async () => {
  const [world, sandbox] = [await openWorld({ keychain: new MemoryKeychain() }), await openTestSandbox()];
  await register(world, 'source', sandbox);
  const { client } = world;
  const change = (how: object) => client.call('instance.change', { name: 'source', ...how });
  await expect(change({ proxy: 'http://user:secret@proxy' })).rejects.toMatchObject({
    code: 'invalid-input',
  });
  expect(await change({ proxy: 'http://127.0.0.1:9' })).toMatchObject({ proxy: 'http://127.0.0.1:9' });
  await expect(change({ proxy: null, caFile: '/nowhere/ca.pem' })).rejects.toMatchObject({
    code: 'ca-file-unusable',
  });
  expect(await change({ rotateDaysBefore: 14 })).toMatchObject({
    proxy: 'http://127.0.0.1:9',
    rotateDaysBefore: 14,
    readOnly: false,
  });
  expect(await change({ proxy: null, rotateDaysBefore: null })).toMatchObject({
    proxy: null,
    rotateDaysBefore: null,
  });
});

test('automatic rotation is rejected if no keychain can store a new token, and can be switched off', async () => {
  const keychain = new MemoryKeychain();
  keychain.failure = 'Cannot autolaunch D-Bus without X11 $DISPLAY';
  const [world, sandbox] = [await openWorld({ keychain }), await openTestSandbox()];
  await register(world, 'source', sandbox);
  const change = (rotateDaysBefore: number | null) =>
    world.client.call('instance.change', { name: 'source', rotateDaysBefore });
  await expect(change(10)).rejects.toMatchObject({ code: 'rotation-refused' });
  const { instances } = await world.client.call('instance.list', {});
  expect(instances).toMatchObject([{ rotateDaysBefore: null }]);
  expect(await change(null)).toMatchObject({ rotateDaysBefore: null });
});
