import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';
import { serverVersion } from '../../../src-main/gitlab/instances/server.ts';
import { failureOf, testClient } from '../../support/servers/instance-client.ts';
import { certificateFile, type Script, scriptedServer } from '../../support/servers/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const respond: Script = (_, reply) => {
  reply.json(200, { version: '18.1.1-ee' });
};

describe('certificates', () => {
  test.each([
    ['self-signed', 'self-signed'],
    ['trusted', 'unknown authority'],
  ] as const)(
    'the certificate "%s" is not trusted by itself (%s), and the error has the fingerprint to compare',
    async (certificate, reason) => {
      const server = await scriptedServer(respond, { certificate });

      const failure = await failureOf(serverVersion(testClient(server.url)));

      const { fingerprint256 } = new X509Certificate(readFileSync(certificateFile(certificate)));
      expect(failure).toMatchObject({
        code: 'certificate-untrusted',
        retry: 'never',
        details: { reason, fingerprint: fingerprint256, host: `127.0.0.1:${server.port}` },
      });
      expect(server.requests).toHaveLength(0);
    },
  );

  test.each([
    ['expired', 'expired'],
    ['wrong-host', 'made for another host'],
  ] as const)(
    'the certificate "%s" is rejected even from a trusted authority',
    async (certificate, reason) => {
      const server = await scriptedServer(respond, { certificate });
      const client = testClient(server.url, { caFile: certificateFile('authority') });

      expect(await failureOf(serverVersion(client))).toMatchObject({
        code: 'certificate-untrusted',
        details: { reason, fingerprint: expect.stringMatching(/^[0-9A-F:]{95}$/) as string },
      });
    },
  );

  test("the user's own authority is trusted, by host name and by IP address", async () => {
    for (const host of ['localhost', '127.0.0.1'] as const) {
      const server = await scriptedServer(respond, { certificate: 'trusted', host });
      const client = testClient(server.url, { caFile: certificateFile('authority') });

      expect((await serverVersion(client)).version).toBe('18.1.1-ee');
    }
  });

  test('a server that supports only an old TLS version gets no request', async () => {
    const server = await scriptedServer(respond, { certificate: 'trusted', tls: 'TLSv1.1' });
    const client = testClient(server.url, { caFile: certificateFile('authority') });

    expect((await failureOf(serverVersion(client))).code).toBe('not-gitlab');
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    ['missing', null],
    ['empty', ''],
    ['without a certificate', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
    ['damaged', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])(
    'a CA file that is %s is named in the error, and can be repaired while the app runs',
    async (_, content) => {
      const caFile = join(temporaryFolder(), 'ca.pem');
      if (content !== null) writeFileSync(caFile, content);
      const server = await scriptedServer(respond, { certificate: 'trusted' });
      const client = testClient(server.url, { caFile });

      const failure = await failureOf(serverVersion(client));
      writeFileSync(caFile, readFileSync(certificateFile('authority')));

      expect(failure).toMatchObject({ code: 'ca-file-unusable', details: { path: caFile } });
      expect((await serverVersion(client)).version).toBe('18.1.1-ee');
    },
  );
});

describe('a server', () => {
  /** Opens a listener that is not a web server, and returns its port. */
  async function openListener(greeting: string | null): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      if (greeting !== null) socket.end(greeting);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as { port: number }).port;
  }

  test('that does not listen fails with connection-refused', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));

    const failure = await failureOf(serverVersion(testClient(`http://127.0.0.1:${port}`)));

    expect(failure).toMatchObject({ code: 'connection-refused', retry: 'later' });
  });

  test('with an unknown host name fails with address-unknown', async () => {
    const failure = await failureOf(serverVersion(testClient('http://gitlab.invalid')));

    expect(failure).toMatchObject({ code: 'address-unknown', details: { host: 'gitlab.invalid' } });
  });

  test('that speaks another protocol fails with not-gitlab', async () => {
    const port = await openListener('SSH-2.0-OpenSSH_9.2\r\n');

    expect((await failureOf(serverVersion(testClient(`http://127.0.0.1:${port}`)))).code).toBe('not-gitlab');
  });

  test('that speaks plain http instead of https fails with not-gitlab', async () => {
    const server = await scriptedServer(respond);

    const failure = await failureOf(serverVersion(testClient(server.url.replace('http:', 'https:'))));

    expect(failure.code).toBe('not-gitlab');
    expect(server.requests).toHaveLength(0);
  });

  test('that closes the connection fails with connection-lost', async () => {
    const port = await openListener('');

    expect((await failureOf(serverVersion(testClient(`http://127.0.0.1:${port}`)))).code).toBe(
      'connection-lost',
    );
  });

  test.each([
    ['a web page', 200, 'text/html', '<!DOCTYPE html><title>x</title>'],
    ['a web page that claims to be JSON', 200, 'application/json', '\n<html></html>'],
    ['a 404 page', 404, 'text/html', '<html>404</html>'],
    ["another program's JSON", 200, 'application/json', '{"ok":true}'],
    ["another program's 404", 404, 'application/json', '{"detail":"Not Found"}'],
  ])('that sends %s fails with not-gitlab', async (_, status, type, body) => {
    const server = await scriptedServer((__, reply) => {
      reply.send(status, { 'content-type': type }, body);
    });

    expect((await failureOf(serverVersion(testClient(server.url)))).code).toBe('not-gitlab');
  });

  test('that sends too large headers fails with response-too-large', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, {}, { 'x-large': 'x'.repeat(70_000) });
    });

    expect((await failureOf(serverVersion(testClient(server.url)))).code).toBe('response-too-large');
  });

  test('that never ends the TLS handshake fails with timeout', async () => {
    const port = await openListener(null);
    const client = testClient(`https://127.0.0.1:${port}`, { limits: { handshakeTimeoutMs: 100 } });

    expect(await failureOf(serverVersion(client))).toMatchObject({
      code: 'timeout',
      details: { phase: 'secureConnect' },
    });
  });
});

describe('a kept-alive connection that the server closes during use', () => {
  const seen = new WeakSet();
  /** Replies once per connection, then resets it at the next request. */
  const closing: Script = (request, reply) => {
    const { socket } = request.stream;
    if (seen.has(socket)) socket.resetAndDestroy();
    else void respond(request, reply);
    seen.add(socket);
  };

  test('costs a read only a second connection', async () => {
    const server = await scriptedServer(closing);
    const client = testClient(server.url);

    await serverVersion(client);
    expect((await serverVersion(client)).version).toBe('18.1.1-ee');

    expect(server.requests).toHaveLength(3);
  });

  test('is never used for a request that must not be sent twice', async () => {
    const server = await scriptedServer(closing);
    const client = testClient(server.url);

    await serverVersion(client);
    await client.postJson('projects/1/export', {}, z.unknown());

    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });
});
