/** @file What an independent client does with every operation: it asks in another user's name, and goes through pages. */
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

test('all pages are gone through, by number and by key', async () => {
  const { Projects } = walk.as('administrator');
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).toSorted();
  const whole = ids(await Projects.all({ perPage: 100 }));

  expect(whole.length).toBeGreaterThanOrEqual(9);
  expect(ids(await Projects.all({ perPage: 2 }))).toEqual(whole);
  expect(ids(await Projects.all({ perPage: 2, pagination: 'keyset', orderBy: 'id', sort: 'asc' }))).toEqual(
    whole,
  );
});
