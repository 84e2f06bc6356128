import { beforeEach, describe, expect, test } from 'vitest';
import { rotateOwnToken, rotateToken } from '../../../src-main/gitlab/instances/rotation.ts';
import { currentUser } from '../../../src-main/gitlab/instances/server.ts';
import {
  getToken,
  getOwnToken,
  revokeOwnToken,
  revokeToken,
  tokensPage,
} from '../../../src-main/gitlab/instances/tokens.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { type Sandbox, startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { failureOf, testClient } from '../../support/servers/instance-client.ts';
import { type Script, scriptedServer } from '../../support/servers/scripted-server.ts';

const day = (days: number) => new Date(systemClock.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('in the sandbox', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({ clock: systemClock });
    return () => sandbox.close();
  });
  const withSecret = (secret: string) =>
    testClient(sandbox.url, { token: () => Promise.resolve(new Token(secret)) });
  const as = (who: keyof Sandbox['tokens']) => withSecret(sandbox.tokens[who]);

  test('tokens are listed by filters and read individually', async () => {
    const all = (await tokensPage(as('maintainer'), {}, { limit: 100 })).records;
    const revoked = (await tokensPage(as('maintainer'), { revoked: true })).records;
    const self = await getOwnToken(as('maintainer'));

    expect(all.length).toBeGreaterThan(revoked.length);
    expect(revoked.every((token) => token.revoked && !token.active)).toBe(true);
    expect(await getToken(as('maintainer'), self.id)).toMatchObject({ id: self.id, name: 'maintainer' });
    expect((await tokensPage(as('maintainer'), { search: 'spare' })).records.map(({ name }) => name)).toEqual(
      ['spare'],
    );
    const mine = await tokensPage(as('administrator'), { user: self.userId });
    expect(new Set(mine.records.map(({ userId }) => userId))).toEqual(new Set([self.userId]));
  });

  test("another user's tokens are forbidden or not found, which does not mean that the sent token is invalid", async () => {
    const { id } = await currentUser(as('administrator'));
    const theirs = await getOwnToken(as('administrator'));

    expect((await failureOf(tokensPage(as('maintainer'), { user: id }))).code).toBe('forbidden');
    expect((await failureOf(getToken(as('maintainer'), theirs.id))).code).toBe('not-found');
    expect((await failureOf(getToken(as('administrator'), 999_999))).code).toBe('not-found');
    expect((await failureOf(revokeToken(as('maintainer'), theirs.id))).code).toMatch(
      /request-refused|forbidden/,
    );
  });

  test('a rotated token works at once, and the old one no longer works', async () => {
    const old = await getOwnToken(as('maintainer'));
    const { token, secret } = await rotateOwnToken(as('maintainer'), { expiresOn: day(30) });

    expect(token).toMatchObject({ name: old.name, active: true, expiresOn: day(30) });
    expect((await getOwnToken(withSecret(secret.reveal()))).id).toBe(token.id);
    expect((await failureOf(getOwnToken(as('maintainer')))).code).toBe('token-revoked');
    expect(JSON.stringify({ token, secret })).not.toContain(secret.reveal());
  });

  test('a spare token rotates the main token', async () => {
    const main = await getOwnToken(as('maintainer'));
    const { token, secret } = await rotateToken(as('spare'), main.id);

    expect((await getOwnToken(withSecret(secret.reveal()))).id).toBe(token.id);
    expect((await getOwnToken(as('spare'))).active).toBe(true);
  });

  test('a rejected rotation is not ambiguous: the token still works', async () => {
    const bot = await failureOf(rotateOwnToken(as('bot')));
    const scope = await failureOf(rotateOwnToken(as('readOnly')));
    const unknown = await failureOf(rotateToken(as('administrator'), 999_999));

    expect([bot.code, scope.code, unknown.code]).toEqual(['request-refused', 'token-scope', 'not-found']);
    for (const [who, username] of [
      ['bot', 'group_bot'],
      ['readOnly', 'maintainer'],
      ['administrator', 'root'],
    ] as const) {
      expect(await currentUser(as(who))).toMatchObject({ username });
    }
  });

  test('a token is revoked by ID and by itself', async () => {
    const spare = await getOwnToken(as('spare'));
    await revokeToken(as('maintainer'), spare.id);
    await revokeOwnToken(as('maintainer'));

    expect((await failureOf(getOwnToken(as('spare')))).code).toBe('token-revoked');
    expect((await failureOf(getOwnToken(as('maintainer')))).code).toBe('token-revoked');
  });
});

