import { beforeEach, describe, expect, test } from 'vitest';
import { Conformance, type Answer, type Row, type Who } from '../../support/conformance.ts';

const bench = Conformance.ofFile({ projectCount: 0 });
let user = 0;
/** A fresh token of the developer for each test. */
let token: Row = {};

const make = async (scopes = ['api']): Promise<Row> =>
  (await bench.post('administrator', `/users/${user}/personal_access_tokens`, { name: 'fresh', scopes }))
    .body as Row;

beforeEach(async () => {
  user = Number((await bench.row('developer', '/personal_access_tokens/self'))['user_id']);
  token = await make();
});

/** A request with a token that is not one of the ready-made. */
const as = (row: Row, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer> =>
  bench.send('anonymous', `/personal_access_tokens/${path}`, {
    method,
    headers: { 'PRIVATE-TOKEN': String(row['token']) },
    ...(body === undefined ? {} : { body }),
  });
const rotate = (who: Who, id: unknown, body?: unknown): Promise<Answer> =>
  bench.post(who, `/personal_access_tokens/${String(id)}/rotate`, body);
const isActive = async (row: Row): Promise<unknown> =>
  (await bench.row('administrator', `/personal_access_tokens/${String(row['id'])}`))['active'];
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const revokedText = 'Token was revoked. You have to re-authorize from the user.';

describe('rotate-token', () => {
  test('rotate-token 200: the old one is revoked, a new active one with a secret lasts a week', async () => {
    const { status, body } = await rotate('developer', token['id']);
    const fresh = body as Row;

    expect(status).toBe(200);
    expect(fresh).toMatchObject({ name: 'fresh', scopes: ['api'], active: true, expires_at: inDays(7) });
    expect(fresh['token']).not.toBe(token['token']);
    expect(await isActive(token)).toBe(false);
    expect((await as(fresh, 'GET', 'self')).body).toMatchObject({ id: fresh['id'] });
    expect((await as(fresh, 'GET', 'self')).body).not.toHaveProperty('token');
  });

  test.each([
    ['json', () => ({ expires_at: inDays(365) })],
    ['form', () => new URLSearchParams({ expires_at: inDays(365) })],
  ])('rotate-token expires_at up to a year, as %s', async (_kind, body) => {
    expect((await rotate('developer', token['id'], body())).body).toMatchObject({ expires_at: inDays(365) });
  });

  test('rotate-token 400 for a later expires_at, and nothing is revoked', async () => {
    expect(await rotate('developer', token['id'], { expires_at: inDays(366) })).toMatchObject({
      status: 400,
      body: { message: `400 Bad request - Expiration date must be before ${inDays(365)}` },
    });
    expect(await rotate('developer', token['id'], { expires_at: 'soon' })).toMatchObject({
      status: 400,
      body: { error: 'expires_at is invalid' },
    });
    expect(await isActive(token)).toBe(true);
  });

  test('rotate-token 400 for one that is revoked already', async () => {
    await rotate('developer', token['id']);

    expect(await rotate('developer', token['id'])).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - Token already revoked' },
    });
  });

  test('rotate-token 401 for another’s and for a missing one, 404 for an administrator', async () => {
    expect(await rotate('guest', token['id'])).toMatchObject({ status: 401 });
    expect(await rotate('guest', 999_999)).toMatchObject({ status: 401 });
    expect(await rotate('administrator', 999_999)).toMatchObject({ status: 404 });
    expect(await rotate('administrator', token['id'])).toMatchObject({ status: 200 });
  });

  test('rotate-token 403 with a scope that is not enough', async () => {
    expect(await rotate('readOnly', token['id'])).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'api' },
    });
  });

  test('rotate-token 401 with a revoked one of a family: its active one is revoked, too', async () => {
    const second = (await rotate('developer', token['id'])).body as Row;
    const third = (await rotate('developer', second['id'])).body as Row;

    expect(await as(token, 'GET', 'self')).toMatchObject({ status: 401 });
    expect(await isActive(third)).toBe(true);
    expect(await as(token, 'POST', `${String(third['id'])}/rotate`)).toMatchObject({
      status: 401,
      body: { error: 'invalid_token', error_description: revokedText },
    });
    expect(await isActive(third)).toBe(false);
  });
});

