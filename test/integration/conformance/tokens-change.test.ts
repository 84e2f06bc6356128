import { beforeEach, describe, expect, test } from 'vitest';
import { Conformance, type Reply, type Row, type Account } from '../../support/conformance.ts';

const harness = Conformance.ofFile({ projectCount: 0 });
let user = 0;
/** A new token of the developer for each test. */
let token: Row = {};

const createToken = async (scopes = ['api']): Promise<Row> =>
  (await harness.post('administrator', `/users/${user}/personal_access_tokens`, { name: 'fresh', scopes }))
    .body as Row;

beforeEach(async () => {
  user = Number((await harness.row('developer', '/personal_access_tokens/self'))['user_id']);
  token = await createToken();
});

/** Sends a request with a token other than the predefined ones. */
const sendWith = (
  row: Row,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Reply> =>
  harness.send('anonymous', `/personal_access_tokens/${path}`, {
    method,
    headers: { 'PRIVATE-TOKEN': String(row['token']) },
    ...(body === undefined ? {} : { body }),
  });
const rotate = (who: Account, id: unknown, body?: unknown): Promise<Reply> =>
  harness.post(who, `/personal_access_tokens/${String(id)}/rotate`, body);
const isActive = async (row: Row): Promise<unknown> =>
  (await harness.row('administrator', `/personal_access_tokens/${String(row['id'])}`))['active'];
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const revokedText = 'Token was revoked. You have to re-authorize from the user.';

describe('rotate-token', () => {
  test('rotate-token returns 200 with the secret of a new active token that lasts a week, and revokes the old token', async () => {
    const { status, body } = await rotate('developer', token['id']);
    const fresh = body as Row;

    expect(status).toBe(200);
    expect(fresh).toMatchObject({ name: 'fresh', scopes: ['api'], active: true, expires_at: inDays(7) });
    expect(fresh['token']).not.toBe(token['token']);
    expect(await isActive(token)).toBe(false);
    expect((await sendWith(fresh, 'GET', 'self')).body).toMatchObject({ id: fresh['id'] });
    expect((await sendWith(fresh, 'GET', 'self')).body).not.toHaveProperty('token');
  });

  test.each([
    ['json', () => ({ expires_at: inDays(365) })],
    ['form', () => new URLSearchParams({ expires_at: inDays(365) })],
  ])('rotate-token accepts an expires_at of up to a year, as %s', async (_kind, body) => {
    expect((await rotate('developer', token['id'], body())).body).toMatchObject({ expires_at: inDays(365) });
  });

  test('rotate-token returns 400 for a later or an invalid expires_at, and revokes nothing', async () => {
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

  test('rotate-token returns 400 for a token that is already revoked', async () => {
    await rotate('developer', token['id']);

    expect(await rotate('developer', token['id'])).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - Token already revoked' },
    });
  });

  test('rotate-token returns 401 for another user’s token and for an unknown one; an administrator gets 200 and 404', async () => {
    expect(await rotate('guest', token['id'])).toMatchObject({ status: 401 });
    expect(await rotate('guest', 999_999)).toMatchObject({ status: 401 });
    expect(await rotate('administrator', 999_999)).toMatchObject({ status: 404 });
    expect(await rotate('administrator', token['id'])).toMatchObject({ status: 200 });
  });

  test('rotate-token returns 403 for an insufficient scope', async () => {
    expect(await rotate('readOnly', token['id'])).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'api' },
    });
  });

  test('rotate-token with a revoked token returns 401 and revokes the active token of the same family', async () => {
    const second = (await rotate('developer', token['id'])).body as Row;
    const third = (await rotate('developer', second['id'])).body as Row;

    expect(await sendWith(token, 'GET', 'self')).toMatchObject({ status: 401 });
    expect(await isActive(third)).toBe(true);
    expect(await sendWith(token, 'POST', `${String(third['id'])}/rotate`)).toMatchObject({
      status: 401,
      body: { error: 'invalid_token', error_description: revokedText },
    });
    expect(await isActive(third)).toBe(false);
  });
});

