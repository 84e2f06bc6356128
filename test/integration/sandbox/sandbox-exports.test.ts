import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const compass = projectUrl('atlas/compass');
const poll = { interval: 5, timeout: 10_000 };

async function started(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 8, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Returns a sandbox on a stepped clock whose phases last one second each. */
async function stepped(options: Partial<SandboxOptions> = {}) {
  const clock = new SteppedClock();
  const second = {
    exportPendingMs: 1000,
    exportQueuedMs: 1000,
    exportStartedMs: 1000,
    exportClosingMs: 1000,
  };
  const sandbox = await started({ clock, speed: second, ...options });
  return { clock, sandbox, calls: new SandboxCalls(sandbox) };
}

test('an export passes through none, queued, started, regeneration_in_progress and finished', async () => {
  const { clock, calls } = await stepped();
  const status = () => calls.exportStatus('atlas/compass');
  await calls.call(`${compass}/export`, 'POST');

  expect(await status()).toBe('none');
  await clock.advance(1000);
  expect(await status()).toBe('queued');
  await clock.advance(1000);
  expect(await status()).toBe('started');
  expect((await calls.call(`${compass}/export/download`)).body).toEqual({
    message: '404 Not found or has expired',
  });
  await clock.advance(1000);
  await expect.poll(status, poll).toBe('regeneration_in_progress');
  expect((await calls.fetch(`${compass}/export/download`)).status).toBe(200);
  expect(await calls.get(`${compass}/export`)).not.toHaveProperty('_links');
  await clock.advance(1000);
  expect(await status()).toBe('finished');
  expect(await calls.get(`${compass}/export`)).toHaveProperty('_links.api_url');
});

test('JSON replies have a Content-Type without a charset, for clients that compare the whole header', async () => {
  const { calls } = await stepped();

  const started = await calls.fetch(`${compass}/export`, { method: 'POST' });
  expect([started.status, started.headers.get('content-type')]).toEqual([202, 'application/json']);
  expect((await calls.fetch('/projects')).headers.get('content-type')).toBe('application/json');
});

const busy = "An export is already running or queued for this project. Please try again once it's done.";

test('a second POST is rejected while an export runs, and does not remove the file of that export', async () => {
  const { clock, calls } = await stepped();
  await calls.call(`${compass}/export`, 'POST');
  await clock.advance(2000);

  expect(await calls.call(`${compass}/export`, 'POST')).toEqual({ status: 400, body: { message: busy } });
  await clock.advance(1000);
  await expect.poll(() => calls.exportStatus('atlas/compass'), poll).toBe('regeneration_in_progress');
  expect((await calls.call(`${compass}/export`, 'POST')).status).toBe(400);
  await clock.advance(1000);
  expect(await calls.exportStatus('atlas/compass')).toBe('finished');
  expect((await calls.fetch(`${compass}/export/download`)).status).toBe(200);
});

test('during regeneration_in_progress the previous file can be downloaded until the new one exists', async () => {
  const { clock, calls } = await stepped();
  const status = () => calls.exportStatus('atlas/compass');
  const modified = async () => (await calls.fetch(`${compass}/export/download`)).headers.get('last-modified');
  await calls.call(`${compass}/export`, 'POST');
  await clock.advance(3000);
  await expect.poll(status, poll).toBe('regeneration_in_progress');
  await clock.advance(1000);
  const before = await modified();
  await calls.call(`${compass}/export`, 'POST');

  for (const _phase of ['asked for', 'queued', 'started']) {
    expect([await status(), await modified()]).toEqual(['regeneration_in_progress', before]);
    await clock.advance(1000);
  }
  await expect.poll(modified, poll).not.toBe(before);
  // The file appears shortly before the state changes.
  await expect.poll(status, poll).toBe('regeneration_in_progress');
  await clock.advance(1000);
  expect(await status()).toBe('finished');
});

test('on servers that remove the previous file, every POST removes it, even one that is rejected', async () => {
  const { clock, calls } = await stepped({ earlierExportPolicy: 'removed' });
  await calls.call(`${compass}/export`, 'POST');
  await clock.advance(2000);

  expect(await calls.call(`${compass}/export`, 'POST')).toEqual({ status: 400, body: { message: busy } });
  await clock.advance(1000);
  await expect.poll(() => calls.exportStatus('atlas/compass'), poll).toBe('regeneration_in_progress');
  expect((await calls.call(`${compass}/export`, 'POST')).status).toBe(400);
  expect((await calls.call(`${compass}/export/download`)).status).toBe(404);
  await clock.advance(1000);
  expect(await calls.exportStatus('atlas/compass')).toBe('none');
});

test('an export is visible only to the user who requested it', async () => {
  const sandbox = await started();
  const calls = new SandboxCalls(sandbox);
  const root = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  await calls.exportArchive('atlas/compass');

  expect(await root.exportStatus('atlas/compass')).toBe('none');
  expect((await root.call(`${compass}/export/download`)).status).toBe(404);
});

test('an export file expires after a day', async () => {
  const { clock, calls } = await stepped();
  await calls.call(`${compass}/export`, 'POST');
  await clock.advance(3000);
  await expect.poll(() => calls.exportStatus('atlas/compass'), poll).toBe('regeneration_in_progress');
  await clock.advance(1000);
  clock.jump(24 * 3_600_000 - 1001);

  expect(await calls.exportStatus('atlas/compass')).toBe('finished');
  clock.jump(1);
  expect(await calls.exportStatus('atlas/compass')).toBe('none');
});

test('a download has a length, a file name and a date, and can be resumed by range', async () => {
  const sandbox = await started();
  const calls = new SandboxCalls(sandbox);
  const whole = await calls.exportArchive('atlas/compass');
  const download = (headers: Record<string, string>, method = 'GET') =>
    calls.fetch(`${compass}/export/download`, { headers, method });
  const plain = await download({}, 'HEAD');

  expect(plain.headers.get('content-length')).toBe(`${whole.length}`);
  expect(plain.headers.get('accept-ranges')).toBe('bytes');
  expect(plain.headers.get('etag')).toBeNull();
  expect(plain.headers.get('content-disposition')).toMatch(
    /^attachment; filename="\d{4}-\d\d-\d\d_\d\d-\d\d-\d{3}_atlas_compass_export\.tar\.gz"/,
  );
  const modified = plain.headers.get('last-modified') ?? '';

  const rest = await download({ range: 'bytes=100-', 'if-range': modified });
  expect(rest.status).toBe(206);
  expect(rest.headers.get('content-range')).toBe(`bytes 100-${whole.length - 1}/${whole.length}`);
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(whole.subarray(100));

  const changed = await download({ range: 'bytes=100-', 'if-range': new Date(0).toUTCString() });
  expect(changed.status).toBe(200);
  expect((await changed.arrayBuffer()).byteLength).toBe(whole.length);

  const beyond = await download({ range: `bytes=${whole.length}-` });
  expect(beyond.status).toBe(416);
  expect(beyond.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  const tail = await download({ range: 'bytes=-10' });
  expect(Buffer.from(await tail.arrayBuffer())).toEqual(whole.subarray(-10));
});

test('with object storage a download is redirected to another origin, whose log shows whether a token was sent', async () => {
  const sandbox = await started({ hasObjectStorage: true });
  const calls = new SandboxCalls(sandbox);
  await calls.call(`${compass}/export`, 'POST');
  await expect.poll(() => calls.exportStatus('atlas/compass'), poll).toBe('finished');
  const redirect = await calls.fetch(`${compass}/export/download`, { redirect: 'manual' });
  const location = redirect.headers.get('location') ?? '';

  expect(redirect.status).toBe(302);
  expect(new URL(location).origin).toBe(sandbox.storageUrl);
  expect(sandbox.storageUrl).not.toBe(sandbox.url);
  expect((await fetch(location)).status).toBe(200);
  expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'storage', hasToken: false });
  await fetch(location, { headers: { 'PRIVATE-TOKEN': sandbox.tokens.maintainer } });
  expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'storage', hasToken: true });
});

