/** @file Features that an independent client offers for every operation: acting as another user, and pagination. */
import { Gitlab } from '@gitbeaker/rest';
import { expect, test } from 'vitest';
import { GitbeakerWalk } from '../../support/servers/gitbeaker.ts';

const walk = GitbeakerWalk.ofFile(() => ({ projectCount: 9 }));

const actingAs = (sudo: string | number) =>
  new Gitlab({ host: walk.sandbox.url, token: walk.sandbox.tokens.administrator, sudo });

test('an administrator acts as another user', async () => {
  const guest = await actingAs('guest').Users.showCurrentUser();
  const { id, path_with_namespace: path } = await actingAs(guest.id).Projects.create({ name: 'As a guest' });

  expect([guest.username, path]).toEqual(['guest', 'guest/as-a-guest']);
  expect(await walk.read(`/projects/${id}`)).toMatchObject({ owner: { username: 'guest' } });
  await expect(actingAs('nobody').Users.showCurrentUser()).rejects.toThrow(/nobody/);
});

test('the client reads all pages, by number and by keyset', async () => {
  const { Projects } = walk.as('administrator');
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).toSorted();
  const allIds = ids(await Projects.all({ perPage: 100 }));

  expect(allIds.length).toBeGreaterThanOrEqual(9);
  expect(ids(await Projects.all({ perPage: 2 }))).toEqual(allIds);
  expect(ids(await Projects.all({ perPage: 2, pagination: 'keyset', orderBy: 'id', sort: 'asc' }))).toEqual(
    allIds,
  );
});
