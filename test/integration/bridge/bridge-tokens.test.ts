/** @file The calls about tokens, and which requests are recorded as writes. */
import { expect, test } from 'vitest';
import type { CallReply } from '../../../src-contract/calls.ts';
import type { TokenFilter } from '../../../src-contract/tokens/token.ts';
import { tokenFilterSchema } from '../../../src-contract/tokens/token-schema.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const all = Object.fromEntries(
  Object.keys(tokenFilterSchema.shape).map((name) => [name, null]),
) as unknown as TokenFilter;

const recordedRequests = async (
  world: World,
  filter: { instance?: string; job?: string; limit?: number } = {},
) => world.client.call('request.list', { limit: 100, ...filter });

test('a list of tokens marks the token in use, and is returned in pages', async () => {
  const [world, sandbox] = [await openWorld(), await openTestSandbox()];
  await register(world, 'source', sandbox);
  const filter = { ...all, state: 'active' as const };
  const names: [string, string | null][] = [];
  let cursor: string | null = null;
  do {
    const page: CallReply<'token.list'> = await world.client.call('token.list', {
      instance: 'source',
      filter,
      cursor,
      limit: 3,
    });
    names.push(...page.tokens.map(({ name, slot }): [string, string | null] => [name, slot]));
    cursor = page.next;
  } while (cursor !== null);
  expect(names).toEqual([
    ['maintainer', 'main'],
    ['read-only', null],
    ['spare', null],
    ['self-rotate', null],
  ]);
});

test('a token is shown by its id; without an id the token in use is shown', async () => {
  const [world, sandbox] = [await openWorld(), await openTestSandbox()];
  await register(world, 'source', sandbox);
  const own = await world.client.call('token.show', { instance: 'source', id: null });
  expect(own).toMatchObject({ name: 'maintainer', slot: 'main', active: true });
  const again = await world.client.call('token.show', { instance: 'source', id: own.id });
  expect({ ...again, lastUsedAt: null }).toEqual({ ...own, lastUsedAt: null });
  await expect(world.client.call('token.show', { instance: 'source', id: 1 })).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('This account has no token 1') as string,
  });
});

test('each write request of a job is recorded with the job and without secrets, and reads are not recorded', async () => {
  const [world, sandbox] = [await openWorld(), await openTestSandbox({ projectCount: 2 })];
  await register(world, 'source', sandbox);
  const jobs = await backUp(world, 'source', 'all');
  const { requests } = await recordedRequests(world, { instance: 'source' });
  const posted = sandbox.requests.filter(({ method }) => method === 'POST');
  expect(requests.map(({ path, status }) => [path, status]).sort()).toEqual(
    posted.map(({ path }) => [path.replace('/api/v4', ''), 202]).sort(),
  );
  for (const job of jobs) {
    expect((await recordedRequests(world, { job: job.id })).requests).toMatchObject([
      { instance: 'source', job: job.id, method: 'POST', status: 202 },
    ]);
  }
  expect(JSON.stringify(requests)).not.toContain(sandbox.tokens.maintainer);
});

test('recorded requests are returned in pages, newest first', async () => {
  const [world, sandbox] = [await openWorld(), await openTestSandbox({ projectCount: 3 })];
  await register(world, 'source', sandbox);
  await backUp(world, 'source', 'all');
  const { requests } = await recordedRequests(world);
  const first = await recordedRequests(world, { limit: 2 });
  expect(first.requests).toEqual(requests.slice(0, 2));
  const rest = await world.client.call('request.list', {
    before: first.next,
    limit: 100,
  });
  expect([...first.requests, ...rest.requests]).toEqual(requests);
  expect(requests.map(({ id }) => id)).toEqual(requests.map(({ id }) => id).toSorted((a, b) => b - a));
});

test('a request without a response is recorded without a status', async () => {
  const [world, sandbox] = [await openWorld(), await openTestSandbox({ projectCount: 1 })];
  await register(world, 'source', sandbox);
  sandbox.faults.add({ match: { method: 'POST', nth: 1 }, action: { kind: 'lose-reply' } });
  await backUp(world, 'source', 'all');
  expect((await recordedRequests(world)).requests.at(-1)).toMatchObject({ method: 'POST', status: null });
});
