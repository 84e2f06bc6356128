/** @file Replacing and revoking tokens through the whole product, against the sandbox's families of tokens. */
import { expect, test } from 'vitest';
import {
  errorOf,
  kept,
  nowInUse,
  openScene,
  rotate,
  rotationsOf,
} from '../../support/tokens/rotation-scene.ts';
import { ended } from '../../support/world.ts';

const open = (spare: boolean) => openScene({ spare });

test.for([true, false])(
  'a token is replaced in one request, and only the new one is kept (spare: %s)',
  async (spare) => {
    const setting = await open(spare);
    const before = await nowInUse(setting);
    const job = await rotate(setting, 'main', '2027-03-01');
    expect(job).toMatchObject({
      state: { status: 'succeeded' },
      result: { action: 'rotate', slot: 'main', oldId: before.id, expiresOn: '2027-03-01' },
    });
    expect(await nowInUse(setting)).toMatchObject({ name: 'maintainer', expires_at: '2027-03-01' });
    expect(kept(setting, 'source#pending')).toBeUndefined();
    expect(rotationsOf(setting).map(({ path }) => path)).toEqual([
      `/api/v4/personal_access_tokens/${spare ? before.id : 'self'}/rotate`,
    ]);
    const { instances } = await setting.world.client.call('instance.list', {});
    expect(instances).toMatchObject([{ tokenExpiresOn: '2027-03-01', rotationLost: null, hasSpare: spare }]);
    // The next request uses the new token.
    expect(await setting.world.client.call('instance.check', { name: 'source' })).toMatchObject({
      canWrite: true,
    });
  },
);

test('without a day the new token lasts as long as the one before, a year at the most', async () => {
  const setting = await open(true);
  const before = await nowInUse(setting);
  expect(before.expires_at).toBe(new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10));
  await rotate(setting);
  const days = new Date(Date.now() + 364 * 86_400_000).toISOString().slice(0, 10);
  expect((await nowInUse(setting)).expires_at).toBe(days);
});

test('the spare is replaced by means of the main token', async () => {
  const setting = await open(true);
  const before = await nowInUse(setting, 'source#spare');
  expect(await rotate(setting, 'spare')).toMatchObject({ result: { slot: 'spare', oldId: before.id } });
  expect(rotationsOf(setting).map(({ path }) => path)).toEqual([
    `/api/v4/personal_access_tokens/${before.id}/rotate`,
  ]);
  expect(await nowInUse(setting, 'source#spare')).toMatchObject({ name: 'spare' });
  expect(kept(setting)).toBe(setting.sandbox.tokens.maintainer);
});

test('a lost answer is repaired by means of the spare', async () => {
  const setting = await open(true);
  setting.sandbox.faults.add({
    match: { method: 'POST', path: 'rotate', nth: 1 },
    action: { kind: 'lose-reply' },
  });
  expect(await rotate(setting)).toMatchObject({ state: { status: 'succeeded' } });
  expect(await nowInUse(setting)).toMatchObject({ name: 'maintainer' });
  expect(rotationsOf(setting)).toHaveLength(2);
});

test('without a spare a lost answer freezes the instance, until somebody gives a token', async () => {
  const setting = await open(false);
  setting.sandbox.faults.add({
    match: { method: 'POST', path: 'rotate', nth: 1 },
    action: { kind: 'lose-reply' },
  });
  const job = await rotate(setting, 'main', '2027-03-01');
  expect(errorOf(job)).toMatchObject({
    code: 'rotation-lost',
    details: {
      name: 'maintainer',
      expiresOn: '2027-03-01',
      page: `${setting.sandbox.url}/-/user_settings/personal_access_tokens`,
    },
  });
  expect(rotationsOf(setting)).toHaveLength(1);
  const { client } = setting.world;
  await expect(client.call('instance.check', { name: 'source' })).rejects.toMatchObject({
    code: 'rotation-lost',
  });
  const token = setting.sandbox.tokens.spare;
  await client.call('instance.setToken', { name: 'source', token, keep: 'keychain' });
  expect(await client.call('instance.check', { name: 'source' })).toMatchObject({ canWrite: true });
});

test('a request that never arrived leaves the token as it was, and is not repeated', async () => {
  const setting = await open(false);
  setting.sandbox.faults.add({ match: { method: 'POST', path: 'rotate' }, action: { kind: 'reset' } });
  expect(errorOf(await rotate(setting))).toMatchObject({ code: 'rotation-refused' });
  expect(kept(setting)).toBe(setting.sandbox.tokens.maintainer);
  expect(rotationsOf(setting)).toHaveLength(1);
  expect(await nowInUse(setting)).toMatchObject({ name: 'maintainer' });
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
    const setting = await open(spare);
    setting.sandbox.faults.add({
      match: { method: 'POST', path: 'rotate' },
      action: { kind: 'respond', status, body: { message: `${status} no` } },
    });
    expect(errorOf(await rotate(setting))).toMatchObject({ code });
    expect(rotationsOf(setting)).toHaveLength(1);
    expect(kept(setting)).toBe(setting.sandbox.tokens.maintainer);
  },
);