test('a description in the export request replaces that of the project in the archive', async () => {
  const source = await started();
  const target = await started({ projectCount: 0 });
  const calls = new SandboxCalls(source);
  await calls.call(`${compass}/export`, 'POST', { description: 'Another one' });
  await expect.poll(() => calls.exportStatus('atlas/compass'), poll).toBe('finished');
  const archive = Buffer.from(await (await calls.fetch(`${compass}/export/download`)).arrayBuffer());
  await new SandboxCalls(target).importArchive(archive, { path: 'compass', namespace: 'atlas' });

  expect((await target.state.project('atlas/compass')).description).toBe('Another one');
});

const tooMany = { message: { error: 'This endpoint has been requested too many times. Try again later.' } };

test('GitLab’s limits reject the second download of a project and the seventh export within a minute', async () => {
  const { clock, calls } = await stepped({ limits: 'gitlab' });
  for (let count = 0; count < 6; count += 1) {
    expect((await calls.call(`${compass}/export`, 'POST')).status).not.toBe(429);
  }
  const refused = await calls.fetch(`${compass}/export`, { method: 'POST' });

  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await refused.json()).toEqual(tooMany);

  expect((await calls.call(`${compass}/export/download`)).status).toBe(404);
  expect(await calls.call(`${compass}/export/download`)).toEqual({ status: 429, body: tooMany });
  expect((await calls.call(`${projectUrl('atlas/almanac')}/export/download`)).status).toBe(404);
  clock.jump(60_000);
  expect((await calls.call(`${compass}/export/download`)).status).toBe(404);
});

