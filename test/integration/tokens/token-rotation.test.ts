/** @file Rotating and revoking tokens through the whole product, against the token families of the sandbox. */
import { expect, test } from 'vitest';
import {
  errorOf,
  storedSecret,
  tokenInUse,
  openScene,
  rotate,
  rotationsOf,
} from '../../support/tokens/rotation-scene.ts';
import { ended } from '../../support/world.ts';

const open = (spare: boolean) => openScene({ spare });

test.for([true, false])(
  'a token is rotated with one request, and only the new token is stored (spare: %s)',
  async (spare) => {
    const scene = await open(spare);
    const before = await tokenInUse(scene);
    const job = await rotate(scene, 'main', '2027-03-01');
    expect(job).toMatchObject({
      state: { status: 'succeeded' },
      result: { action: 'rotate', slot: 'main', oldId: before.id, expiresOn: '2027-03-01' },
    });
    expect(await tokenInUse(scene)).toMatchObject({ name: 'maintainer', expires_at: '2027-03-01' });
    expect(storedSecret(scene, 'source#pending')).toBeUndefined();
    expect(rotationsOf(scene).map(({ path }) => path)).toEqual([
      `/api/v4/personal_access_tokens/${spare ? before.id : 'self'}/rotate`,
    ]);
    const { instances } = await scene.world.client.call('instance.list', {});
    expect(instances).toMatchObject([{ tokenExpiresOn: '2027-03-01', rotationLost: null, hasSpare: spare }]);
    // The next request uses the new token.
    expect(await scene.world.client.call('instance.check', { name: 'source' })).toMatchObject({
      canWrite: true,
    });
  },
);

test('without a given day the new token lasts as long as the old one, and at most a year less a day', async () => {
  const scene = await open(true);
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  expect((await tokenInUse(scene)).expires_at).toBe(dayIn(365));
  await rotate(scene);
  expect((await tokenInUse(scene)).expires_at).toBe(dayIn(364));
  await rotate(scene, 'main', dayIn(90));
  await rotate(scene);
  expect((await tokenInUse(scene)).expires_at).toBe(dayIn(90));
});

test('the spare token is rotated with the main token', async () => {
  const scene = await open(true);
  const before = await tokenInUse(scene, 'source#spare');
  expect(await rotate(scene, 'spare')).toMatchObject({ result: { slot: 'spare', oldId: before.id } });
  expect(rotationsOf(scene).map(({ path }) => path)).toEqual([
    `/api/v4/personal_access_tokens/${before.id}/rotate`,
  ]);
  expect(await tokenInUse(scene, 'source#spare')).toMatchObject({ name: 'spare' });
  expect(storedSecret(scene)).toBe(scene.sandbox.tokens.maintainer);
});

test('a lost reply is repaired with the spare token', async () => {
  const scene = await open(true);
  scene.sandbox.faults.add({
    match: { method: 'POST', path: 'rotate', nth: 1 },
    action: { kind: 'lose-reply' },
  });
  expect(await rotate(scene)).toMatchObject({ state: { status: 'succeeded' } });
  expect(await tokenInUse(scene)).toMatchObject({ name: 'maintainer' });
  expect(rotationsOf(scene)).toHaveLength(2);
});

test('without a spare token a lost reply blocks the instance until a user enters a token', async () => {
  const scene = await open(false);
  scene.sandbox.faults.add({
    match: { method: 'POST', path: 'rotate', nth: 1 },
    action: { kind: 'lose-reply' },
  });
  const job = await rotate(scene, 'main', '2027-03-01');
  expect(errorOf(job)).toMatchObject({
    code: 'rotation-lost',
    details: {
      name: 'maintainer',
      expiresOn: '2027-03-01',
      page: `${scene.sandbox.url}/-/user_settings/personal_access_tokens`,
    },
  });
  expect(rotationsOf(scene)).toHaveLength(1);
  const { client } = scene.world;
  await expect(client.call('instance.check', { name: 'source' })).rejects.toMatchObject({
    code: 'rotation-lost',
  });
  const token = scene.sandbox.tokens.spare;
  await client.call('instance.setToken', { name: 'source', token, keep: 'keychain' });
  expect(await client.call('instance.check', { name: 'source' })).toMatchObject({ canWrite: true });
});

test('a request that never arrived leaves the token unchanged, and is not repeated', async () => {
  const scene = await open(false);
  scene.sandbox.faults.add({ match: { method: 'POST', path: 'rotate' }, action: { kind: 'reset' } });
  expect(errorOf(await rotate(scene))).toMatchObject({ code: 'rotation-refused' });
  expect(storedSecret(scene)).toBe(scene.sandbox.tokens.maintainer);
  expect(rotationsOf(scene)).toHaveLength(1);
  expect(await tokenInUse(scene)).toMatchObject({ name: 'maintainer' });
});

test.for(
  [
    [401, 'token-invalid', 'forbidden'],
    [403, 'forbidden', 'forbidden'],
    [405, 'request-refused', 'request-refused'],
    [400, 'request-refused', 'request-refused'],
  ].flatMap(([status, alone, bySpare]) => [
    { status: Number(status), spare: false, code: alone },
    { status: Number(status), spare: true, code: bySpare },
  ]),
)(
  'a rotation that is refused with $status changes nothing and is not repeated (spare: $spare)',
  async ({ status, spare, code }) => {
    const scene = await open(spare);
    scene.sandbox.faults.add({
      match: { method: 'POST', path: 'rotate' },
      action: { kind: 'respond', status, body: { message: `${status} no` } },
    });
    expect(errorOf(await rotate(scene))).toMatchObject({ code });
    expect(rotationsOf(scene)).toHaveLength(1);
    expect(storedSecret(scene)).toBe(scene.sandbox.tokens.maintainer);
  },
);

