import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../../../src-main/gitlab/http/client.ts';
import type { RequestLogEntry } from '../../../src-main/gitlab/http/sender.ts';
import { downloadExport } from '../../../src-main/gitlab/transfers/exports.ts';
import { importFile } from '../../../src-main/gitlab/transfers/imports.ts';
import { getProject } from '../../../src-main/gitlab/projects/projects.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { failureOf, secret, testClient } from '../../support/servers/instance-client.ts';
import { type Script, scriptedServer } from '../../support/servers/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The token as the Git server gets it. */
const credentials = Buffer.from(`packhorse:${secret}`).toString('base64');

/** Returns everything that printing, serialising or walking an error reveals, including causes and hidden fields. */
function everythingIn(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    texts.push(
      inspect(at, { depth: Infinity, showHidden: true }),
      at.message,
      at.stack ?? '',
      JSON.stringify(at),
    );
    if (at instanceof AppError) texts.push(JSON.stringify(at.toData()));
    for (const key of Reflect.ownKeys(at)) texts.push(inspect(Reflect.get(at, key), { depth: Infinity }));
  }
  return texts.join('\n');
}

const archive = () => {
  const path = join(temporaryFolder(), 'a.tar.gz');
  writeFileSync(path, randomBytes(100_000));
  return path;
};

const calls: Array<[string, (client: InstanceClient, signal?: AbortSignal) => Promise<unknown>]> = [
  ['a read', (client, signal) => getProject(client, 'a/b', { signal })],
  [
    'a write',
    (client, signal) => client.postJson('projects/1/export', {}, z.object({ id: z.number() }), { signal }),
  ],
  [
    'a question to the Git server',
    (client, signal) =>
      client.askGit('a/b.git/info/lfs/objects/batch', {}, z.object({ id: z.number() }), { signal }),
  ],
  ['a download', (client, signal) => downloadExport(client, 1, { signal, onChunk: () => Promise.resolve() })],
  [
    'an upload',
    (client, signal) =>
      importFile(client, {
        path: archive(),
        expectedSha256: '0',
        sizeBytes: 100_000,
        fileName: 'a.gz',
        namespace: 'n',
        projectPath: 'p',
        overwrite: false,
        overrideParams: {},
        signal,
      }),
  ],
];

const faults: Array<[string, Script]> = [
  ['a reset', ({ stream }) => void stream.socket.resetAndDestroy()],
  ['a hang-up', ({ stream }) => void stream.socket.end()],
  ['no reply', () => undefined],
  [
    'a redirect elsewhere',
    (_, reply) => {
      reply.send(302, { location: `http://127.0.0.1:1/${secret}?t=${secret}` });
    },
  ],
  [
    'a redirect with credentials',
    (_, reply) => {
      reply.send(302, { location: `http://x:${secret}@127.0.0.1:1/` });
    },
  ],
  [
    'broken HTTP',
    (_, reply) => {
      reply.raw('nonsense\r\n\r\n', 'fin');
    },
  ],
  [
    'a body cut short',
    (_, reply) => {
      reply.raw('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{', 'fin');
    },
  ],
  [
    'broken JSON',
    (_, reply) => {
      reply.send(200, { 'content-type': 'application/json' }, '{');
    },
  ],
  [
    'JSON of another shape',
    (_, reply) => {
      reply.json(200, { id: secret });
    },
  ],
  ...[400, 401, 403, 404, 405, 409, 413, 418, 422, 429, 500, 503].map((status): [string, Script] => [
    `an echo of the request with ${status}`,
    ({ headers }, reply) => {
      reply.json(status, { message: { base: [JSON.stringify(headers)] } }, { 'x-request-id': secret });
    },
  ]),
  [
    'an echo as a web page',
    ({ headers }, reply) => {
      reply.send(400, { 'content-type': 'text/html' }, `<html>${JSON.stringify(headers)}`);
    },
  ],
];

test.each(faults)('no error and no log line contains the token after %s', async (_, script) => {
  const lines: RequestLogEntry[] = [];
  const server = await scriptedServer(script);
  const client = testClient(server.url, {
    log: (line) => lines.push(line),
    limits: {
      responseTimeoutMs: 60,
      uploadResponseTimeoutMs: 60,
      bodyTimeoutMs: 100,
      rate: { windowMs: 60, minBytes: 1 },
    },
  });
  for (const [name, call] of calls) {
    const text = everythingIn(await failureOf(call(client)));
    expect(text.includes(secret), `${name}: ${text}`).toBe(false);
    expect(text.includes(credentials), `${name}: ${text}`).toBe(false);
  }
  expect(server.requests.some(({ headers }) => headers['private-token'] === secret)).toBe(true);
  expect(lines.length).toBeGreaterThanOrEqual(calls.length);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test('no error of a cancelled call contains the token', async () => {
  const server = await scriptedServer(() => undefined);
  for (const [, call] of calls) {
    const stop = new AbortController();
    const work = failureOf(call(testClient(server.url), stop.signal));
    const before = server.requests.length;
    await expect.poll(() => server.requests.length).toBe(before + 1);
    stop.abort();
    expect(everythingIn(await work)).not.toContain(secret);
  }
});

test('no error about an unreachable server contains the token', async () => {
  for (const url of ['http://127.0.0.1:1', 'https://127.0.0.1:1', 'http://gitlab.invalid']) {
    for (const [, call] of calls)
      expect(everythingIn(await failureOf(call(testClient(url))))).not.toContain(secret);
  }
});

test.each([
  ['a line break', `${secret}\r\nX-Injected: yes`],
  ['no characters', ''],
  ['a character that no header can contain', `${secret}é→`],
])('a token with %s is rejected before a request is sent', async (_, value) => {
  const server = await scriptedServer((__, reply) => {
    reply.json(200, {});
  });
  const client = testClient(server.url, { token: () => Promise.resolve(new Token(value)) });

  const failure = await failureOf(getProject(client, 1));

  expect(failure.code).toBe('token-invalid');
  expect(everythingIn(failure)).not.toContain(secret);
  expect(server.requests).toHaveLength(0);
});
