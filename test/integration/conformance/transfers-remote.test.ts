import { createHmac, createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openOrigin, type ReceivedRequest } from '../../support/servers/origin.ts';
import { SandboxCalls, type ImportRecord } from '../../support/servers/sandbox-calls.ts';

let archive: Buffer;

beforeEach(async () => {
  archive = await exportArchive({ 'tree/project/issues.ndjson': lines({ title: 'One', iid: 1 }) });
});

async function openSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<{ sandbox: Sandbox; calls: SandboxCalls }> {
  const sandbox = await startSandbox({ clock: systemClock, ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, calls: new SandboxCalls(sandbox) };
}

/** Opens an origin that serves the archive at every path, with these headers. */
const openArchiveOrigin = (headers: OutgoingHttpHeaders = {}, status = 200) =>
  openOrigin(({ method }, reply) => {
    const allHeaders = { 'content-type': 'application/gzip', 'content-length': archive.length, ...headers };
    reply.writeHead(status, allHeaders).end(method === 'HEAD' || status !== 200 ? undefined : archive);
  });

const importFromUrl = (calls: SandboxCalls, url: string, more: object = {}) =>
  calls.call('/projects/remote-import', 'POST', { url, path: 'copy', namespace: 'atlas', ...more });

describe('import-remote-file', () => {
  test.each(['application/gzip', 'application/x-tar', 'application/x-gzip'])(
    'import-remote-file returns 201 for %s; the server itself sends a HEAD, then a GET',
    async (type) => {
      const origin = await openArchiveOrigin({ 'content-type': type });
      const { sandbox, calls } = await openSandbox();
      const { status, body } = await importFromUrl(calls, `${origin.url}/a?signed=1`);

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

  test('import-remote-file lets override_params of a JSON body win over the archive', async () => {
    const { sandbox, calls } = await openSandbox();
    const { body } = await importFromUrl(calls, (await openArchiveOrigin()).url, {
      override_params: { visibility: 'public' },
    });
    await calls.importEnd((body as ImportRecord).id);

    expect((await sandbox.state.project('atlas/copy')).visibility).toBe('public');
  });

  test.each<[string, OutgoingHttpHeaders, string]>([
    [
      'another content type',
      { 'content-type': 'text/html' },
      "Content type 'text/html' not allowed. (Allowed: application/gzip, application/x-tar, application/x-gzip)",
    ],
    ['an empty file', { 'content-length': 0 }, 'Content length is too small (should be at least 1 B)'],
    [
      'more than 10 GiB',
      { 'content-length': 10 * 1024 ** 3 + 1 },
      'Content length is too big (should be at most 10 GiB)',
    ],
  ])('import-remote-file returns 400 for %s', async (_what, headers, message) => {
    const { sandbox, calls } = await openSandbox();

    expect(await importFromUrl(calls, (await openArchiveOrigin(headers)).url)).toEqual({
      status: 400,
      body: { message },
    });
    expect(sandbox.state.paths).toEqual([]);
  });

  test('import-remote-file returns 400 without Content-Length', async () => {
    const origin = await openOrigin((_sent, reply) => {
      reply.writeHead(200, { 'content-type': 'application/gzip', 'transfer-encoding': 'chunked' }).end();
    });

    expect(await importFromUrl((await openSandbox()).calls, origin.url)).toMatchObject({
      status: 400,
      body: { message: 'Content length is too small (should be at least 1 B)' },
    });
  });

  test('import-remote-file ignores the headers of a server that looks like S3', async () => {
    const origin = await openOrigin(({ method }, reply) => {
      const headers = { server: 'AmazonS3', 'x-amz-request-id': '1' };
      reply.writeHead(method === 'HEAD' ? 403 : 200, headers).end(method === 'HEAD' ? undefined : archive);
    });
    const { calls } = await openSandbox();
    const { body } = await importFromUrl(calls, origin.url);

    expect((await calls.importEnd((body as ImportRecord).id)).import_status).toBe('finished');
  });

  test('import-remote-file returns 400 if nothing responds', async () => {
    expect(await importFromUrl((await openSandbox()).calls, 'http://127.0.0.1:1/')).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^Failed to retrieve headers: /) as unknown },
    });
  });

  test('import-remote-file fails during the import if the file cannot be fetched after the check', async () => {
    const origin = await openOrigin(({ method }, reply) => {
      const headers = { 'content-type': 'application/gzip', 'content-length': 5 };
      if (method === 'HEAD') reply.writeHead(200, headers).end();
      else reply.writeHead(404).end();
    });
    const { calls } = await openSandbox();
    const { body } = await importFromUrl(calls, origin.url);

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
    ['a text that is not a URL', {}, 'nowhere', 'URI is invalid'],
  ])('import-remote-file returns 400 for %s', async (_what, options, url, reason) => {
    expect(await importFromUrl((await openSandbox(options)).calls, url)).toEqual({
      status: 400,
      body: { message: `File url is blocked: ${reason}` },
    });
  });

  test('import-remote-file returns 400 without url and path, 404 without the flag, 403 with imports disabled', async () => {
    const { calls } = await openSandbox();
    expect(await calls.call('/projects/remote-import', 'POST', {})).toEqual({
      status: 400,
      body: { error: 'url is missing, path is missing' },
    });
    const off = await openSandbox({ disabledFeatures: ['remote-import'] });
    expect((await importFromUrl(off.calls, 'https://a.example')).status).toBe(404);
    const none = await openSandbox({ disabledFeatures: ['import'] });
    expect((await importFromUrl(none.calls, 'https://a.example')).status).toBe(403);
  });
});