describe('rotate-own-token', () => {
  test('rotate-own-token returns 200 with the scope api or self_rotate', async () => {
    const narrow = await createToken(['self_rotate']);

    expect((await sendWith(token, 'POST', 'self/rotate', { expires_at: inDays(30) })).body).toMatchObject({
      expires_at: inDays(30),
    });
    expect((await sendWith(narrow, 'POST', 'self/rotate')).body).toMatchObject({ scopes: ['self_rotate'] });
  });

  test('rotate-own-token returns 400 for an expires_at later than a year', async () => {
    expect(await sendWith(token, 'POST', 'self/rotate', { expires_at: inDays(366) })).toMatchObject({
      status: 400,
    });
  });

  test('rotate-own-token returns 401 for an expired, revoked or unknown token', async () => {
    expect(await rotate('expired', 'self')).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect(await rotate('revoked', 'self')).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect(await sendWith({ token: 'glpat-nobody' }, 'POST', 'self/rotate')).toMatchObject({ status: 401 });
  });

  test('rotate-own-token with the same token again returns 401 and revokes the token of the lost response', async () => {
    const fresh = (await sendWith(token, 'POST', 'self/rotate')).body as Row;

    expect(await sendWith(token, 'POST', 'self/rotate')).toMatchObject({ status: 401 });
    expect(await isActive(fresh)).toBe(false);
  });

  test('rotate-own-token returns 403 for a token that may not rotate itself', async () => {
    expect(await rotate('readOnly', 'self')).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'api self_rotate' },
    });
  });

  test('rotate-own-token returns 405 for a token that is not a personal access token', async () => {
    expect(await rotate('bot', 'self')).toMatchObject({
      status: 405,
      body: { message: '405 Method Not Allowed' },
    });
  });
});

describe('revoke-token', () => {
  const revoke = (who: Account, id: unknown) =>
    harness.send(who, `/personal_access_tokens/${String(id)}`, { method: 'DELETE' });

  test('revoke-token returns 204 without a body for the caller’s own token, and to an administrator for any token', async () => {
    expect(await revoke('developer', token['id'])).toMatchObject({ status: 204, body: null });
    expect(await sendWith(token, 'GET', 'self')).toMatchObject({
      status: 401,
      body: { error_description: revokedText },
    });
    expect(await revoke('administrator', (await createToken())['id'])).toMatchObject({ status: 204 });
  });

  test('revoke-token returns 400 for another user’s token', async () => {
    expect(await revoke('guest', token['id'])).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - Not permitted to revoke' },
    });
    expect(await isActive(token)).toBe(true);
  });

  test('revoke-token returns 401 without a valid token, 403 without the scope, and 404 for an unknown token', async () => {
    expect(await revoke('anonymous', token['id'])).toMatchObject({ status: 401 });
    expect(await revoke('expired', token['id'])).toMatchObject({ status: 401 });
    expect(await revoke('readOnly', token['id'])).toMatchObject({ status: 403 });
    expect(await revoke('guest', 999_999)).toMatchObject({ status: 404 });
  });
});

describe('revoke-own-token', () => {
  test('revoke-own-token returns 204 with any scope, and the token no longer works', async () => {
    const narrow = await createToken(['read_registry']);

    expect(await sendWith(narrow, 'DELETE', 'self')).toMatchObject({ status: 204, body: null });
    expect(await sendWith(narrow, 'DELETE', 'self')).toMatchObject({ status: 401 });
  });

  test('revoke-own-token returns 400 for a token that is not a personal access token', async () => {
    expect(await harness.send('bot', '/personal_access_tokens/self', { method: 'DELETE' })).toMatchObject({
      status: 400,
    });
  });
});

describe('creating tokens', () => {
  test('for a user requires an administrator and known scopes', async () => {
    const path = `/users/${user}/personal_access_tokens`;

    expect(await harness.post('developer', path, { name: 'x', scopes: ['api'] })).toMatchObject({
      status: 403,
    });
    expect(await harness.post('administrator', path, { name: 'x', scopes: ['all'] })).toMatchObject({
      status: 400,
      body: { message: 'Scopes can only contain available scopes' },
    });
    expect(await harness.post('administrator', path, {})).toMatchObject({
      body: { error: 'name is missing, scopes is missing' },
    });
    expect(
      await harness.post('administrator', '/users/999999/personal_access_tokens', {
        name: 'x',
        scopes: ['api'],
      }),
    ).toMatchObject({ status: 404, body: { message: '404 User Not Found' } });
  });

  test('for oneself allows only the scopes k8s_proxy and self_rotate', async () => {
    const path = '/user/personal_access_tokens';

    for (const scopes of [['k8s_proxy'], ['self_rotate']]) {
      expect(await harness.post('guest', path, { name: 'x', scopes })).toMatchObject({
        status: 201,
        body: { scopes, expires_at: inDays(365), token: expect.any(String) as unknown },
      });
    }
    expect(await harness.post('guest', path, { name: 'x', scopes: ['api'] })).toMatchObject({
      status: 400,
      body: { error: 'scopes does not have a valid value' },
    });
  });
});
