import { beforeAll, describe, expect, test } from 'vitest';
import { Conformance, type Reply, type Row, type Account } from '../../support/conformance.ts';

const harness = Conformance.ofFile({ projectCount: 0 });
const self = (who: Account): Promise<Row> => harness.row(who, '/personal_access_tokens/self');
const list = (who: Account, query = ''): Promise<Reply> =>
  harness.send(who, `/personal_access_tokens${query}`);
const names = async (who: Account, query: string): Promise<unknown[]> =>
  ((await list(who, query)).body as Row[]).map((row) => row['name']);

const ownNames = ['maintainer', 'read-only', 'expired', 'revoked', 'spare', 'self-rotate'];
let maintainer = 0;
let developer: Row = {};

beforeAll(async () => {
  maintainer = Number((await self('maintainer'))['user_id']);
  developer = await self('developer');
});

describe('list-tokens', () => {
  test('list-tokens returns 200 with only the caller’s own tokens, with the fields of the record', async () => {
    const { status, body, headers } = await list('maintainer');
    const rows = body as Row[];

    expect(status).toBe(200);
    expect(headers.get('x-total')).toBe(`${ownNames.length}`);
    expect(rows.map((row) => row['name'])).toEqual(ownNames);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(
      'active created_at description expires_at id last_used_at last_used_ips name revoked scopes user_id'.split(
        ' ',
      ),
    );
  });

  test('list-tokens returns the tokens of all users except bots to an administrator', async () => {
    const all = await names('administrator', '?per_page=100');

    expect(all).toEqual(expect.arrayContaining(['administrator', 'developer', ...ownNames]));
    expect(all).not.toContain('bot');
  });

  test.each([
    ['revoked=true', ['revoked']],
    ['revoked=false&search=re', ['read-only', 'expired', 'spare']],
    ['state=active', ['maintainer', 'read-only', 'spare', 'self-rotate']],
    ['state=inactive', ['expired', 'revoked']],
    ['search=SPARE', ['spare']],
    ['search=re&state=inactive', ['expired', 'revoked']],
    ['created_after=2100-01-01T00:00:00Z', []],
    ['created_before=2100-01-01', ownNames],
    ['created_before=2000-01-01', []],
    ['last_used_after=2000-01-01', ['maintainer']],
    ['last_used_before=2000-01-01', []],
    ['expires_before=2000-01-01', []],
    ['expires_after=2000-01-01', ownNames],
    ['sort=name_desc&state=inactive', ['revoked', 'expired']],
    ['sort=expires_asc&per_page=1', ['expired']],
    ['sort=last_used_desc&per_page=1', ['maintainer']],
    ['sort=created_asc&per_page=2&page=2', ['expired', 'revoked']],
  ])('list-tokens applies ?%s', async (query, expected) => {
    expect(await names('maintainer', `?${query}`)).toEqual(expected);
  });

  test('list-tokens limits the time of creation by created_before and created_after', async () => {
    const [first] = (await list('maintainer')).body as Row[];
    const at = String(first?.['created_at']);

    expect(await names('maintainer', `?search=maintainer&created_after=${at}`)).toEqual(['maintainer']);
    const before = new Date(Date.parse(at) - 1).toISOString();
    expect(await names('maintainer', `?search=maintainer&created_before=${before}`)).toEqual([]);
  });

  test.each([
    ['revoked=maybe', 'revoked is invalid'],
    ['state=asleep', 'state does not have a valid value'],
    ['created_after=soon', 'created_after is invalid'],
    ['last_used_before=1', 'last_used_before is invalid'],
    ['sort=age', 'sort does not have a valid value'],
    ['per_page=0', 'per_page does not have a valid value'],
  ])('list-tokens returns 400 for ?%s', async (query, error) => {
    expect(await list('maintainer', `?${query}`)).toMatchObject({ status: 400, body: { error } });
  });

  test('list-tokens accepts any user_id, by number or name, from administrators, and their own from others', async () => {
    expect(await names('administrator', `?user_id=${maintainer}`)).toEqual(ownNames);
    expect(await names('administrator', '?user_id=developer')).toEqual(['developer']);
    expect(await names('maintainer', `?user_id=${maintainer}`)).toEqual(ownNames);
  });

  test('list-tokens returns 401 to a caller who is not an administrator for the user_id of another user', async () => {
    const refused = { status: 401, body: { message: '401 Unauthorized' } };

    expect(await list('developer', `?user_id=${maintainer}`)).toMatchObject(refused);
    expect(await list('developer', '?user_id=999999')).toMatchObject(refused);
  });

  test('list-tokens returns 404 to an administrator for an unknown user_id', async () => {
    expect(await list('administrator', '?user_id=999999')).toMatchObject({ status: 404 });
  });

  test('list-tokens returns 401 without a token, and 403 with a scope that cannot read', async () => {
    expect(await list('anonymous')).toMatchObject({ status: 401 });
    expect(await list('selfRotate')).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    expect(await list('readOnly')).toMatchObject({ status: 200 });
  });
});

describe('get-token', () => {
  const get = (who: Account, id: unknown) => harness.send(who, `/personal_access_tokens/${String(id)}`);

  test('get-token returns 200 for the caller’s own token, and to an administrator for any token', async () => {
    expect(await get('developer', developer['id'])).toMatchObject({
      status: 200,
      body: { name: 'developer' },
    });
    expect(await get('administrator', developer['id'])).toMatchObject({ body: { name: 'developer' } });
  });

  test('get-token returns 401 for another user’s token and for an unknown one alike', async () => {
    const refused = { status: 401, body: { message: '401 Unauthorized' } };

    expect(await get('guest', developer['id'])).toMatchObject(refused);
    expect(await get('guest', 999_999)).toMatchObject(refused);
  });

  test('get-token returns 404 to an administrator for an unknown token', async () => {
    expect(await get('administrator', 999_999)).toMatchObject({ status: 404 });
  });

  test('get-token returns 400 for an ID that is not a number', async () => {
    expect(await get('guest', 'x')).toMatchObject({ status: 400, body: { error: 'id is invalid' } });
  });
});

describe('get-own-token', () => {
  test('get-own-token returns 200 with any scope, and sets last_used_at to now', async () => {
    expect(await self('selfRotate')).toMatchObject({ scopes: ['self_rotate'], active: true });
    const before = Date.now();
    const row = await self('readOnly');
    expect(row).toMatchObject({ scopes: ['read_api'] });
    expect(Date.parse(String(row['last_used_at']))).toBeGreaterThanOrEqual(before);
  });

  test('get-own-token returns 400 for a token that is not a personal access token', async () => {
    expect(await harness.send('bot', '/personal_access_tokens/self')).toMatchObject({
      status: 400,
      body: {
        message: '400 Bad request - This endpoint requires token type to be a personal access token',
      },
    });
  });

  test.each(['expired', 'revoked'] as const)(
    'get-own-token returns 401 for a token that is %s',
    async (who) => {
      expect(await harness.send(who, '/personal_access_tokens/self')).toMatchObject({
        status: 401,
        body: { error: 'invalid_token' },
      });
    },
  );
});
