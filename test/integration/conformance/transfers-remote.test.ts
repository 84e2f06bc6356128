import { createHmac, createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openOrigin, type Sent } from '../../support/servers/origin.ts';
import { SandboxCalls, type ImportRecord } from '../../support/servers/sandbox-calls.ts';

let archive: Buffer;

beforeEach(async () => {
  archive = await exportArchive({ 'tree/project/issues.ndjson': lines({ title: 'One', iid: 1 }) });
});

async function opened(
  options: Partial<SandboxOptions> = {},
): Promise<{ sandbox: Sandbox; calls: SandboxCalls }> {
  const sandbox = await startSandbox({ clock: systemClock, ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, calls: new SandboxCalls(sandbox) };
}

/** An origin with the archive behind every path, with these headers. */
const serving = (headers: OutgoingHttpHeaders = {}, status = 200) =>
  openOrigin(({ method }, reply) => {
    const whole = { 'content-type': 'application/gzip', 'content-length': archive.length, ...headers };
    reply.writeHead(status, whole).end(method === 'HEAD' || status !== 200 ? undefined : archive);
  });

const remote = (calls: SandboxCalls, url: string, more: object = {}) =>
  calls.call('/projects/remote-import', 'POST', { url, path: 'copy', namespace: 'atlas', ...more });

describe('import-remote-file', () => {
  test.each(['application/gzip', 'application/x-tar', 'application/x-gzip'])(
    'import-remote-file 201 for %s: a HEAD, then a GET, by the server itself',
    async (type) => {
      const origin = await serving({ 'content-type': type });
      const { sandbox, calls } = await opened();
      const { status, body } = await remote(calls, `${origin.url}/a?signed=1`);

      expect({ status, body }).toMatchObject({
        status: 201,
        body: { import_status: 'scheduled', import_error: null },
      });
      expect((await calls.importEnd((body as ImportRecord).id)).import_status).toBe('finished');
      expect(origin.sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'HEAD /a?signed=1',
        'GET /a?signed=1',
      ]);
      expect(JSON.stringify(origin.sent)).not.toContain('glpat-');
      expect((await sandbox.state.project('atlas/copy')).relations['issues']).toHaveLength(1);
    },
  );

  test('import-remote-file override_params of a JSON body win over the archive', async () => {
    const { sandbox, calls } = await opened();
    const { body } = await remote(calls, (await serving()).url, {
      override_params: { visibility: 'public' },
    });
    await calls.importEnd((body as ImportRecord).id);

    expect((await sandbox.state.project('atlas/copy')).visibility).toBe('public');
  });

  test.each<[string, OutgoingHttpHeaders, string]>([
    [
      'another type',
      { 'content-type': 'text/html' },
      "Content type 'text/html' not allowed. (Allowed: application/gzip, application/x-tar, application/x-gzip)",
    ],
    ['an empty file', { 'content-length': 0 }, 'Content length is too small (should be at least 1 B)'],
    [
      'more than 10 GiB',
      { 'content-length': 10 * 1024 ** 3 + 1 },
      'Content length is too big (should be at most 10 GiB)',
    ],
  ])('import-remote-file 400 for %s', async (_what, headers, message) => {
    const { sandbox, calls } = await opened();

    expect(await remote(calls, (await serving(headers)).url)).toEqual({ status: 400, body: { message } });
    expect(sandbox.state.paths).toEqual([]);
  });

  test('import-remote-file 400 without Content-Length', async () => {
    const origin = await openOrigin((_sent, reply) => {
      reply.writeHead(200, { 'content-type': 'application/gzip', 'transfer-encoding': 'chunked' }).end();
    });

    expect(await remote((await opened()).calls, origin.url)).toMatchObject({
      status: 400,
      body: { message: 'Content length is too small (should be at least 1 B)' },
    });
  });

  test('import-remote-file looks not at the headers of what seems to be S3', async () => {
    const origin = await openOrigin(({ method }, reply) => {
      const headers = { server: 'AmazonS3', 'x-amz-request-id': '1' };
      reply.writeHead(method === 'HEAD' ? 403 : 200, headers).end(method === 'HEAD' ? undefined : archive);
    });
    const { calls } = await opened();
    const { body } = await remote(calls, origin.url);

    expect((await calls.importEnd((body as ImportRecord).id)).import_status).toBe('finished');
  });

  test('import-remote-file 400 where nothing answers', async () => {
    expect(await remote((await opened()).calls, 'http://127.0.0.1:1/')).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^Failed to retrieve headers: /) as unknown },
    });
  });

  test('import-remote-file ends failed when the file cannot be fetched after all', async () => {
    const origin = await openOrigin(({ method }, reply) => {
      const headers = { 'content-type': 'application/gzip', 'content-length': 5 };
      if (method === 'HEAD') reply.writeHead(200, headers).end();
      else reply.writeHead(404).end();
    });
    const { calls } = await opened();
    const { body } = await remote(calls, origin.url);

    expect((await calls.importEnd((body as ImportRecord).id)).import_error).toMatch(/Code: 404$/);
  });

  test.each<[string, Partial<SandboxOptions>, string, string]>([
    ['plain http', { allowHttpImports: false }, 'http://a.example/', 'Only allowed schemes are https'],
    [
      'the server itself',
      { allowLocalRequests: false },
      'https://localhost/',
      'Requests to localhost are not allowed',
    ],
    ['no URL', {}, 'nowhere', 'URI is invalid'],
  ])('import-remote-file 400 for %s', async (_what, options, url, reason) => {
    expect(await remote((await opened(options)).calls, url)).toEqual({
      status: 400,
      body: { message: `File url is blocked: ${reason}` },
    });
  });

  test('import-remote-file 400 without url and path, 404 with the flag off, 403 with imports off', async () => {
    const { calls } = await opened();
    expect(await calls.call('/projects/remote-import', 'POST', {})).toEqual({
      status: 400,
      body: { error: 'url is missing, path is missing' },
    });
    const off = await opened({ disabledFeatures: ['remote-import'] });
    expect((await remote(off.calls, 'https://a.example')).status).toBe(404);
    const none = await opened({ disabledFeatures: ['import'] });
    expect((await remote(none.calls, 'https://a.example')).status).toBe(403);
  });
});