describe('rotate-own-token', () => {
  test('rotate-own-token 200 with scope api, and with self_rotate', async () => {
    const narrow = await make(['self_rotate']);

    expect((await as(token, 'POST', 'self/rotate', { expires_at: inDays(30) })).body).toMatchObject({
      expires_at: inDays(30),
    });
    expect((await as(narrow, 'POST', 'self/rotate')).body).toMatchObject({ scopes: ['self_rotate'] });
  });

  test('rotate-own-token 400 for an expires_at later than a year', async () => {
    expect(await as(token, 'POST', 'self/rotate', { expires_at: inDays(366) })).toMatchObject({
      status: 400,
    });
  });

  test('rotate-own-token 401 when expired, revoked or unknown', async () => {
    expect(await rotate('expired', 'self')).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect(await rotate('revoked', 'self')).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect(await as({ token: 'glpat-nobody' }, 'POST', 'self/rotate')).toMatchObject({ status: 401 });
  });

  test('rotate-own-token 401 for a second time: the lost answer’s token is revoked with it', async () => {
    const fresh = (await as(token, 'POST', 'self/rotate')).body as Row;

    expect(await as(token, 'POST', 'self/rotate')).toMatchObject({ status: 401 });
    expect(await isActive(fresh)).toBe(false);
  });

  test('rotate-own-token 403 for a token that may not rotate itself', async () => {
    expect(await rotate('readOnly', 'self')).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'api self_rotate' },
    });
  });

  test('rotate-own-token 405 for a token that is no personal access token', async () => {
    expect(await rotate('bot', 'self')).toMatchObject({
      status: 405,
      body: { message: '405 Method Not Allowed' },
    });
  });
});

describe('revoke-token', () => {
  const revoke = (who: Who, id: unknown) =>
    bench.send(who, `/personal_access_tokens/${String(id)}`, { method: 'DELETE' });

  test('revoke-token 204 without a body, for one’s own and for an administrator any', async () => {
    expect(await revoke('developer', token['id'])).toMatchObject({ status: 204, body: null });
    expect(await as(token, 'GET', 'self')).toMatchObject({
      status: 401,
      body: { error_description: revokedText },
    });
    expect(await revoke('administrator', (await make())['id'])).toMatchObject({ status: 204 });
  });

  test('revoke-token 400 for another’s', async () => {
    expect(await revoke('guest', token['id'])).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - Not permitted to revoke' },
    });
    expect(await isActive(token)).toBe(true);
  });

  test('revoke-token 401 without a valid token, 403 without the scope, 404 for a missing one', async () => {
    expect(await revoke('anonymous', token['id'])).toMatchObject({ status: 401 });
    expect(await revoke('expired', token['id'])).toMatchObject({ status: 401 });
    expect(await revoke('readOnly', token['id'])).toMatchObject({ status: 403 });
    expect(await revoke('guest', 999_999)).toMatchObject({ status: 404 });
  });
});

describe('revoke-own-token', () => {
  test('revoke-own-token 204 with any scope, and the token works no longer', async () => {
    const narrow = await make(['read_registry']);

    expect(await as(narrow, 'DELETE', 'self')).toMatchObject({ status: 204, body: null });
    expect(await as(narrow, 'DELETE', 'self')).toMatchObject({ status: 401 });
  });

  test('revoke-own-token 400 for a token that is no personal access token', async () => {
    expect(await bench.send('bot', '/personal_access_tokens/self', { method: 'DELETE' })).toMatchObject({
      status: 400,
    });
  });
});

describe('creating tokens', () => {
  test('for a user is an administrator’s alone, and of known scopes', async () => {
    const path = `/users/${user}/personal_access_tokens`;

    expect(await bench.post('developer', path, { name: 'x', scopes: ['api'] })).toMatchObject({
      status: 403,
    });
    expect(await bench.post('administrator', path, { name: 'x', scopes: ['all'] })).toMatchObject({
      status: 400,
      body: { message: 'Scopes can only contain available scopes' },
    });
    expect(await bench.post('administrator', path, {})).toMatchObject({
      body: { error: 'name is missing, scopes is missing' },
    });
    expect(
      await bench.post('administrator', '/users/999999/personal_access_tokens', {
        name: 'x',
        scopes: ['api'],
      }),
    ).toMatchObject({ status: 404, body: { message: '404 User Not Found' } });
  });

  test('for oneself is of the scopes k8s_proxy and self_rotate', async () => {
    const path = '/user/personal_access_tokens';

    expect(await bench.post('guest', path, { name: 'x', scopes: ['self_rotate'] })).toMatchObject({
      status: 201,
      body: { scopes: ['self_rotate'], expires_at: inDays(365), token: expect.any(String) as unknown },
    });
    expect(await bench.post('guest', path, { name: 'x', scopes: ['api'] })).toMatchObject({
      status: 400,
      body: { error: 'scopes does not have a valid value' },
    });
  });
});