test('older servers limit downloads per namespace and send no Retry-After', async () => {
  const limits = {
    exportsPerMinute: 6,
    importsPerMinute: 6,
    downloadsPerMinute: 1,
    downloadScope: 'namespace',
    sendsRetryAfter: false,
    requestsPerMinute: 0,
  } as const;
  const { calls } = await stepped({ limits });
  await calls.call(`${compass}/export/download`);
  const refused = await calls.fetch(`${projectUrl('atlas/almanac')}/export/download`);

  expect(refused.status).toBe(429);
  expect(refused.headers.has('retry-after')).toBe(false);
});

test('the layer in front of the API rejects requests in plain text, with its own headers', async () => {
  const { calls } = await stepped({
    limits: {
      exportsPerMinute: 0,
      importsPerMinute: 0,
      downloadsPerMinute: 0,
      downloadScope: 'project',
      sendsRetryAfter: true,
      requestsPerMinute: 2,
    },
  });
  await calls.get('/user');
  await calls.get('/user');
  const refused = await calls.fetch('/user');

  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(refused.headers.get('ratelimit-limit')).toBe('2');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.text()).toBe('Retry later\n');
});

test.each([
  ['failed', 'failed'],
  ['none', 'none'],
  ['stuck', 'started'],
] as const)('a scripted export that ends as %s keeps the status %s', async (as, status) => {
  const { clock, calls } = await stepped({
    faults: [{ match: { project: 'atlas/compass' }, action: { kind: 'end-export', as } }],
  });
  await calls.call(`${compass}/export`, 'POST');
  await clock.advance(60_000);

  expect(await calls.exportStatus('atlas/compass')).toBe(status);
});

test('the same seed gives the same archive, byte for byte', async () => {
  const archives = await Promise.all(
    [1, 1, 2].map(async (seed) => {
      const sandbox = await started({ seed });
      return new SandboxCalls(sandbox).exportArchive('atlas/tools/ferry');
    }),
  );

  expect(archives[0]?.equals(archives[1] as Buffer)).toBe(true);
  expect(archives[0]?.equals(archives[2] as Buffer)).toBe(false);
});