describe('a rotation', () => {
  const fresh = {
    id: 2,
    name: 'n',
    scopes: ['api'],
    user_id: 1,
    active: true,
    revoked: false,
    created_at: '2026-01-01T00:00:00Z',
    expires_at: '2027-01-01',
  };
  const canary = 'glpat-canaryXcanaryX';
  const respondWith =
    (status: number, body: string, headers = {}): Script =>
    (_, reply) => {
      reply.send(status, { 'content-type': 'application/json', ...headers }, body);
    };
  const ambiguousReplies: Array<[string, Script]> = [
    ['a 200 without a token', respondWith(200, JSON.stringify(fresh))],
    ['an empty token', respondWith(200, JSON.stringify({ ...fresh, token: '' }))],
    ['an invalid token', respondWith(200, JSON.stringify({ ...fresh, token: 'a b' }))],
    ['a token without its record', respondWith(200, JSON.stringify({ token: canary }))],
    ['half a response', respondWith(200, JSON.stringify({ ...fresh, token: canary }).slice(0, -4))],
    ['a web page', respondWith(200, '<html></html>', { 'content-type': 'text/html' })],
    ['a 204', respondWith(204, '')],
    ['a 500', respondWith(500, '{}')],
    ['a 502 of a proxy', respondWith(502, '<html></html>', { 'content-type': 'text/html' })],
    ['a 408', respondWith(408, '{}')],
    ['a redirect', respondWith(307, '', { location: '/api/v4/personal_access_tokens/self/rotate' })],
    ['a 304', respondWith(304, '')],
    ['a reset', ({ stream }) => void stream.socket.resetAndDestroy()],
    [
      'a truncated body',
      (_, reply) => {
        reply.raw('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{', 'rst');
      },
    ],
    ['no response', () => undefined],
  ];
  const kinds = [
    ['by itself', rotateOwnToken],
    ['by id', (client: Parameters<typeof rotateOwnToken>[0]) => rotateToken(client, 1)],
  ] as const;
  for (const [how, rotate] of kinds) {
    test.each(ambiguousReplies)(
      `${how} is ambiguous, is sent once, and its error contains no secret: %s`,
      async (_, script) => {
        const server = await scriptedServer(script);

        const failure = await failureOf(
          rotate(testClient(server.url, { limits: { responseTimeoutMs: 80 } })),
        );

        expect(failure).toMatchObject({ code: 'rotation-ambiguous', retry: 'never' });
        expect(server.requests).toHaveLength(1);
        expect(JSON.stringify(failure.toData())).not.toContain('canaryX');
      },
    );
  }

  test.each([400, 401, 403, 404, 405, 429])('is not ambiguous after a %i', async (status) => {
    const server = await scriptedServer(respondWith(status, '{"message":"no"}'));

    expect((await failureOf(rotateOwnToken(testClient(server.url)))).code).not.toBe('rotation-ambiguous');
    expect(server.requests).toHaveLength(1);
  });

  test('that is cancelled is ambiguous once it was sent, and not before', async () => {
    const cancel = new AbortController();
    const server = await scriptedServer(() => {
      cancel.abort();
    });
    const client = testClient(server.url);

    expect((await failureOf(rotateOwnToken(client, { signal: cancel.signal }))).code).toBe(
      'rotation-ambiguous',
    );
    expect((await failureOf(rotateOwnToken(client, { signal: cancel.signal }))).code).toBe('cancelled');
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['no listener', 'http://127.0.0.1:1', {}, 'connection-refused'],
    ['a read-only instance', 'http://127.0.0.1:1', { mayWrite: () => false }, 'instance-read-only'],
    ['an old server', 'http://127.0.0.1:1', { version: () => '15.11.0' }, 'server-too-old'],
  ])('that was never sent is not ambiguous: %s', async (_, url, options, code) => {
    expect((await failureOf(rotateOwnToken(testClient(url, options)))).code).toBe(code);
  });

  test.each([
    ['today', day(0)],
    ['yesterday', day(-1)],
    ['in more than a year', day(370)],
    ['on a day that does not exist', '2027-02-30'],
    ['at a time', `${day(20)}T00:00:00Z`],
    ['never', ''],
  ])('to a token that expires %s is not requested', async (_, expiresOn) => {
    const server = await scriptedServer(respondWith(200, '{}'));

    const failure = await failureOf(rotateOwnToken(testClient(server.url), { expiresOn }));

    expect(failure).toMatchObject({ code: 'invalid-input', details: { parameter: 'expires_at' } });
    expect(server.requests).toHaveLength(0);
  });

  test('sends the expiry of the new token if one is given', async () => {
    const bodies: string[] = [];
    const server = await scriptedServer(async (request, reply) => {
      bodies.push((await request.body()).toString());
      reply.json(200, { ...fresh, token: canary });
    });
    await rotateOwnToken(testClient(server.url), { expiresOn: day(365) });
    await rotateToken(testClient(server.url), 7);

    expect(bodies).toEqual([`{"expires_at":"${day(365)}"}`, '{}']);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/api/v4/personal_access_tokens/self/rotate',
      '/api/v4/personal_access_tokens/7/rotate',
    ]);
  });
});