test.for([
  { kind: 'cut', afterBytes: 40, framing: 'length' },
  { kind: 'corrupt', at: 0 },
] as const)('an answer that comes damaged ($kind) is repaired by means of the spare', async (action) => {
  const setting = await open(true);
  setting.sandbox.faults.add({ match: { method: 'POST', path: 'rotate', nth: 1 }, action });
  expect(await rotate(setting)).toMatchObject({ state: { status: 'succeeded' } });
  expect(await nowInUse(setting)).toMatchObject({ name: 'maintainer' });
  expect(rotationsOf(setting)).toHaveLength(2);
});

test('an answer without the token in it is not taken for a success', async () => {
  const setting = await open(false);
  setting.sandbox.faults.add({
    match: { method: 'POST', path: 'rotate' },
    action: { kind: 'respond', status: 200, body: { id: 5 } },
  });
  // The server did not do the work, which the check finds out.
  expect(errorOf(await rotate(setting))).toMatchObject({ code: 'rotation-refused' });
  expect(kept(setting)).toBe(setting.sandbox.tokens.maintainer);
});

test('asked for twice at once, a token is replaced once', async () => {
  const setting = await open(true);
  const request = { instance: 'source', slot: 'main', expiresOn: null } as const;
  const [one, two] = await Promise.all([
    setting.world.client.call('token.rotate', request),
    setting.world.client.call('token.rotate', request),
  ]);
  expect(two.jobId).toBe(one.jobId);
  await ended(setting.world, one.runId);
  expect(rotationsOf(setting)).toHaveLength(1);
});

test('main and spare are replaced one after the other when both are asked for', async () => {
  const setting = await open(true);
  const jobs = await Promise.all([rotate(setting, 'main'), rotate(setting, 'spare')]);
  expect(jobs.map(({ state }) => state.status)).toEqual(['succeeded', 'succeeded']);
  expect(await nowInUse(setting)).toMatchObject({ name: 'maintainer' });
  expect(await nowInUse(setting, 'source#spare')).toMatchObject({ name: 'spare' });
});

test('a token that another instance of the same server uses too is not replaced', async () => {
  const setting = await open(false);
  const { client } = setting.world;
  await client.call('instance.setToken', {
    name: 'again',
    token: setting.sandbox.tokens.maintainer,
    keep: 'session',
  });
  await client.call('instance.add', {
    name: 'again',
    url: setting.sandbox.url,
    caFile: null,
    pace: 'sandbox',
    keep: 'keychain',
  });
  expect(errorOf(await rotate(setting))).toMatchObject({ code: 'rotation-refused' });
  expect(rotationsOf(setting)).toEqual([]);
});

test('a spare is a second active token of the same user that may do everything', async () => {
  const { world, sandbox } = await open(false);
  const set = (token: string) =>
    world.client.call('token.setSpare', { instance: 'source', token, keep: 'keychain' });
  await expect(set(sandbox.tokens.maintainer)).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(set(sandbox.tokens.developer)).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(set(sandbox.tokens.readOnly)).rejects.toMatchObject({ code: 'token-scope' });
  await expect(set(sandbox.tokens.revoked)).rejects.toMatchObject({ code: 'token-revoked' });
  expect(await set(sandbox.tokens.spare)).toMatchObject({ slot: 'spare', name: 'spare' });
});

test('a token is revoked once, after a confirmation for that one', async () => {
  const setting = await open(true);
  const { client } = setting.world;
  const victim = await nowInUse(setting, 'source#spare');
  const { confirmation, destroys } = await client.call('host.confirm', {
    action: 'token.revoke',
    instance: 'source',
    project: String(victim.id),
  });
  expect(destroys).toMatchObject([{ what: 'access-token' }]);
  const request = { instance: 'source', id: victim.id, confirmation };
  const { runId } = await client.call('token.revoke', request);
  await expect(client.call('token.revoke', request)).rejects.toMatchObject({ code: 'confirmation-missing' });
  expect(await ended(setting.world, runId)).toMatchObject([
    { state: { status: 'succeeded' }, result: { id: victim.id, slot: 'spare' } },
  ]);
  expect(await client.call('token.show', { instance: 'source', id: victim.id })).toMatchObject({
    revoked: true,
  });
  expect(kept(setting, 'source#spare')).toBeUndefined();
  expect((await client.call('instance.list', {})).instances).toMatchObject([{ hasSpare: false }]);
});

test('a token that revoked itself is known to be revoked although the answer was lost', async () => {
  const setting = await open(false);
  const { client } = setting.world;
  const { id } = await nowInUse(setting);
  setting.sandbox.faults.add({ match: { method: 'DELETE', nth: 1 }, action: { kind: 'lose-reply' } });
  const confirm = { action: 'token.revoke', instance: 'source', project: String(id) } as const;
  const { confirmation } = await client.call('host.confirm', confirm);
  const { runId } = await client.call('token.revoke', { instance: 'source', id, confirmation });
  expect(await ended(setting.world, runId)).toMatchObject([
    { state: { status: 'succeeded' }, result: { slot: 'main' } },
  ]);
  expect(kept(setting)).toBeUndefined();
});