const keys = { access_key_id: 'AKIA', secret_access_key: 's/e+cret', region: 'eu-central-1' };

/** The signature that belongs to a presigned request, computed from AWS's description of Signature Version 4. */
function signatureOf({ method, url, headers }: Sent): string {
  const [path = '', query = ''] = url.split('?');
  const pairs = query.split('&').filter((pair) => !pair.startsWith('X-Amz-Signature='));
  const given = new URLSearchParams(query);
  const [, date = '', region = '', service = ''] = given.get('X-Amz-Credential')?.split('/') ?? [];
  const canonical = `${method}\n${path}\n${pairs.sort().join('&')}\nhost:${headers.host ?? ''}\n\nhost\nUNSIGNED-PAYLOAD`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = `AWS4-HMAC-SHA256\n${given.get('X-Amz-Date') ?? ''}\n${date}/${region}/${service}/aws4_request\n${hash}`;
  let key: string | Buffer = `AWS4${keys.secret_access_key}`;
  for (const part of [date, region, service, 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

describe('import-from-s3', () => {
  const storage = () =>
    openOrigin((sent, reply) => {
      const isSigned =
        new URLSearchParams(sent.url.split('?')[1]).get('X-Amz-Signature') === signatureOf(sent);
      const isThere = sent.url.startsWith('/bucket/a%20folder/an%21archive.tar.gz?');
      const status = !isSigned ? 403 : isThere ? 200 : 404;
      const headers = {
        'content-type': 'application/x-tar',
        'content-length': status === 200 ? archive.length : 0,
      };
      reply.writeHead(status, headers).end(sent.method === 'GET' && status === 200 ? archive : undefined);
    });
  const body = {
    ...keys,
    bucket_name: 'bucket',
    file_key: 'a folder/an!archive.tar.gz',
    path: 'copy',
    namespace: 'atlas',
  };
  const call = (calls: SandboxCalls, more: object = {}) =>
    calls.call('/projects/remote-import-s3', 'POST', { ...body, ...more });

  test('import-from-s3 201: the object is fetched by signed requests, and override_params count', async () => {
    const origin = await storage();
    const { sandbox, calls } = await opened({ s3Endpoint: origin.url });
    const answer = await call(calls, { override_params: { description: 'Overridden' } });

    expect(answer).toMatchObject({ status: 201, body: { import_status: 'scheduled', import_error: null } });
    expect((await calls.importEnd((answer.body as ImportRecord).id)).import_status).toBe('finished');
    expect(await sandbox.state.project('atlas/copy')).toMatchObject({ description: 'Overridden' });
    expect(origin.sent.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  });

  test('import-from-s3 400 for a missing object, and for a secret that is wrong', async () => {
    const { calls } = await opened({ s3Endpoint: (await storage()).url });

    expect(await call(calls, { file_key: 'none' })).toEqual({
      status: 400,
      body: { message: "File not found 'none' in 'bucket'" },
    });
    expect(await call(calls, { secret_access_key: 'wrong' })).toEqual({
      status: 400,
      body: { message: "Failed to open 'a folder/an!archive.tar.gz' in 'bucket': Forbidden" },
    });
  });

  test.each(['access_key_id', 'secret_access_key', 'bucket_name', 'file_key', 'region', 'path'])(
    'import-from-s3 400 without %s',
    async (name) => {
      expect(await call((await opened()).calls, { [name]: undefined })).toEqual({
        status: 400,
        body: { error: `${name} is missing` },
      });
    },
  );
});
