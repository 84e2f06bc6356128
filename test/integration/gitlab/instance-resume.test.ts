import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { downloadExport } from '../../../src-main/gitlab/transfers/exports.ts';
import type { DownloadInterruption } from '../../../src-main/gitlab/transfers/transfers.ts';
import { failureOf, secret, testClient } from '../../support/servers/instance-client.ts';
import { type Reply, type Script, scriptedServer } from '../../support/servers/scripted-server.ts';

const bytesOf = (seed: number) =>
  Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7 + seed) % 256));
const file = bytesOf(0);
const other = bytesOf(1);
const written = 'Fri, 20 Nov 2026 10:00:00 GMT';
const later = 'Fri, 20 Nov 2026 10:05:00 GMT';
const about = { 'last-modified': written, date: 'Fri, 20 Nov 2026 10:00:30 GMT' };

/** Sends the body up to a position and breaks the connection there; without a position, sends all of it. */
function send(
  { response }: Reply,
  status: number,
  headers: OutgoingHttpHeaders,
  body: Buffer,
  upTo?: number,
): void {
  const all = Object.entries({ ...about, 'content-length': body.length, ...headers });
  // An undefined header is not sent.
  response.writeHead(status, Object.fromEntries(all.filter(([, value]) => value !== undefined)));
  if (upTo === undefined) response.end(body);
  else if (upTo === 0) response.flushHeaders();
  else response.write(body.subarray(0, upTo));
  if (upTo !== undefined) setImmediate(() => response.destroy());
}

const rest = (reply: Reply, from: number, upTo?: number, body = file, headers: OutgoingHttpHeaders = {}) => {
  const range = `bytes ${from}-${body.length - 1}/${body.length}`;
  send(reply, 206, { 'content-range': range, ...headers }, body.subarray(from), upTo);
};

/** Serves one reply after another; the last one is repeated. */
const inOrder = (...answers: Array<(reply: Reply, from: number) => void>): Script => {
  let next = 0;
  return ({ headers }, reply) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    answers[Math.min(next++, answers.length - 1)]?.(reply, from);
  };
};

/** Downloads like a job: a new start drops the earlier bytes. */
function startDownload(
  url: string,
  pause: (cut: DownloadInterruption) => Promise<void> = () => Promise.resolve(),
) {
  const cuts: DownloadInterruption[] = [];
  const seen = { starts: 0, bytes: Buffer.alloc(0), cuts };
  const work = downloadExport(testClient(url), 5, {
    onStart: () => {
      seen.starts += 1;
      seen.bytes = Buffer.alloc(0);
    },
    onChunk: (chunk) => {
      seen.bytes = Buffer.concat([seen.bytes, chunk]);
      return Promise.resolve();
    },
    beforeResume: async (cut) => {
      cuts.push(cut);
      await pause(cut);
    },
  });
  return { work, seen };
}

const ranges = (server: { requests: { headers: { range?: string | undefined } }[] }) =>
  server.requests.map(({ headers }) => headers.range);

