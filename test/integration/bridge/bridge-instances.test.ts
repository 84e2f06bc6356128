/** @file The calls about instances: what they store in the settings and the keychain, and what they reject. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { scriptedServer } from '../../support/servers/scripted-server.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { archiveFilter } from '../../support/requests.ts';
import { backUp, openTestSandbox, openWorld, type World } from '../../support/world.ts';

const add = (world: World, url: string, keep: 'session' | 'keychain' = 'keychain') =>
  world.client.call('instance.add', { name: 'lab', url, caFile: null, pace: 'sandbox', keep });

const give = (world: World, token: string) =>
  world.client.call('instance.setToken', { name: 'lab', token, keep: 'session' });

async function errorOf(work: Promise<unknown>): Promise<{ code: ErrorCode; message: string }> {
  const { code, message } = AppError.from(
    await work.then(
      () => new Error('It was accepted.'),
      (thrown: unknown) => thrown,
    ),
  );
  return { code, message };
}

test.each([
  ['gitlab.example.com', /must begin with https/],
  ['ftp://gitlab.example.com', /only https and http/],
  ['https://me:secret-word@gitlab.example.com', /must not contain a user name or password/],
  ['https://me:secret-word@', /must not contain a user name or password/],
  ['https://gitlab.example.com/?a=b', /must not contain/],
])(
  '%s is rejected as the address of an instance, and the error does not contain its password',
  async (url, why) => {
    const world = await openWorld({ keychain: new MemoryKeychain() });
    await give(world, 'glpat-0123456789');
    const { code, message } = await errorOf(add(world, url));
    expect(code).toBe('invalid-input');
    expect(message).toMatch(why);
    expect(message).not.toContain('secret-word');
  },
);

test('a token reaches the keychain only after the instance accepted it', async () => {
  const keychain = new MemoryKeychain();
  const world = await openWorld({ keychain });
  const sandbox = await openTestSandbox();
  await give(world, sandbox.tokens.expired);
  expect((await errorOf(add(world, sandbox.url))).code).toBe('token-expired');
  expect(keychain.calls).toEqual([]);
  expect(existsSync(join(world.dataDir, 'settings.json'))).toBe(false);

  await give(world, sandbox.tokens.maintainer);
  await add(world, `${sandbox.url}/`);
  expect([...keychain.entries.values()]).toEqual([sandbox.tokens.maintainer]);
  const settings = readFileSync(join(world.dataDir, 'settings.json'), 'utf8');
  expect(settings).toContain(`"${sandbox.url}"`);
  expect(settings).not.toContain(sandbox.tokens.maintainer);
});

test('an instance is not added if the keychain does not store its token', async () => {
  const keychain = new MemoryKeychain();
  keychain.transform = () => 'something else';
  const world = await openWorld({ keychain });
  const sandbox = await openTestSandbox();
  await give(world, sandbox.tokens.maintainer);
  expect((await errorOf(add(world, sandbox.url))).code).toBe('keychain-failed');
  expect(await world.client.call('instance.list', {})).toEqual({ instances: [] });
});

test('no token remains in the keychain if the settings cannot be written', async () => {
  const keychain = new MemoryKeychain();
  const world = await openWorld({ keychain });
  const sandbox = await openTestSandbox();
  await give(world, sandbox.tokens.maintainer);
  // The broken file appears after the name was found free, as by a mistake of another program.
  const stored = keychain.setPassword.bind(keychain);
  keychain.setPassword = async (service, account, secret) => {
    writeFileSync(join(world.dataDir, 'settings.json'), '{');
    await stored(service, account, secret);
  };
  expect((await errorOf(add(world, sandbox.url))).code).toBe('settings-unreadable');
  expect(keychain.entries.size).toBe(0);
  expect(readFileSync(join(world.dataDir, 'settings.json'), 'utf8')).toBe('{');
});

test('removing an instance deletes its token and keeps its archives, and the instance is unknown afterwards', async () => {
  const keychain = new MemoryKeychain();
  const world = await openWorld({ keychain });
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await give(world, sandbox.tokens.maintainer);
  await add(world, sandbox.url);
  await backUp(world, 'lab', 'all');
  const { archives } = await world.client.call('archive.list', archiveFilter());
  const { confirmation } = await world.client.call('host.confirm', {
    action: 'instance.remove',
    instance: 'lab',
    project: null,
  });
  await world.client.call('instance.remove', { confirmation, name: 'lab' });
  expect(keychain.entries.size).toBe(0);
  expect((await world.client.call('archive.list', archiveFilter())).archives).toEqual(archives);
  expect(archives.map(({ absolutePath }) => existsSync(absolutePath))).toEqual([true]);
  expect((await errorOf(world.client.call('instance.check', { name: 'lab' }))).code).toBe('instance-unknown');
});

const preview = (world: World, name: string, url: string) =>
  world.client.call('instance.preview', { name, url, caFile: null });

test('the token of a known instance is not sent to another address under its name', async () => {
  const world = await openWorld({ keychain: new MemoryKeychain() });
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await give(world, sandbox.tokens.maintainer);
  await add(world, sandbox.url);
  const otherServer = await scriptedServer((_request, reply) => {
    reply.json(200, {});
  });
  expect((await errorOf(preview(world, 'lab', otherServer.url))).code).toBe('instance-exists');
  expect((await errorOf(add(world, otherServer.url))).code).toBe('instance-exists');
  expect(otherServer.requests).toEqual([]);
  expect((await world.client.call('instance.check', { name: 'lab' })).canWrite).toBe(true);
});

test('an address is tried only with a token that was given for it, not with a token stored under the same name', async () => {
  const keychain = new MemoryKeychain();
  keychain.entries.set('Packhorse/lab', 'glpat-in-the-keychain');
  const world = await openWorld({ keychain, env: { PACKHORSE_TOKEN_HOME: 'glpat-in-the-environment' } });
  const otherServer = await scriptedServer((_request, reply) => {
    reply.json(200, {});
  });
  expect((await errorOf(preview(world, 'lab', otherServer.url))).code).toBe('token-missing');
  expect((await errorOf(preview(world, 'home', otherServer.url))).code).toBe('token-missing');
  expect(otherServer.requests).toEqual([]);
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await give(world, sandbox.tokens.readOnly);
  expect(await preview(world, 'lab', sandbox.url)).toMatchObject({ tokenSource: 'session', canWrite: false });
});

describe('another token for a known instance', () => {
  const replace = (world: World, token: string, keep: 'session' | 'keychain') =>
    world.client.call('instance.setToken', { name: 'lab', token, keep });
  const check = (world: World) => world.client.call('instance.check', { name: 'lab' });

  test.each(['session', 'keychain'] as const)(
    '(%s) that the instance rejects does not replace the earlier one',
    async (keep) => {
      const keychain = new MemoryKeychain();
      const world = await openWorld({ keychain });
      const sandbox = await openTestSandbox({ projectCount: 1 });
      await give(world, sandbox.tokens.maintainer);
      await add(world, sandbox.url, keep);
      expect((await errorOf(replace(world, sandbox.tokens.expired, keep))).code).toBe('token-expired');
      expect(await check(world)).toMatchObject({ canWrite: true, tokenSource: 'session' });
      expect([...keychain.entries.values()]).toEqual(keep === 'keychain' ? [sandbox.tokens.maintainer] : []);
    },
  );

  test('that the keychain does not store does not replace the earlier one', async () => {
    const keychain = new MemoryKeychain();
    const world = await openWorld({ keychain });
    const sandbox = await openTestSandbox({ projectCount: 1 });
    await give(world, sandbox.tokens.maintainer);
    await add(world, sandbox.url, 'session');
    const { username } = await check(world);
    keychain.failure = 'anything';
    const error = await errorOf(replace(world, sandbox.tokens.administrator, 'keychain'));
    expect(error.code).toBe('keychain-failed');
    expect((await check(world)).username).toBe(username);
  });

  test('that cannot write is stored in the keychain only if the current one cannot write either', async () => {
    const keychain = new MemoryKeychain();
    const world = await openWorld({ keychain });
    const sandbox = await openTestSandbox({ projectCount: 1 });
    await give(world, sandbox.tokens.maintainer);
    await add(world, sandbox.url, 'keychain');
    const error = await errorOf(replace(world, sandbox.tokens.readOnly, 'keychain'));
    expect(error.code).toBe('token-scope');
    expect(await check(world)).toMatchObject({ canWrite: true });
    expect([...keychain.entries.values()]).toEqual([sandbox.tokens.maintainer]);
    await replace(world, sandbox.tokens.readOnly, 'session');
    expect(await check(world)).toMatchObject({ canRead: true, canWrite: false });
    await replace(world, sandbox.tokens.readOnly, 'keychain');
    expect([...keychain.entries.values()]).toEqual([sandbox.tokens.readOnly]);
  });
});

test('a token for an instance that is never added is forgotten after ten minutes', async () => {
  const clock = new SteppedClock();
  const world = await openWorld({ clock, keychain: new MemoryKeychain() });
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await give(world, sandbox.tokens.maintainer);
  await world.client.call('instance.setToken', {
    name: 'home',
    token: sandbox.tokens.maintainer,
    keep: 'session',
  });
  await add(world, sandbox.url, 'session');
  await clock.advance(9 * 60_000);
  expect(await preview(world, 'home', sandbox.url)).toMatchObject({ canWrite: true });
  await clock.advance(60_000);
  expect((await errorOf(preview(world, 'home', sandbox.url))).code).toBe('token-missing');
  expect((await world.client.call('instance.check', { name: 'lab' })).canWrite).toBe(true);
});
