import { describe, expect, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient, InstanceClientOptions } from '../../../src-main/gitlab/http/client.ts';
import type { SentWrite } from '../../../src-main/gitlab/http/sender.ts';
import { failureOf, testClient } from '../../support/servers/instance-client.ts';
import { testProxy } from '../../support/servers/proxy.ts';
import { certificateFile, type Script, scriptedServer } from '../../support/servers/scripted-server.ts';

const nothing = z.undefined();
type Write = (client: InstanceClient) => Promise<unknown>;
const writes: Array<[string, Write]> = [
  ['POST', (client) => client.postJson('projects/1/x?y=z', { a: 1 }, z.unknown())],
  ['PUT', (client) => client.putJson('projects/1/x?y=z', { a: 1 }, z.unknown())],
  ['DELETE', (client) => client.delete('projects/1/x?y=z', z.unknown())],
];

/** Returns a client that collects the reports of its writes. */
function audited(url: string, options: Partial<InstanceClientOptions> = {}) {
  const wrote: SentWrite[] = [];
  return { wrote, client: testClient(url, { onWrite: (write) => wrote.push(write), ...options }) };
}

const answering =
  (status: number, headers = {}, body = '{}'): Script =>
  (_, reply) => {
    reply.send(status, { 'content-type': 'application/json', ...headers }, body);
  };

describe('an answer without a body', () => {
  test.each([204, 202])('%i is a success', async (status) => {
    const server = await scriptedServer(answering(status, {}, ''));

    expect(await testClient(server.url).delete('x', nothing)).toMatchObject({ status, data: undefined });
  });

  test('304 is one only where it was expected', async () => {
    const server = await scriptedServer(answering(304));
    const client = testClient(server.url);

    expect(await client.postJson('x', {}, nothing, { acceptsNotModified: true })).toMatchObject({
      status: 304,
    });
    expect((await failureOf(client.postJson('x', {}, nothing))).code).toBe('unexpected-response');
  });

  test.each([200, 201])('%i is no answer', async (status) => {
    const server = await scriptedServer(answering(status, {}, ''));

    expect((await failureOf(testClient(server.url).delete('x', z.unknown()))).code).toBe(
      'unexpected-response',
    );
  });
});

describe('a write', () => {
  const faults: Array<[string, Script]> = [
    ['a reset', ({ stream }) => void stream.socket.resetAndDestroy()],
    ['a 500', answering(500)],
    ['a 503 that names a time', answering(503, { 'retry-after': '0' })],
    ['a 429', answering(429, { 'retry-after': '1' })],
    ['a redirect', answering(307, { location: '/api/v4/again' })],
    ['a moved project', answering(301, { location: '/api/v4/projects/7' })],
    ['silence', () => undefined],
  ];
  for (const [method, write] of writes) {
    test.each(faults)(`(${method}) is sent once, whatever comes back: %s`, async (_, script) => {
      const server = await scriptedServer(script);

      await failureOf(write(testClient(server.url, { limits: { responseTimeoutMs: 50 } })));

      expect(server.requests.map((request) => request.method)).toEqual([method]);
    });
  }

  test('that may take so long only ends then, also when the answer drips', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.response.writeHead(200, { 'content-type': 'application/json' });
      reply.response.write('{');
    });

    const failure = await failureOf(testClient(server.url).postJson('x', {}, z.unknown(), { limitMs: 60 }));

    expect(failure).toMatchObject({ code: 'timeout' });
    expect(server.requests).toHaveLength(1);
  });

  test('sends what it was given, and a DELETE no body', async () => {
    const bodies: string[] = [];
    const server = await scriptedServer(async (request, reply) => {
      bodies.push(`${request.headers['content-type'] ?? '-'} ${(await request.body()).toString()}`);
      reply.json(200, {});
    });
    const client = testClient(server.url);
    for (const [, write] of writes) await write(client);

    expect(bodies).toEqual(['application/json {"a":1}', 'application/json {"a":1}', '- ']);
  });
});

