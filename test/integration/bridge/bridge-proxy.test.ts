/** @file The proxy setting: which requests use the proxy, and from when on. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testProxy } from '../../support/servers/proxy.ts';
import { certificateFile } from '../../support/servers/scripted-server.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const change = (world: World, proxy: string | null) =>
  world.client.call('settings.change', { preferences: { proxy } });

async function give(world: World, token: string) {
  await world.client.call('instance.setToken', { name: 'far', token, keep: 'session' });
}
const add = (world: World, url: string, caFile: string | null = null) =>
  world.client.call('instance.add', { name: 'far', url, caFile, pace: 'sandbox', keep: 'session' });

test('an instance over http is reached through the proxy from the change of the setting on, with its token', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const proxy = await testProxy(Number(new URL(sandbox.url).port));
  const world = await openWorld();
  await give(world, sandbox.tokens.maintainer);
  await expect(add(world, 'http://gitlab.invalid')).rejects.toMatchObject({ code: 'address-unknown' });

  await change(world, `${proxy.url}/`);
  await add(world, 'http://gitlab.invalid');
  const [job] = await backUp(world, 'far', 'all');
  expect(job?.state.status).toBe('succeeded');
  expect(proxy.requests).toContain('GET http://gitlab.invalid/api/v4/user');
  expect(proxy.requests.length).toBe(sandbox.requests.length);

  await change(world, null);
  const before = sandbox.requests.length;
  await expect(world.client.call('instance.check', { name: 'far' })).rejects.toMatchObject({
    code: 'address-unknown',
  });
  expect(sandbox.requests.length).toBe(before);
});

test('an instance over https is reached through a tunnel of the proxy, and its certificate is still checked', async () => {
  const https = {
    key: readFileSync(certificateFile('test-only-key'), 'utf8'),
    cert: readFileSync(certificateFile('wrong-host'), 'utf8'),
  };
  const sandbox = await openTestSandbox({ https });
  const proxy = await testProxy(Number(new URL(sandbox.url).port));
  const world = await openWorld();
  await change(world, proxy.url);
  await give(world, sandbox.tokens.maintainer);
  await expect(add(world, 'https://example.org')).rejects.toMatchObject({ code: 'certificate-untrusted' });
  const authority = certificateFile('authority');
  await expect(add(world, 'https://another.example.org', authority)).rejects.toMatchObject({
    code: 'certificate-untrusted',
  });
  expect(sandbox.requests).toEqual([]);
  await add(world, 'https://example.org', authority);
  expect(proxy.requests).toContain('CONNECT example.org:443');
  expect(proxy.requests.filter((line) => !line.startsWith('CONNECT'))).toEqual([]);
});

test('an instance on this machine is reached without the proxy', async () => {
  const sandbox = await openTestSandbox();
  const proxy = await testProxy(1);
  const world = await openWorld();
  await change(world, proxy.url);
  await register(world, 'near', sandbox);
  expect(proxy.requests).toEqual([]);
});

test('a proxy that opens no tunnel is named in the error', async () => {
  const proxy = await testProxy(1, { refuse: 407 });
  const world = await openWorld();
  await change(world, proxy.url);
  await give(world, 'glpat-0123456789');
  await expect(add(world, 'https://gitlab.invalid')).rejects.toMatchObject({
    code: 'connection-lost',
    message: `The proxy ${new URL(proxy.url).host} does not connect to gitlab.invalid.`,
  });
});

test('a proxy that cannot be reached is named in the error', async () => {
  const world = await openWorld();
  await change(world, 'http://127.0.0.1:1');
  await give(world, 'glpat-0123456789');
  await expect(add(world, 'https://gitlab.invalid')).rejects.toMatchObject({
    code: 'connection-refused',
    details: { host: '127.0.0.1:1' },
  });
});

test('a proxy address with a password is rejected without being quoted, and nothing is changed', async () => {
  const world = await openWorld();
  await expect(change(world, 'http://me:secret-word@proxy.example.com')).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.not.stringContaining('secret-word') as string,
  });
  expect((await world.client.call('settings.show', {})).preferences.proxy).toBeNull();
});
