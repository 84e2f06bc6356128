import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { downloadExport } from '../../../src-main/gitlab/transfers/exports.ts';
import { serverVersion } from '../../../src-main/gitlab/instances/server.ts';
import { failureOf, testClient } from '../../support/servers/instance-client.ts';
import { type Reply, type Script, scriptedServer } from '../../support/servers/scripted-server.ts';

const file = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7) % 256));

/** Downloads from a server with this script; keeps the received bytes even if the download fails. */
async function startDownload(script: Script, limits = {}) {
  const server = await scriptedServer(script);
  const client = testClient(server.url, { limits });
  const chunks: Uint8Array[] = [];
  const work = downloadExport(client, 5, {
    onChunk: (chunk) => {
      chunks.push(Buffer.from(chunk));
      return Promise.resolve();
    },
  });
  return { server, work, received: () => Buffer.concat(chunks) };
}

describe('a download', () => {
  test('passes on every byte, and reports when the server wrote the file', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.send(
        200,
        {
          'content-type': 'application/octet-stream',
          'content-length': file.length,
          'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT',
          date: 'Fri, 20 Nov 2026 10:00:30 GMT',
        },
        file,
      );
    });
    const seen: unknown[] = [];

    const result = await downloadExport(testClient(server.url), 5, {
      onStart: (start) => void seen.push(start),
      onChunk: (chunk) => Promise.resolve(void seen.push(Buffer.from(chunk))),
    });

    const lastModified = Date.UTC(2026, 10, 20, 10);
    expect(seen).toEqual([{ totalBytes: 3000, lastModified }, file]);
    expect(result).toEqual({ bytes: 3000, lastModified, serverDate: lastModified + 30_000, complete: true });
    expect(server.requests[0]?.path).toBe('/api/v4/projects/5/export/download');
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('stops reading while a chunk is being handled', async () => {
    const size = 64 * 1024 * 1024;
    let sent = 0;
    const server = await scriptedServer((_, { response }) => {
      response.writeHead(200, { 'content-length': size });
      const block = Buffer.alloc(64 * 1024);
      const more = () => {
        while (sent < size) {
          sent += block.length;
          if (!response.write(block)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    let received = 0;
    const sentWhileHeld: number[] = [];

    const { bytes } = await downloadExport(testClient(server.url), 5, {
      onChunk: async (chunk) => {
        received += chunk.byteLength;
        if (sentWhileHeld.length > 0) return;
        // Holds until the server can send no more, because the buffers of the connection are full.
        for (let before = -1; before !== sent;) {
          before = sent;
          for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        }
        sentWhileHeld.push(sent);
      },
    });

    expect(bytes).toBe(size);
    expect(received).toBe(size);
    expect(sentWhileHeld[0]).toBeLessThan(size / 2);
  });

  test('throws an error of its receiver unchanged and closes the connection', async () => {
    const server = await scriptedServer((_, { response }) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write(file);
    });
    const full = new AppError('disk-full', 'full');

    const work = downloadExport(testClient(server.url), 5, { onChunk: () => Promise.reject(full) });

    expect(await failureOf(work)).toBe(full);
    await expect.poll(server.connections).toBe(0);
  });
});

describe('a truncated body', () => {
  const positions = Array.from({ length: 60 }, (_, index) => index * 50);
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n';
  const cuts: Array<[string, (cut: number) => Parameters<Reply['raw']>]> = [
    ['by length, FIN', (cut) => [sized(cut), 'fin']],
    ['by length, RST', (cut) => [sized(cut), 'rst']],
    ['chunked, FIN', (cut) => [chunked(cut), 'fin']],
    ['chunked, RST', (cut) => [chunked(cut), 'rst']],
  ];
  const sized = (cut: number) =>
    Buffer.concat([Buffer.from(`${head}Content-Length: ${file.length}\r\n\r\n`), file.subarray(0, cut)]);
  /** Returns all but the last chunk, cut at any position; a cut at a chunk's edge looks like a proper end. */
  const chunked = (cut: number) => {
    const parts = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)];
    for (let at = 0; at < file.length; at += 500) {
      parts.push(Buffer.from('1f4\r\n'), file.subarray(at, at + 500), Buffer.from('\r\n'));
    }
    return Buffer.concat(parts).subarray(0, (parts[0]?.length ?? 0) + cut);
  };

  test.each(cuts)('(%s) is never complete, wherever it is cut', async (_, answer) => {
    const server = await scriptedServer(({ query, path }, reply) => {
      reply.raw(...answer(Number(query.get('cut') ?? path.split('/')[4])));
    });
    const client = testClient(server.url);
    for (const cut of positions) {
      const failure = await failureOf(downloadExport(client, cut, { onChunk: () => Promise.resolve() }));
      expect(failure.code).toBe('connection-lost');
      expect(failure.retry).toBe('later');
    }
    expect(server.requests).toHaveLength(positions.length);
  });

  test('without a length is passed on as far as it arrived, because only its reader can detect the cut', async () => {
    const { work, received } = await startDownload((_, reply) => {
      reply.raw(
        Buffer.concat([Buffer.from(`${head}Connection: close\r\n\r\n`), file.subarray(0, 1234)]),
        'fin',
      );
    });

    expect((await work).bytes).toBe(1234);
    expect(received()).toEqual(file.subarray(0, 1234));
  });

  test('bytes beyond the announced length are not accepted', async () => {
    const { work, received } = await startDownload((_, reply) => {
      reply.raw(Buffer.concat([Buffer.from(`${head}Content-Length: 100\r\n\r\n`), file]), 'fin');
    });
    await work.catch(() => undefined);

    expect(received().length).toBeLessThanOrEqual(100);
  });
});

describe('a response other than the file', () => {
  test.each([
    [
      'a sign-in page',
      200,
      { 'content-type': 'text/html; charset=utf-8' },
      '<html>Sign in</html>',
      'not-gitlab',
    ],
    ['JSON', 200, { 'content-type': 'application/json' }, '{"message":"x"}', 'unexpected-response'],
    ['no content', 204, {}, '', 'unexpected-response'],
    ['a partial response', 206, { 'content-range': 'bytes 5-9/10' }, 'abcde', 'unexpected-response'],
    ['a page not found', 404, { 'content-type': 'text/html' }, '<html>404</html>', 'not-gitlab'],
    ['a busy gateway', 502, { 'content-type': 'text/html' }, '<html>502</html>', 'server-error'],
    ['additional gzip', 200, { 'content-encoding': 'gzip' }, 'x', 'unexpected-response'],
    ['additional deflate', 200, { 'content-encoding': 'deflate' }, 'x', 'unexpected-response'],
    ['additional br', 200, { 'content-encoding': 'br' }, 'x', 'unexpected-response'],
    ['two layers of gzip', 200, { 'content-encoding': 'gzip, gzip' }, 'x', 'unexpected-response'],
    ['additional x-gzip', 200, { 'content-encoding': 'x-gzip' }, 'x', 'unexpected-response'],
  ])('(%s) is rejected, and none of its bytes are passed on', async (_, status, headers, body, code) => {
    const { work, received } = await startDownload((__, reply) => {
      reply.send(status, headers, body);
    });

    expect((await failureOf(work)).code).toBe(code);
    expect(received()).toHaveLength(0);
  });

  test.each([
    ['404 Not found or has expired', 'never'],
    ['The project export file is not available yet', 'later'],
  ])('about a missing export (%s) fails with export-gone, retry %s', async (message, retry) => {
    const { work } = await startDownload((_, reply) => {
      reply.json(404, { message });
    });

    expect(await failureOf(work)).toMatchObject({ code: 'export-gone', retry });
  });
});

describe('a slow download', () => {
  const rate = { windowMs: 150, minBytes: 1000 };

  test('is aborted when the body stalls', async () => {
    const { work, server } = await startDownload(
      (_, { response }) => {
        response.writeHead(200, { 'content-length': 5000 });
        response.write(file);
      },
      { rate },
    );

    expect(await failureOf(work)).toMatchObject({
      code: 'timeout',
      retry: 'later',
      details: { phase: 'body' },
    });
    await expect.poll(server.connections).toBe(0);
  });

  test('is aborted when the body arrives byte by byte', async () => {
    const { work } = await startDownload(
      (_, { response }) => {
        response.writeHead(200, { 'content-length': 100_000 });
        const drip = setInterval(() => response.write('x'), 10);
        response.on('close', () => {
          clearInterval(drip);
        });
      },
      { rate },
    );

    expect((await failureOf(work)).code).toBe('timeout');
  });

  test('is aborted when the headers never arrive, or never end', async () => {
    const silent = await startDownload(() => undefined, { responseTimeoutMs: 100 });
    const endless = await startDownload(
      (_, reply) => {
        reply.raw('HTTP/1.1 200 OK\r\nX-One: 1\r\n', 'open');
      },
      { responseTimeoutMs: 100 },
    );

    expect(await failureOf(silent.work)).toMatchObject({ code: 'timeout', details: { phase: 'response' } });
    expect((await failureOf(endless.work)).code).toBe('timeout');
  });
});

test('an error response whose body never ends is aborted', async () => {
  const script: Script = (_, { response }) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.write('{"message":');
  };
  const { work, server } = await startDownload(script, { bodyTimeoutMs: 100 });

  expect(await failureOf(work)).toMatchObject({ code: 'timeout', details: { phase: 'body' } });
  await expect.poll(server.connections).toBe(0);
});

