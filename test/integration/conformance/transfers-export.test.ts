import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { at, Conformance, type Reply, type Row } from '../../support/conformance.ts';
import { openOrigin } from '../../support/servers/origin.ts';

const harness = Conformance.ofFile();
const compass = at('atlas/compass');
const poll = { interval: 5, timeout: 10_000 };

const start = (project: string, body?: unknown): Promise<Reply> =>
  harness.post('maintainer', `${project}/export`, body);
const readStatus = async (project: string): Promise<unknown> =>
  (await harness.row('maintainer', `${project}/export`))['export_status'];
const waitUntilFinished = (project: string) => expect.poll(() => readStatus(project), poll).toBe('finished');

/** Sends one request to a new sandbox with other settings. */
async function sendToSandbox(options: Partial<SandboxOptions>, path: string, init: RequestInit = {}) {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 1, ...options });
  onTestFinished(() => sandbox.close());
  const headers = { 'PRIVATE-TOKEN': sandbox.tokens.maintainer, ...(init.headers as Record<string, string>) };
  const reply = await fetch(`${sandbox.url}/api/v4${path}`, { ...init, headers });
  return { status: reply.status, body: await reply.json() };
}

describe('start-export', () => {
  test.each([
    ['without a body', undefined],
    ['as JSON', { description: 'Another' }],
    ['as a form', new URLSearchParams({ description: 'Another' })],
  ])('start-export returns 202 for a request %s', async (_kind, body) => {
    const project = at('atlas/almanac');

    expect(await start(project, body)).toMatchObject({ status: 202, body: { message: '202 Accepted' } });
    await waitUntilFinished(project);
  });

  test('start-export returns 202 for a request as multipart', async () => {
    const form = new FormData();
    form.set('description', 'Another');

    expect(await start(at('atlas/museum'), form)).toMatchObject({ status: 202 });
  });

  test.each([
    ['PUT', undefined],
    ['PUT', 'PUT'],
    ['POST', 'POST'],
  ])(
    'start-export sends the archive to upload[url] by %s for http_method %s',
    async (method, requestedMethod) => {
      const origin = await openOrigin((_sent, reply) => reply.writeHead(200).end());
      const upload = { url: `${origin.url}/bucket/a.tar.gz?X-Amz-Signature=1`, http_method: requestedMethod };
      await start(compass, { upload });
      await waitUntilFinished(compass);
      const own = await fetch(`${harness.sandbox.url}/api/v4${compass}/export/download`, {
        headers: { 'PRIVATE-TOKEN': harness.sandbox.tokens.maintainer },
      });
      const bytes = Buffer.from(await own.arrayBuffer());
      const [sent, ...others] = origin.sent;

      expect(others).toEqual([]);
      expect(sent).toMatchObject({
        method,
        url: '/bucket/a.tar.gz?X-Amz-Signature=1',
        headers: { 'content-type': 'application/gzip', 'content-length': `${bytes.length}` },
      });
      expect(sent?.headers).not.toHaveProperty('private-token');
      expect(sent?.body.equals(bytes)).toBe(true);
    },
  );

  test('start-export keeps regeneration_in_progress while it sends the archive to the URL from a form', async () => {
    const openReplies: { end: () => void }[] = [];
    const origin = await openOrigin((_sent, reply) => openReplies.push(reply));
    const ferry = at('atlas/tools/ferry');
    await start(ferry, new URLSearchParams({ 'upload[url]': origin.url, 'upload[http_method]': 'PUT' }));
    await expect.poll(() => openReplies.length, poll).toBe(1);

    expect(await readStatus(ferry)).toBe('regeneration_in_progress');
    openReplies[0]?.end();
    await waitUntilFinished(ferry);
  });

  test.each([403, 500])(
    'start-export finishes although the upload failed with %d, and reports that only by mail',
    async (code) => {
      const origin = await openOrigin((_sent, reply) => reply.writeHead(code).end());
      const lighthouse = at('borealis/lighthouse');
      await start(lighthouse, { upload: { url: origin.url } });
      await waitUntilFinished(lighthouse);

      const mails = (await (await fetch(`${harness.sandbox.url}/-/sandbox/mails`)).json()) as Row[];
      expect(mails.at(-1)).toMatchObject({
        to: 'maintainer',
        text: `Error uploading the project. Code ${code}`,
      });
    },
  );

  test.each<[string, unknown, unknown]>([
    ['no url', { http_method: 'PUT' }, { error: 'upload[url] is missing' }],
    [
      'another http_method',
      { url: 'https://a.example', http_method: 'GET' },
      { error: 'upload[http_method] does not have a valid value' },
    ],
    ['a blank url', { url: ' ' }, { message: { url: ['must be a valid URL'] } }],
    ['a url that is not a URL', { url: 'nowhere' }, { message: { url: ['is blocked: URI is invalid'] } }],
    [
      'a scheme other than http and https',
      { url: 'ftp://a.example/b' },
      { message: { url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
  ])('start-export returns 400 for an upload with %s', async (_what, upload, body) => {
    expect(await start(at('atlas/tools/caravan'), { upload })).toMatchObject({ status: 400, body });
  });

  test('start-export returns 400 for an upload to the server itself if that is not allowed', async () => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ upload: { url: 'http://127.0.0.1:1/' } }),
    };

    expect(await sendToSandbox({ allowLocalRequests: false }, `${compass}/export`, init)).toEqual({
      status: 400,
      body: { message: { url: ['is blocked: Requests to localhost are not allowed'] } },
    });
  });

  test('start-export returns 400 above max_export_size', async () => {
    expect(await sendToSandbox({ maxExportSize: 1000 }, `${compass}/export`, { method: 'POST' })).toEqual({
      status: 400,
      body: { message: 'The project size exceeds the export limit.' },
    });
  });

  test('start-export with 400 keeps the caller’s previous file, if files are kept until replaced', async () => {
    const zolw = at('borealis/zolw');
    await start(zolw);
    await waitUntilFinished(zolw);

    expect(await start(zolw, { upload: { url: 'ftp://a.example' } })).toMatchObject({ status: 400 });
    expect(await readStatus(zolw)).toBe('finished');
  });

  test('start-export returns 401 without a token, 403 by role and scope, 404 if unseen or exports are disabled', async () => {
    const post = (who: Parameters<typeof harness.post>[0]) => harness.post(who, `${compass}/export`);

    expect(await post('anonymous')).toMatchObject({ status: 401 });
    expect(await post('developer')).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
    expect(await post('readOnly')).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    expect(await post('outsider')).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
    expect(
      await sendToSandbox({ disabledFeatures: ['export'] }, `${compass}/export`, { method: 'POST' }),
    ).toEqual({
      status: 404,
      body: { message: '404 Not Found' },
    });
  });
});

describe('get-export-status', () => {
  test('get-export-status returns the project’s fields, and links only once finished', async () => {
    const blank = at('borealis/blank-slate');
    const project = await harness.row('maintainer', blank);
    const before = await harness.row('maintainer', `${blank}/export`);

    expect(before).toEqual({
      id: project['id'],
      description: project['description'],
      name: 'Blank slate',
      name_with_namespace: project['name_with_namespace'],
      path: 'blank-slate',
      path_with_namespace: 'borealis/blank-slate',
      created_at: project['created_at'],
      export_status: 'none',
    });
    await start(blank);
    await waitUntilFinished(blank);
    expect((await harness.row('maintainer', `${blank}/export`))['_links']).toEqual({
      api_url: `${harness.sandbox.url}/api/v4/projects/${String(project['id'])}/export/download`,
      web_url: `${harness.sandbox.url}/borealis/blank-slate/download_export`,
    });
  });
});

describe('download-export', () => {
  test('download-export returns 404 if the caller has no file', async () => {
    expect(await harness.send('administrator', `${compass}/export/download`)).toMatchObject({
      status: 404,
      body: { message: '404 Not found or has expired' },
    });
  });
});