describe('every sent write is reported', () => {
  test.each(writes)('with the status of the answer: %s', async (method, write) => {
    const server = await scriptedServer(answering(403));
    const { client, wrote } = audited(`${server.url}/gitlab`);

    await failureOf(write(client));

    expect(wrote).toEqual([{ method, path: '/projects/1/x', status: 403 }]);
  });

  test.each(writes)('without one where none came: %s', async (method, write) => {
    const server = await scriptedServer(({ stream }) => void stream.socket.resetAndDestroy());
    const { client, wrote } = audited(server.url);

    expect((await failureOf(write(client))).details['left']).toBe(true);

    expect(wrote).toEqual([{ method, path: '/projects/1/x', status: null }]);
  });

  test('but not what never left: no listener, an untrusted certificate, a proxy that refuses, no token', async () => {
    const closed = await scriptedServer(answering(200), { certificate: 'self-signed' });
    const proxy = await testProxy(closed.port, { refuse: 407 });
    const clients = [
      audited('http://127.0.0.1:1'),
      audited(closed.url),
      audited('https://gitlab.invalid', { proxy: proxy.url }),
      audited(closed.url, { token: () => Promise.reject(new Error('locked')) }),
    ];
    for (const { client } of clients) {
      for (const [, write] of writes) await write(client).catch(() => undefined);
    }

    expect(closed.requests).toHaveLength(0);
    expect(clients.map(({ wrote }) => wrote)).toEqual([[], [], [], []]);
  });

  test('over TLS and through a proxy too', async () => {
    const server = await scriptedServer(answering(200), { certificate: 'trusted', host: 'localhost' });
    const proxy = await testProxy(server.port);
    const caFile = certificateFile('authority');
    const direct = audited(server.url, { caFile });
    // The certificate names another host, so the tunnel is established and the handshake fails.
    const tunnel = audited('https://gitlab.invalid', { caFile, proxy: proxy.url });
    for (const [, write] of writes) {
      await write(direct.client);
      await failureOf(write(tunnel.client));
    }

    expect(direct.wrote.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(tunnel.wrote).toEqual([]);
  });

  test('and reading is not', async () => {
    const server = await scriptedServer(answering(200));
    const { client, wrote } = audited(server.url);

    await client.getJson('x', z.unknown());

    expect(wrote).toEqual([]);
  });
});

describe('before anything is sent', () => {
  test.each(writes)('a read-only instance refuses a %s', async (_, write) => {
    const server = await scriptedServer(answering(200));
    let readOnly = true;
    const { client, wrote } = audited(server.url, { mayWrite: () => !readOnly });

    expect((await failureOf(write(client))).code).toBe('instance-read-only');
    expect(server.requests).toHaveLength(0);
    await client.getJson('x', z.unknown());
    readOnly = false;
    await write(client);

    expect(wrote).toHaveLength(1);
  });

  test('an anonymous instance refuses writes and what needs an account, and reads without a token', async () => {
    const server = await scriptedServer(answering(200));
    const { client } = audited(server.url, { token: null });

    for (const [, write] of writes) expect((await failureOf(write(client))).code).toBe('sign-in-needed');
    const own = await failureOf(client.getJson('user', z.unknown(), { requiresAccount: true }));
    await client.getJson('projects', z.unknown());

    expect(own.code).toBe('sign-in-needed');
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/v4/projects']);
    expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/private-token|authorization/);
  });

  test('a server that is too old is recognised, with both releases', async () => {
    const server = await scriptedServer(answering(200));
    const client = testClient(server.url, { version: () => '16.11.2-ee' });

    const failure = await failureOf(client.getJson('x', z.unknown(), { needs: ['upload-list'] }));

    expect(failure).toMatchObject({
      code: 'server-too-old',
      message: 'Listing uploads needs GitLab 17.2; this is 16.11.',
      details: { needs: '17.2', have: '16.11' },
    });
    expect(server.requests).toHaveLength(0);
    await client.getJson('x', z.unknown(), { needs: ['relation-import'] });
  });

  test.each([
    ['an address the API does not have', { error: '404 Not Found' }, null, 'server-too-old'],
    ['a missing project', { message: '404 Project Not Found' }, null, 'project-missing'],
    ['something missing', { message: '404 Not found' }, null, 'not-found'],
    ['an address that a new server switched off', { error: '404 Not Found' }, '18.0.0', 'not-found'],
  ])('a 404 of a server of unknown age may mean its age: %s', async (_, body, version, code) => {
    const server = await scriptedServer(answering(404, {}, JSON.stringify(body)));
    const client = testClient(server.url, { version: () => version });

    const failure = await failureOf(client.getJson('x', z.unknown(), { needs: ['upload-list'] }));

    expect(failure.code).toBe(code);
  });
});

test('the secrets of a call are in no error, whatever server echoes them', async () => {
  const server = await scriptedServer((_, reply) => {
    reply.json(400, { message: `bad url https://s3.example/a?sig=s3cr3t-signature, key s3cr3t-key` });
  });
  const client = testClient(server.url);

  const failure = await failureOf(
    client.postJson('x', {}, z.unknown(), { secrets: ['s3cr3t-signature', 's3cr3t-key', ''] }),
  );

  expect(JSON.stringify(failure.toData())).not.toMatch(/s3cr3t/);
  expect(failure.details['serverMessage']).toBe('bad url https://s3.example/a?*** key ***');
});