const keys = { access_key_id: 'AKIA', secret_access_key: 's/e+cret', region: 'eu-central-1' };

/** Computes the signature of a presigned request from AWS's description of Signature Version 4. */
function signatureOf({ method, url, headers }: ReceivedRequest): string {
  const [path = '', query = ''] = url.split('?');
  const pairs = query.split('&').filter((pair) => !pair.startsWith('X-Amz-Signature='));
  const parameters = new URLSearchParams(query);
  const [, date = '', region = '', service = ''] = parameters.get('X-Amz-Credential')?.split('/') ?? [];
  const canonical = `${method}\n${path}\n${pairs.sort().join('&')}\nhost:${headers.host ?? ''}\n\nhost\nUNSIGNED-PAYLOAD`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = `AWS4-HMAC-SHA256\n${parameters.get('X-Amz-Date') ?? ''}\n${date}/${region}/${service}/aws4_request\n${hash}`;
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
      const exists = sent.url.startsWith('/bucket/a%20folder/an%21archive.tar.gz?');
      const status = !isSigned ? 403 : exists ? 200 : 404;
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

  test('import-from-s3 returns 201, fetches the object by signed requests, and applies override_params', async () => {
    const origin = await storage();
    const { sandbox, calls } = await openSandbox({ s3Endpoint: origin.url });
    const answer = await call(calls, { override_params: { description: 'Overridden' } });

    expect(answer).toMatchObject({ status: 201, body: { import_status: 'scheduled', import_error: null } });
    expect((await calls.importEnd((answer.body as ImportRecord).id)).import_status).toBe('finished');
    expect(await sandbox.state.project('atlas/copy')).toMatchObject({ description: 'Overridden' });
    expect(origin.sent.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  });

  test('import-from-s3 returns 400 for a missing object and for a wrong secret', async () => {
    const { calls } = await openSandbox({ s3Endpoint: (await storage()).url });

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
    'import-from-s3 returns 400 without %s',
    async (name) => {
      expect(await call((await openSandbox()).calls, { [name]: undefined })).toEqual({
        status: 400,
        body: { error: `${name} is missing` },
      });
    },
  );
});