test.for([
  { kind: 'cut', afterBytes: 40, framing: 'length' },
  { kind: 'corrupt', at: 0 },
] as const)('a damaged reply ($kind) is repaired with the spare token', async (action) => {
  const scene = await open(true);
  scene.sandbox.faults.add({ match: { method: 'POST', path: 'rotate', nth: 1 }, action });
  expect(await rotate(scene)).toMatchObject({ state: { status: 'succeeded' } });
  expect(await tokenInUse(scene)).toMatchObject({ name: 'maintainer' });
  expect(rotationsOf(scene)).toHaveLength(2);
});

test('a reply without the token does not count as a success', async () => {
  const scene = await open(false);
  scene.sandbox.faults.add({
    match: { method: 'POST', path: 'rotate' },
    action: { kind: 'respond', status: 200, body: { id: 5 } },
  });
  // The server did not rotate the token, which the check detects.
  expect(errorOf(await rotate(scene))).toMatchObject({ code: 'rotation-refused' });
  expect(storedSecret(scene)).toBe(scene.sandbox.tokens.maintainer);
});

test('a token is rotated once if its rotation is requested twice at once', async () => {
  const scene = await open(true);
  const request = { instance: 'source', slot: 'main', expiresOn: null } as const;
  const [first, second] = await Promise.all([
    scene.world.client.call('token.rotate', request),
    scene.world.client.call('token.rotate', request),
  ]);
  expect(second.jobId).toBe(first.jobId);
  await ended(scene.world, first.runId);
  expect(rotationsOf(scene)).toHaveLength(1);
});

test('the main and the spare token are rotated one after the other if both are requested', async () => {
  const scene = await open(true);
  scene.sandbox.faults.add({ match: { path: 'rotate', nth: 1 }, action: { kind: 'delay', ms: 600 } });
  const both = Promise.all([rotate(scene, 'main'), rotate(scene, 'spare')]);
  await expect.poll(() => rotationsOf(scene).length, { interval: 5 }).toBe(2);
  expect(rotationsOf(scene)[0]).toMatchObject({ status: 200 });
  const jobs = await both;
  expect(jobs.map(({ state }) => state.status)).toEqual(['succeeded', 'succeeded']);
  expect(await tokenInUse(scene)).toMatchObject({ name: 'maintainer' });
  expect(await tokenInUse(scene, 'source#spare')).toMatchObject({ name: 'spare' });
});

test('a token that another instance of the same server also uses is not rotated', async () => {
  const scene = await open(false);
  const { client } = scene.world;
  await client.call('instance.setToken', {
    name: 'again',
    token: scene.sandbox.tokens.maintainer,
    keep: 'session',
  });
  await client.call('instance.add', {
    name: 'again',
    url: scene.sandbox.url,
    caFile: null,
    pace: 'sandbox',
    keep: 'keychain',
  });
  expect(errorOf(await rotate(scene))).toMatchObject({ code: 'rotation-refused' });
  expect(rotationsOf(scene)).toEqual([]);
});

test('a spare token must be a second active token of the same user with full access', async () => {
  const { world, sandbox } = await open(false);
  const set = (token: string) =>
    world.client.call('token.setSpare', { instance: 'source', token, keep: 'keychain' });
  await expect(set(sandbox.tokens.maintainer)).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(set(sandbox.tokens.developer)).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(set(sandbox.tokens.readOnly)).rejects.toMatchObject({ code: 'token-scope' });
  await expect(set(sandbox.tokens.revoked)).rejects.toMatchObject({ code: 'token-revoked' });
  expect(await set(sandbox.tokens.spare)).toMatchObject({ slot: 'spare', name: 'spare' });
});

test('a token is revoked once, after a confirmation for this token', async () => {
  const scene = await open(true);
  const { client } = scene.world;
  const victim = await tokenInUse(scene, 'source#spare');
  const { confirmation, destroys } = await client.call('host.confirm', {
    action: 'token.revoke',
    instance: 'source',
    project: String(victim.id),
  });
  expect(destroys).toMatchObject([{ what: 'access-token' }]);
  const request = { instance: 'source', id: victim.id, confirmation };
  const { runId } = await client.call('token.revoke', request);
  await expect(client.call('token.revoke', request)).rejects.toMatchObject({ code: 'confirmation-missing' });
  expect(await ended(scene.world, runId)).toMatchObject([
    { state: { status: 'succeeded' }, result: { id: victim.id, slot: 'spare' } },
  ]);
  expect(await client.call('token.show', { instance: 'source', id: victim.id })).toMatchObject({
    revoked: true,
  });
  expect(storedSecret(scene, 'source#spare')).toBeUndefined();
  expect((await client.call('instance.list', {})).instances).toMatchObject([{ hasSpare: false }]);
});

test('a token that revoked itself counts as revoked even if the reply was lost', async () => {
  const scene = await open(false);
  const { client } = scene.world;
  const { id } = await tokenInUse(scene);
  scene.sandbox.faults.add({ match: { method: 'DELETE', nth: 1 }, action: { kind: 'lose-reply' } });
  const confirm = { action: 'token.revoke', instance: 'source', project: String(id) } as const;
  const { confirmation } = await client.call('host.confirm', confirm);
  const { runId } = await client.call('token.revoke', { instance: 'source', id, confirmation });
  expect(await ended(scene.world, runId)).toMatchObject([
    { state: { status: 'succeeded' }, result: { slot: 'main' } },
  ]);
  expect(storedSecret(scene)).toBeUndefined();
});