test('running downloads do not block other calls', async () => {
  const server = await scriptedServer(({ path }, reply) => {
    if (path.endsWith('/version')) reply.json(200, { version: '18.0.0' });
    else {
      reply.response.writeHead(200, { 'content-length': 1_000_000 });
      reply.response.write(file);
    }
  });
  const client = testClient(server.url);
  const stop = new AbortController();
  const options = { signal: stop.signal, onChunk: () => Promise.resolve() };
  const downloads = Array.from({ length: 10 }, () => failureOf(downloadExport(client, 5, options)));
  await expect.poll(() => server.requests.length).toBe(10);

  expect((await serverVersion(client)).version).toBe('18.0.0');

  stop.abort();
  await Promise.all(downloads);
});

test('a cancelled download closes its connection at once', async () => {
  const server = await scriptedServer((_, { response }) => {
    response.writeHead(200, { 'content-length': 1_000_000 });
    response.write(file);
  });
  const stop = new AbortController();
  const started = performance.now();

  const failure = await failureOf(
    downloadExport(testClient(server.url), 5, {
      signal: stop.signal,
      onChunk: () => {
        stop.abort();
        return Promise.resolve();
      },
    }),
  );

  expect(failure.code).toBe('cancelled');
  await expect.poll(server.connections).toBe(0);
  expect(performance.now() - started).toBeLessThan(500);
});

test('an abort whose reason is an AppError fails with that error', async () => {
  const server = await scriptedServer(() => undefined);
  const stop = new AbortController();
  const reason = new AppError('interrupted', 'quit', { retry: 'later' });
  const work = downloadExport(testClient(server.url), 5, {
    signal: stop.signal,
    onChunk: () => Promise.resolve(),
  });
  await expect.poll(() => server.requests.length).toBe(1);
  stop.abort(reason);

  expect(await failureOf(work)).toBe(reason);
});
