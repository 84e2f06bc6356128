import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InstanceClientOptions } from '../../../src-main/gitlab/http/client.ts';
import { importFile, type ImportUpload } from '../../../src-main/gitlab/transfers/imports.ts';
import { type Clock, systemClock } from '../../../src-main/platform/clock.ts';
import { failureOf, testClient } from '../../support/servers/instance-client.ts';
import { type Script, scriptedServer } from '../../support/servers/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const accepted = {
  id: 12,
  path_with_namespace: 'team/app',
  import_status: 'scheduled',
  import_type: 'gitlab_project',
  import_error: null,
  correlation_id: 'abc',
  failed_relations: [],
};

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Creates an archive on disk and its upload options. */
function archive(bytes: Buffer = randomBytes(3_000_000)): ImportUpload & { bytes: Buffer } {
  const path = join(temporaryFolder(), 'a.tar.gz');
  writeFileSync(path, bytes);
  return {
    bytes,
    path,
    expectedSha256: hashOf(bytes),
    sizeBytes: bytes.length,
    fileName: 'a_export.tar.gz',
    namespace: 'team',
    projectPath: 'app',
    overwrite: false,
    overrideParams: {},
  };
}

/** Returns the paths of the files this process holds open; none if the system does not report them. */
function openFiles(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

async function uploadTo(script: Script, upload: ImportUpload, options: Partial<InstanceClientOptions> = {}) {
  const server = await scriptedServer(script);
  return { server, work: importFile(testClient(server.url, options), upload) };
}

/** Parses the form with an independent parser. */
async function parsedForm(contentType: string, body: Buffer): Promise<FormData> {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- not advised for servers, but an independent parser
  return new Response(body, { headers: { 'content-type': contentType } }).formData();
}

describe('an upload', () => {
  test('sends the file and all fields, and announces the exact length', async () => {
    let form: FormData | undefined;
    const upload = { ...archive(), name: 'App', overrideParams: { visibility: 'private' } };
    const sent: number[] = [];
    const { work, server } = await uploadTo(
      async (request, reply) => {
        form = await parsedForm(request.headers['content-type'] ?? '', await request.body());
        reply.json(201, accepted);
      },
      { ...upload, onProgress: (bytes) => sent.push(bytes) },
    );

    expect(await work).toMatchObject({
      projectId: 12,
      fullPath: 'team/app',
      state: 'scheduled',
      failures: [],
    });
    const file = form?.get('file') as File;
    expect(hashOf(new Uint8Array(await file.arrayBuffer()))).toBe(upload.expectedSha256);
    expect(file.name).toBe('a_export.tar.gz');
    expect([...(form ?? [])].filter(([name]) => name !== 'file')).toEqual([
      ['path', 'app'],
      ['namespace', 'team'],
      ['overwrite', 'false'],
      ['override_params[visibility]', 'private'],
      ['name', 'App'],
    ]);
    expect(sent.at(-1)).toBe(Number(server.requests[0]?.headers['content-length']));
  });

  test.each([
    ['quotes', 'a "b" c.tar.gz'],
    ['line breaks', 'a\r\nX-Injected: yes\r\n\r\nb.gz'],
    ['characters of all kinds', 'größe 日本 🐎.gz'],
    ['a backslash', 'a\\b.gz'],
  ])('sends %s in names unchanged, and they end no part of the form', async (_, name) => {
    let form: FormData | undefined;
    const { work } = await uploadTo(
      async (request, reply) => {
        form = await parsedForm(request.headers['content-type'] ?? '', await request.body());
        reply.json(201, accepted);
      },
      { ...archive(Buffer.from('x')), fileName: name, overrideParams: { [name]: name } },
    );
    await work;

    expect((form?.get('file') as File).name).toBe(name);
    expect(form?.get(`override_params[${name}]`)).toBe(name);
    expect([...(form ?? [])]).toHaveLength(5);
  });

  test.each([
    ['an early 413', 413, 'text/plain', 'Request Entity Too Large', 'upload-too-large'],
    ['an early 413 of a proxy', 413, 'text/html', '<html>413</html>', 'upload-too-large'],
    ['an early 401', 401, 'application/json', '{"message":"401 Unauthorized"}', 'token-invalid'],
    ['an early 403', 403, 'application/json', '{"message":"403 Forbidden"}', 'import-disabled'],
  ])('reads %s while the body is still being sent', async (_, status, type, body, code) => {
    const { work } = await uploadTo(
      (request, reply) => {
        request.stream.once('data', () => {
          reply.send(status, { 'content-type': type }, body);
          request.stream.resume();
        });
      },
      archive(randomBytes(30_000_000)),
    );

    const failure = await failureOf(work);

    expect(failure.code).toBe(code);
    expect(failure.details['sentAll']).toBe(false);
  });

  test('reports a connection that breaks half-way as lost, and that the body was incomplete', async () => {
    const { work, server } = await uploadTo(
      (request) => {
        request.stream.once('data', () => {
          request.stream.socket.resetAndDestroy();
        });
      },
      archive(randomBytes(30_000_000)),
    );

    expect(await failureOf(work)).toMatchObject({ code: 'connection-lost', details: { sentAll: false } });
    expect(server.requests).toHaveLength(1);
  });

  test('reports that the body was complete if the response is lost, because the server may have acted on it', async () => {
    const { work, server } = await uploadTo(async (request) => {
      await request.body();
      request.stream.socket.resetAndDestroy();
    }, archive());

    expect(await failureOf(work)).toMatchObject({ code: 'connection-lost', details: { sentAll: true } });
    expect(server.requests).toHaveLength(1);
  });

  test('times out if the server stops reading', async () => {
    const { work } = await uploadTo(
      (request) => {
        request.stream.pause();
      },
      archive(randomBytes(30_000_000)),
      { limits: { rate: { windowMs: 150, minBytes: 1000 } } },
    );

    expect(await failureOf(work)).toMatchObject({
      code: 'timeout',
      details: { phase: 'send', sentAll: false, project: 'team/app' },
    });
  });

  test('waits for a server that takes long to process a complete body', async () => {
    const { work } = await uploadTo(
      async (request, reply) => {
        await request.body();
        setTimeout(() => {
          reply.json(201, accepted);
        }, 1200);
      },
      archive(),
      { limits: { rate: { windowMs: 500, minBytes: 1000 }, responseTimeoutMs: 500 } },
    );

    expect((await work).state).toBe('scheduled');
  });
});

describe('an archive that changed', () => {
  // Larger than the buffers of a connection.
  const large = Buffer.alloc(20_000_001, 'packhorse');

  test.each<[name: string, change: (path: string) => void, bytes?: Buffer]>([
    [
      'changed in one byte near its end',
      (path: string) => {
        const other = Buffer.from(large);
        other[19_999_999] = 1;
        writeFileSync(path, other);
      },
      large,
    ],
    [
      'changed',
      (path: string) => {
        writeFileSync(path, randomBytes(3_000_000));
      },
    ],
    [
      'grown',
      (path: string) => {
        appendFileSync(path, 'x');
      },
    ],
    [
      'shrunk',
      (path: string) => {
        truncateSync(path, 2_999_999);
      },
    ],
    [
      'emptied',
      (path: string) => {
        truncateSync(path, 0);
      },
    ],
  ])('(%s) never reaches the server as a complete body', async (_, change, bytes) => {
    let complete = false;
    const upload = archive(bytes);
    change(upload.path);
    const { work } = await uploadTo(async (request, reply) => {
      await request.body();
      complete = true;
      reply.json(201, accepted);
    }, upload);

    expect(await failureOf(work)).toMatchObject({ code: 'archive-changed', details: { sentAll: false } });
    expect(complete).toBe(false);
  });

  test('a large archive that did not change arrives byte for byte', async () => {
    let sha256 = '';
    const { work } = await uploadTo(async (request, reply) => {
      const body = await request.body();
      const begins = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4;
      sha256 = hashOf(body.subarray(begins, begins + large.length));
      reply.json(201, accepted);
    }, archive(large));
    await work;
    expect(sha256).toBe(hashOf(large));
  });

  test('a missing archive sends no request that could start an import', async () => {
    let complete = false;
    const { work } = await uploadTo(
      async (request, reply) => {
        await request.body();
        complete = true;
        reply.json(201, accepted);
      },
      { ...archive(), path: '/nowhere/a.tar.gz' },
    );

    expect(await failureOf(work)).toMatchObject({ code: 'archive-missing', details: { sentAll: false } });
    expect(complete).toBe(false);
  });
});

test('an unreadable response after a complete upload is not a clear rejection', async () => {
  const { work } = await uploadTo(async (request, reply) => {
    await request.body();
    reply.send(201, { 'content-type': 'application/json' }, '{"id":');
  }, archive());

  expect(await failureOf(work)).toMatchObject({ code: 'unexpected-response', details: { sentAll: true } });
});

test('no file remains open and no timer remains set, however an upload ends', async () => {
  const answers: Script[] = [
    async (request, reply) => {
      await request.body();
      reply.json(201, accepted);
    },
    (request, reply) => {
      request.stream.once('data', () => {
        reply.json(413, {});
      });
    },
    (request) => {
      request.stream.once('data', () => {
        request.stream.socket.resetAndDestroy();
      });
    },
    (request) => {
      request.stream.pause();
    },
  ];
  for (const script of answers) {
    const timers = new Set<object>();
    const clock: Clock = {
      ...systemClock,
      timer: (ms, callback) => {
        const timer = {};
        timers.add(timer);
        const cancel = systemClock.timer(ms, () => {
          timers.delete(timer);
          callback();
        });
        return () => {
          timers.delete(timer);
          cancel();
        };
      },
    };
    const upload = archive(randomBytes(30_000_000));
    const limits = { rate: { windowMs: 100, minBytes: 1 } };
    const { work } = await uploadTo(script, upload, { clock, limits });

    await work.catch(() => undefined);

    await expect.poll(() => openFiles()).not.toContain(upload.path);
    await expect.poll(() => timers.size).toBe(0);
  }
});

test('a cancelled upload closes its connection and is never complete', async () => {
  const stop = new AbortController();
  const { work, server } = await uploadTo(
    (request) => {
      request.stream.once('data', () => {
        stop.abort();
      });
    },
    { ...archive(randomBytes(30_000_000)), signal: stop.signal },
  );

  expect(await failureOf(work)).toMatchObject({ code: 'cancelled', details: { sentAll: false } });
  await expect.poll(server.connections).toBe(0);
});
