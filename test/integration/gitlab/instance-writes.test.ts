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
function auditedClient(url: string, options: Partial<InstanceClientOptions> = {}) {
  const reported: SentWrite[] = [];
  return { reported, client: testClient(url, { onWrite: (write) => reported.push(write), ...options }) };
}

const respondWith =
  (status: number, headers = {}, body = '{}'): Script =>
  (_, reply) => {
    reply.send(status, { 'content-type': 'application/json', ...headers }, body);
  };

describe('a response without a body', () => {
  test.each([204, 202])('with status %i is a success', async (status) => {
    const server = await scriptedServer(respondWith(status, {}, ''));

    expect(await testClient(server.url).delete('x', nothing)).toMatchObject({ status, data: undefined });
  });

  test('with status 304 is a success only if the caller accepts it', async () => {
    const server = await scriptedServer(respondWith(304));
    const client = testClient(server.url);

    expect(await client.postJson('x', {}, nothing, { acceptsNotModified: true })).toMatchObject({
      status: 304,
    });
    expect((await failureOf(client.postJson('x', {}, nothing))).code).toBe('unexpected-response');
  });

  test.each([200, 201])('with status %i is unexpected', async (status) => {
    const server = await scriptedServer(respondWith(status, {}, ''));

    expect((await failureOf(testClient(server.url).delete('x', z.unknown()))).code).toBe(
      'unexpected-response',
    );
  });
});