describe('an interrupted download', () => {
  test('resumes where it stopped, and passes on every byte once', async () => {
    const server = await scriptedServer(
      inOrder(
        (reply) => {
          send(reply, 200, {}, file, 1000);
        },
        (reply, from) => {
          rest(reply, from, 500);
        },
        (reply, from) => {
          rest(reply, from);
        },
      ),
    );
    const { work, seen } = startDownload(server.url);

    expect(await work).toMatchObject({ bytes: 3000, complete: true });
    expect(seen).toMatchObject({ starts: 1, bytes: file });
    expect(ranges(server)).toEqual([undefined, 'bytes=1000-', 'bytes=1500-']);
    expect(server.requests[1]?.headers).toMatchObject({ 'if-range': written, 'private-token': secret });
    expect(seen.cuts).toMatchObject([
      { bytes: 1000, emptyResumes: 0, contactsInstance: true, error: { code: 'connection-lost' } },
      { bytes: 1500, emptyResumes: 0 },
    ]);
  });

  const withoutValidator: Array<[string, OutgoingHttpHeaders]> = [
    ['without Last-Modified', { 'last-modified': undefined }],
    ['that was written a second ago', { date: 'Fri, 20 Nov 2026 10:00:01 GMT' }],
    ['without Content-Length', { 'content-length': undefined }],
  ];
  test.each(withoutValidator)(
    'fails for a file %s, because another file could not be detected',
    async (_, headers) => {
      const server = await scriptedServer((__, reply) => {
        send(reply, 200, headers, file, 1000);
      });
      const { work, seen } = startDownload(server.url);

      expect(await failureOf(work)).toMatchObject({ code: 'connection-lost', retry: 'later' });
      expect(server.requests).toHaveLength(1);
      expect(seen.cuts).toEqual([]);
    },
  );

  test('fails before its first byte, as there is nothing to resume', async () => {
    const server = await scriptedServer((_, reply) => {
      send(reply, 200, {}, file, 0);
    });

    expect((await failureOf(startDownload(server.url).work)).code).toBe('connection-lost');
    expect(server.requests).toHaveLength(1);
  });

  test('fails if the caller does not allow resuming', async () => {
    const server = await scriptedServer((_, reply) => {
      send(reply, 200, {}, file, 1000);
    });
    const work = downloadExport(testClient(server.url), 5, { onChunk: () => Promise.resolve() });

    expect((await failureOf(work)).code).toBe('connection-lost');
    expect(server.requests).toHaveLength(1);
  });

  test('can be cancelled instead of resumed', async () => {
    const server = await scriptedServer((_, reply) => {
      send(reply, 200, {}, file, 1000);
    });
    const enough = new AppError('cancelled', 'Enough.');

    expect(await failureOf(startDownload(server.url, () => Promise.reject(enough)).work)).toBe(enough);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a file that was replaced in the meantime', () => {
  test('is sent whole in reply to the range request, and is downloaded from its beginning', async () => {
    const server = await scriptedServer(
      inOrder(
        (reply) => {
          send(reply, 200, {}, file, 1000);
        },
        (reply) => {
          send(reply, 200, { 'last-modified': later, date: 'Fri, 20 Nov 2026 10:06:00 GMT' }, other, 1200);
        },
        (reply, from) => {
          rest(reply, from, undefined, other, { 'last-modified': later });
        },
      ),
    );
    const { work, seen } = startDownload(server.url);
    await work;

    expect(seen).toMatchObject({ starts: 2, bytes: other });
    expect(server.requests.map(({ headers }) => headers['if-range'])).toEqual([undefined, written, later]);
  });

  const mismatches: Array<[string, OutgoingHttpHeaders]> = [
    ['a newer time', { 'last-modified': later }],
    ['no time', { 'last-modified': undefined }],
    ['another length', { 'content-range': 'bytes 1000-2999/3001' }],
    ['another start position', { 'content-range': 'bytes 999-2998/3000' }],
    ['no Content-Range', { 'content-range': undefined }],
    ['an ETag', { etag: '"x"' }],
  ];
  test.each(mismatches)(
    'is downloaded from its beginning if the received part has %s',
    async (_, headers) => {
      const server = await scriptedServer(
        inOrder(
          (reply) => {
            send(reply, 200, {}, file, 1000);
          },
          (reply) => {
            rest(reply, 1000, undefined, other, headers);
          },
          (reply) => {
            send(reply, 200, { 'last-modified': later }, other);
          },
        ),
      );
      const { work, seen } = startDownload(server.url);
      await work;

      expect(seen).toMatchObject({ starts: 2, bytes: other });
      expect(ranges(server)).toEqual([undefined, 'bytes=1000-', undefined]);
      expect(seen.cuts.at(-1)).toMatchObject({ bytes: 0, contactsInstance: true });
    },
  );

  test.each([
    ['416: the range does not exist', 416, 'connection-lost', 'later'],
    ['404: the file is gone', 404, 'export-gone', 'never'],
    ['401: the token is no longer valid', 401, 'token-invalid', 'never'],
  ])('ends the download on %s', async (_, status, code, retry) => {
    const server = await scriptedServer(
      inOrder(
        (reply) => {
          send(reply, 200, {}, file, 1000);
        },
        (reply) => {
          reply.json(status, { message: `${status} no` });
        },
      ),
    );

    expect(await failureOf(startDownload(server.url).work)).toMatchObject({ code, retry });
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['a web page', 206, { 'content-type': 'text/html' }, 'not-gitlab'],
    ['compressed again', 206, { 'content-encoding': 'gzip' }, 'unexpected-response'],
  ])('ends the download on a part that is %s', async (_, status, headers, code) => {
    const server = await scriptedServer(
      inOrder(
        (reply) => {
          send(reply, 200, {}, file, 1000);
        },
        (reply) => {
          send(reply, status, { 'content-range': 'bytes 1000-2999/3000', ...headers }, file.subarray(1000));
        },
      ),
    );
    const { work, seen } = startDownload(server.url);

    expect((await failureOf(work)).code).toBe(code);
    expect(seen.bytes).toEqual(file.subarray(0, 1000));
  });

  test('is not read beyond its length', async () => {
    const server = await scriptedServer(
      inOrder(
        (reply) => {
          send(reply, 200, {}, file, 1000);
        },
        ({ response }) => {
          response.writeHead(206, { ...about, 'content-range': 'bytes 1000-2999/3000' });
          response.end(file);
        },
      ),
    );

    expect((await failureOf(startDownload(server.url).work)).code).toBe('unexpected-response');
  });
});

describe('a server that does not recover', () => {
  test.each<[string, (reply: Reply) => void]>([
    [
      'breaks the connection',
      ({ response }) => {
        response.destroy();
      },
    ],
    [
      'is not ready',
      (reply) => {
        reply.send(502, { 'content-type': 'text/html' }, '<html>502</html>');
      },
    ],
    [
      'asks to slow down',
      (reply) => {
        reply.json(429, { message: 'x' }, { 'retry-after': '7' });
      },
    ],
  ])('and %s is retried three times; a download survives two failures', async (_, failing) => {
    const begin = (reply: Reply) => {
      send(reply, 200, {}, file, 1000);
    };
    const brokenServer = await scriptedServer(inOrder(begin, failing));
    const failed = startDownload(brokenServer.url);
    await failureOf(failed.work);
    expect(brokenServer.requests).toHaveLength(4);
    expect(failed.seen.cuts.map(({ emptyResumes }) => emptyResumes)).toEqual([0, 1, 2]);

    const recoveredServer = await scriptedServer(
      inOrder(begin, failing, failing, (reply, from) => {
        rest(reply, from);
      }),
    );
    const { work, seen } = startDownload(recoveredServer.url);
    await work;
    expect(seen).toMatchObject({ starts: 1, bytes: file });
  });

  test('and sends the same beginning each time is given up after the same three retries', async () => {
    const server = await scriptedServer((_, reply) => {
      send(reply, 200, {}, file, 1000);
    });

    expect((await failureOf(startDownload(server.url).work)).code).toBe('connection-lost');
    expect(server.requests).toHaveLength(4);
  });

  test('and sends a few bytes each time is given up after twenty retries', async () => {
    const server = await scriptedServer(({ headers }, reply) => {
      if (headers.range === undefined) send(reply, 200, {}, file, 10);
      else rest(reply, Number(/\d+/.exec(headers.range)?.[0]), 10);
    });
    const { work, seen } = startDownload(server.url);

    expect((await failureOf(work)).code).toBe('connection-lost');
    expect(server.requests).toHaveLength(21);
    expect(seen.bytes).toEqual(file.subarray(0, 210));
  });
});

describe('a presigned URL', () => {
  /** Opens an instance that redirects downloads to a storage with this script. */
  async function openStorage(script: Script) {
    const storage = await scriptedServer(script);
    const instance = await scriptedServer((_, { response }) => {
      response.writeHead(302, { location: `${storage.url}/exports/1?X-Amz-Signature=0123456789abcdef` });
      response.end();
    });
    return { storage, instance };
  }

  test('is requested again at once to resume, without a request to the instance and without the token', async () => {
    const { storage, instance } = await openStorage(
      inOrder(
        (reply) => {
          send(reply, 200, { etag: '"x"' }, file, 1000);
        },
        (reply, from) => {
          rest(reply, from, undefined, file, { etag: '"x"' });
        },
      ),
    );
    const { work, seen } = startDownload(instance.url);
    await work;

    expect(seen).toMatchObject({ starts: 1, bytes: file, cuts: [{ contactsInstance: false }] });
    expect(instance.requests).toHaveLength(1);
    expect(storage.requests.map(({ query }) => query.get('X-Amz-Signature'))).toEqual([
      '0123456789abcdef',
      '0123456789abcdef',
    ]);
    expect(JSON.stringify(storage.requests.map(({ headers }) => headers))).not.toContain(secret);
    expect(JSON.stringify(seen.cuts)).not.toContain('0123456789abcdef');
  });

  test.each<[string, (reply: Reply) => void]>([
    [
      'that has expired',
      (reply) => {
        reply.send(403, { 'content-type': 'application/xml' }, '<Error><Code>AccessDenied</Code></Error>');
      },
    ],
    [
      'that does not respond',
      ({ response }) => {
        response.destroy();
      },
    ],
  ])('%s is replaced by a new one from the instance', async (_, failing) => {
    const { storage, instance } = await openStorage(
      inOrder(
        (reply) => {
          send(reply, 200, {}, file, 1000);
        },
        failing,
        (reply, from) => {
          rest(reply, from);
        },
      ),
    );
    const { work, seen } = startDownload(instance.url);
    await work;

    expect(seen).toMatchObject({ starts: 1, bytes: file });
    expect(seen.cuts.map(({ contactsInstance }) => contactsInstance)).toEqual([false, true]);
    expect(instance.requests).toHaveLength(2);
    expect(ranges(storage)).toEqual([undefined, 'bytes=1000-', 'bytes=1000-']);
  });
});