describe('a write', () => {
  const faults: Array<[string, Script]> = [
    ['a reset', ({ stream }) => void stream.socket.resetAndDestroy()],
    ['a 500', respondWith(500)],
    ['a 503 with Retry-After', respondWith(503, { 'retry-after': '0' })],
    ['a 429', respondWith(429, { 'retry-after': '1' })],
    ['a redirect', respondWith(307, { location: '/api/v4/again' })],
    ['a moved project', respondWith(301, { location: '/api/v4/projects/7' })],
    ['no reply', () => undefined],
  ];
  for (const [method, write] of writes) {
    test.each(faults)(`(${method}) is sent once, whatever the reply: %s`, async (_, script) => {
      const server = await scriptedServer(script);

      await failureOf(write(testClient(server.url, { limits: { responseTimeoutMs: 50 } })));

      expect(server.requests.map((request) => request.method)).toEqual([method]);
    });
  }

  test('with a time limit ends at that limit, even if the response has started', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.response.writeHead(200, { 'content-type': 'application/json' });
      reply.response.write('{');
    });

    const failure = await failureOf(testClient(server.url).postJson('x', {}, z.unknown(), { timeoutMs: 60 }));

    expect(failure).toMatchObject({ code: 'timeout' });
    expect(server.requests).toHaveLength(1);
  });

  test('sends the given body, and a DELETE sends none', async () => {
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
  test.each(writes)('with the status of the response: %s', async (method, write) => {
    const server = await scriptedServer(respondWith(403));
    const { client, reported } = auditedClient(`${server.url}/gitlab`);

    await failureOf(write(client));

    expect(reported).toEqual([{ method, path: '/projects/1/x', status: 403 }]);
  });

  test.each(writes)('without a status if no response arrived: %s', async (method, write) => {
    const server = await scriptedServer(({ stream }) => void stream.socket.resetAndDestroy());
    const { client, reported } = auditedClient(server.url);

    expect((await failureOf(write(client))).details['left']).toBe(true);

    expect(reported).toEqual([{ method, path: '/projects/1/x', status: null }]);
  });

  test('but not one that was never sent: no listener, an untrusted certificate, a proxy that refuses, no token', async () => {
    const closed = await scriptedServer(respondWith(200), { certificate: 'self-signed' });
    const proxy = await testProxy(closed.port, { refuse: 407 });
    const clients = [
      auditedClient('http://127.0.0.1:1'),
      auditedClient(closed.url),
      auditedClient('https://gitlab.invalid', { proxy: proxy.url }),
      auditedClient(closed.url, { token: () => Promise.reject(new Error('locked')) }),
    ];
    for (const { client } of clients) {
      for (const [, write] of writes) await write(client).catch(() => undefined);
    }

    expect(closed.requests).toHaveLength(0);
    expect(clients.map(({ reported }) => reported)).toEqual([[], [], [], []]);
  });

  test('over TLS and through a proxy too, but not if the handshake through the proxy fails', async () => {
    const server = await scriptedServer(respondWith(200), { certificate: 'trusted', host: 'localhost' });
    const remote = await scriptedServer(respondWith(200), { certificate: 'wrong-host' });
    const proxy = await testProxy(remote.port);
    const caFile = certificateFile('authority');
    const direct = auditedClient(server.url, { caFile });
    const proxied = auditedClient('https://example.org', { caFile, proxy: proxy.url });
    // The certificate names example.org, so the tunnel is established and the handshake fails.
    const tunnel = auditedClient('https://gitlab.invalid', { caFile, proxy: proxy.url });
    for (const [, write] of writes) {
      await write(direct.client);
      await write(proxied.client);
      await failureOf(write(tunnel.client));
    }

    for (const { reported } of [direct, proxied]) {
      expect(reported.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect(remote.requests.map(({ method }) => method)).toEqual(['POST', 'PUT', 'DELETE']);
    expect(tunnel.reported).toEqual([]);
  });

  test('but a read is not', async () => {
    const server = await scriptedServer(respondWith(200));
    const { client, reported } = auditedClient(server.url);

    await client.getJson('x', z.unknown());

    expect(reported).toEqual([]);
  });
});

describe('before anything is sent', () => {
  test.each(writes)('a read-only instance rejects a %s', async (_, write) => {
    const server = await scriptedServer(respondWith(200));
    let readOnly = true;
    const { client, reported } = auditedClient(server.url, { mayWrite: () => !readOnly });

    expect((await failureOf(write(client))).code).toBe('instance-read-only');
    expect(server.requests).toHaveLength(0);
    await client.getJson('x', z.unknown());
    readOnly = false;
    await write(client);

    expect(reported).toHaveLength(1);
  });

  test('an anonymous instance rejects writes and calls that need an account, and reads without a token', async () => {
    const server = await scriptedServer(respondWith(200));
    const { client } = auditedClient(server.url, { token: null });

    for (const [, write] of writes) expect((await failureOf(write(client))).code).toBe('sign-in-needed');
    const own = await failureOf(client.getJson('user', z.unknown(), { requiresAccount: true }));
    await client.getJson('projects', z.unknown());

    expect(own.code).toBe('sign-in-needed');
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/v4/projects']);
    expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/private-token|authorization/);
  });

  test('a server that is too old is detected, and the error names both releases', async () => {
    const server = await scriptedServer(respondWith(200));
    const client = testClient(server.url, { version: () => '16.11.2-ee' });

    const failure = await failureOf(client.getJson('x', z.unknown(), { needs: ['upload-list'] }));

    expect(failure).toMatchObject({
      code: 'server-too-old',
      message: 'Listing uploads needs GitLab 17.2; this instance has GitLab 16.11.',
      details: { needs: '17.2', have: '16.11' },
    });
    expect(server.requests).toHaveLength(0);
    await client.getJson('x', z.unknown(), { needs: ['relation-import'] });
  });

  test.each([
    ['an endpoint that the API does not have', { error: '404 Not Found' }, null, 'server-too-old'],
    ['a missing project', { message: '404 Project Not Found' }, null, 'project-missing'],
    ['a missing record', { message: '404 Not found' }, null, 'not-found'],
    ['an endpoint that a new server disabled', { error: '404 Not Found' }, '18.0.0', 'not-found'],
  ])(
    'a 404 of a server of unknown version may mean that it is too old: %s',
    async (_, body, version, code) => {
      const server = await scriptedServer(respondWith(404, {}, JSON.stringify(body)));
      const client = testClient(server.url, { version: () => version });

      const failure = await failureOf(client.getJson('x', z.unknown(), { needs: ['upload-list'] }));

      expect(failure.code).toBe(code);
    },
  );
});

test('the secrets of a call are in no error, even if the server echoes them', async () => {
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
