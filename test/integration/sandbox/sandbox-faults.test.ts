import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { Fault } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const compass = projectUrl('atlas/compass');
const download = `${compass}/export/download`;

async function started(...faults: Fault[]): Promise<{ sandbox: Sandbox; calls: SandboxCalls }> {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 8, faults });
  onTestFinished(() => sandbox.close());
  return { sandbox, calls: new SandboxCalls(sandbox) };
}

/** Downloads with plain Node; returns the received bytes and how the download ended. */
function rawDownload(
  sandbox: Sandbox,
  path = download,
): Promise<{
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
  ended: 'complete' | 'aborted';
}> {
  return new Promise((resolve, reject) => {
    const headers = { 'PRIVATE-TOKEN': sandbox.tokens.maintainer };
    let abort: (() => void) | null = null;
    const call = request(`${sandbox.url}/api/v4${path}`, { headers }, (reply) => {
      const chunks: Buffer[] = [];
      const settle = (ended: 'complete' | 'aborted') => () => {
        resolve({ headers: reply.headers, body: Buffer.concat(chunks), ended });
      };
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', settle('complete'));
      abort = settle('aborted');
      reply.on('error', abort);
    });
    call.on('error', (error) => {
      if (abort === null) reject(error);
      else abort();
    });
    call.end();
  });
}

test('respond sends the given status, headers and body, as often as the fault says', async () => {
  const { calls } = await started({
    match: { path: '/user$', times: 1 },
    action: {
      kind: 'respond',
      status: 503,
      body: { message: '503 Service Unavailable' },
      headers: { 'X-A': 'b' },
    },
  });
  const first = await calls.fetch('/user');

  expect(first.status).toBe(503);
  expect(first.headers.get('x-a')).toBe('b');
  expect(await first.json()).toEqual({ message: '503 Service Unavailable' });
  expect((await calls.call('/user')).status).toBe(200);
});

test('html sends a page instead of JSON', async () => {
  const { calls } = await started({ match: { path: 'download' }, action: { kind: 'html', status: 200 } });
  const reply = await calls.fetch(download);

  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await reply.text()).toMatch(/^<!DOCTYPE html>/);
});

test('delay postpones a reply that is otherwise correct', async () => {
  const { calls } = await started({ match: {}, action: { kind: 'delay', ms: 30 } });
  const before = systemClock.monotonic();

  expect((await calls.call('/user')).status).toBe(200);
  expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(29);
});

test('delay-work delays the work of a request, even after the client has disconnected', async () => {
  const clock = new SteppedClock();
  const late = { match: { path: 'rotate' }, action: { kind: 'delay-work', ms: 45_000 } } as const;
  const sandbox = await startSandbox({ clock, faults: [late] });
  onTestFinished(() => sandbox.close());
  const calls = new SandboxCalls(sandbox);
  const own = async () => (await calls.call('/personal_access_tokens/self')).status;
  const giveUp = new AbortController();

  const headers = { 'content-type': 'application/json' };
  const rotation = { method: 'POST', headers, body: '{"expires_at":null}', signal: giveUp.signal };
  const disconnected = expect(calls.fetch('/personal_access_tokens/self/rotate', rotation)).rejects.toThrow();
  await expect.poll(() => clock.pending, { interval: 5 }).toBe(1);
  giveUp.abort();
  await disconnected;
  await clock.advance(44_999);
  expect(await own()).toBe(200);
  await clock.advance(1);
  await expect.poll(own, { interval: 5 }).toBe(401);
});

test('reset closes the connection without a reply and without doing the work', async () => {
  const { calls } = await started({ match: { method: 'POST' }, action: { kind: 'reset' } });

  await expect(calls.call(`${compass}/export`, 'POST')).rejects.toThrow();
  expect(await calls.exportStatus('atlas/compass')).toBe('none');
});

test('lose-reply does the work and then closes the connection', async () => {
  const { sandbox, calls } = await started({
    match: { path: '/projects/import$', project: 'borealis/copy' },
    action: { kind: 'lose-reply' },
  });
  const archive = await calls.exportArchive('atlas/compass');

  await expect(calls.startImport(archive, { path: 'copy', namespace: 'borealis' })).rejects.toThrow();
  const { id } = await sandbox.state.project('borealis/copy');
  expect((await calls.importEnd(id)).import_status).toBe('finished');
  expect((await calls.startImport(archive, { path: 'other', namespace: 'borealis' })).status).toBe(201);
});

test('delay-import creates the project late, even after the client has disconnected', async () => {
  const { sandbox, calls } = await started({
    match: { project: 'borealis/late' },
    action: { kind: 'delay-import', ms: 400 },
  });
  const archive = await calls.exportArchive('atlas/compass');
  const form = new FormData();
  for (const [key, value] of [
    ['path', 'late'],
    ['namespace', 'borealis'],
  ] as const) {
    form.set(key, value);
  }
  form.set('file', new Blob([Uint8Array.from(archive)]), 'export.tar.gz');
  const giveUp = AbortSignal.timeout(200);

  await expect(
    calls.fetch('/projects/import', { method: 'POST', body: form, signal: giveUp }),
  ).rejects.toThrow();
  expect(sandbox.state.paths).not.toContain('borealis/late');
  await expect.poll(() => sandbox.state.paths, { interval: 5 }).toContain('borealis/late');
});

test.each([
  ['length', 'aborted'],
  ['chunked', 'aborted'],
  ['close', 'complete'],
] as const)(
  'cut with framing %s sends the given number of bytes, and the reader sees the body as %s',
  async (framing, ended) => {
    const { sandbox, calls } = await started();
    const whole = await calls.exportArchive('atlas/tools/caravan');
    await calls.exportArchive('atlas/compass');
    sandbox.faults.add({ match: { path: 'download' }, action: { kind: 'cut', afterBytes: 1000, framing } });
    const received = await rawDownload(sandbox);

    expect(whole.length).toBeGreaterThan(100_000);
    expect(received.body).toHaveLength(1000);
    expect(received.ended).toBe(ended);
    expect(received.headers['content-length'] === undefined).toBe(framing !== 'length');
    expect(received.headers['transfer-encoding']).toBe(framing === 'chunked' ? 'chunked' : undefined);
  },
);

test('a cut can reset the connection instead of closing it', async () => {
  const { sandbox, calls } = await started();
  await calls.exportArchive('atlas/compass');
  sandbox.faults.add({
    match: { path: 'download' },
    action: { kind: 'cut', afterBytes: 1000, framing: 'close', reset: true },
  });

  expect((await rawDownload(sandbox)).ended).toBe('aborted');
});

test('a cut a few bytes before the end of a file of more than a megabyte sends every byte before it', async () => {
  const { sandbox, calls } = await started();
  const noise = randomBytes(1_500_000).toString('base64');
  const big = await exportArchive({ 'tree/project/something_new.ndjson': lines({ noise }) });
  await calls.importArchive(big, { path: 'big', namespace: 'atlas' });
  const whole = await calls.exportArchive('atlas/big');
  const afterBytes = whole.length - 7;
  sandbox.faults.add({ match: { path: 'download' }, action: { kind: 'cut', afterBytes, framing: 'length' } });
  const received = await rawDownload(sandbox, `${projectUrl('atlas/big')}/export/download`);

  expect(afterBytes).toBeGreaterThan(1 << 20);
  expect(received.ended).toBe('aborted');
  expect(received.body.equals(whole.subarray(0, afterBytes))).toBe(true);
});

test('stall sends the given number of bytes and then nothing', async () => {
  const { sandbox, calls } = await started();
  await calls.exportArchive('atlas/compass');
  sandbox.faults.add({ match: { path: 'download' }, action: { kind: 'stall', afterBytes: 10 } });
  const reply = await calls.fetch(download);
  const reader = reply.body?.getReader();
  const first = await reader?.read();
  const second = reader?.read().then(() => 'more');

  expect(first?.value).toHaveLength(10);
  expect(await Promise.race([second, systemClock.sleep(50).then(() => 'nothing')])).toBe('nothing');
  await reader?.cancel();
});

test('corrupt changes only the requested byte', async () => {
  const { sandbox, calls } = await started();
  const whole = await calls.exportArchive('atlas/compass');
  sandbox.faults.add({ match: { path: 'download' }, action: { kind: 'corrupt', at: 500 } });
  const { body, ended } = await rawDownload(sandbox);
  const differing = [...body.keys()].filter((index) => body[index] !== whole[index]);

  expect(ended).toBe('complete');
  expect(body).toHaveLength(whole.length);
  expect(differing).toEqual([500]);
});

test('drop-records drops records from the archive and lists them only in the ledger', async () => {
  const { sandbox, calls } = await started({
    match: { project: 'atlas/compass' },
    action: { kind: 'drop-records', relation: 'issues', count: 2 },
  });
  const archive = await calls.exportArchive('atlas/compass');
  await calls.importArchive(archive, { path: 'copy', namespace: 'borealis' });

  const { issues = [] } = (await sandbox.state.project('atlas/compass')).relations;

  expect(await calls.total(`${compass}/issues`)).toBe(24);
  expect(await calls.total(`${projectUrl('borealis/copy')}/issues`)).toBe(22);
  expect(sandbox.state.losses).toEqual(
    [22, 23].map((line) => ({
      phase: 'export',
      project: 'atlas/compass',
      relation: 'issues',
      line,
      part: 'record',
      name: issues[line]?.['title'],
      reason: 'fault',
      listed: false,
    })),
  );
});

test('drop-notes drops nested notes on import without listing them as failures', async () => {
  const { sandbox, calls } = await started({
    match: { project: 'borealis/copy' },
    action: { kind: 'drop-notes', relation: 'issues', count: 3 },
  });
  const archive = await calls.exportArchive('atlas/compass');
  const ended = await calls.importArchive(archive, { path: 'copy', namespace: 'borealis' });
  const source = await sandbox.state.project('atlas/compass');
  const copy = await sandbox.state.project('borealis/copy');

  expect(ended).toMatchObject({ import_status: 'finished', failed_relations: [] });
  expect(copy.relations['issues']).toHaveLength(24);
  expect(copy.notes.issues).toBe(source.notes.issues - 3);
  expect(sandbox.state.losses.filter((loss) => loss.part === 'note' && !loss.listed)).toHaveLength(3);
});

test('end-import fails the import with the given text, or leaves it started forever', async () => {
  const { sandbox, calls } = await started(
    {
      match: { project: 'borealis/failing' },
      action: { kind: 'end-import', as: 'failed', detail: 'Nothing left' },
    },
    { match: { project: 'borealis/stuck' }, action: { kind: 'end-import', as: 'stuck' } },
  );
  const archive = await calls.exportArchive('atlas/compass');
  const ended = await calls.importArchive(archive, { path: 'failing', namespace: 'borealis' });
  await calls.startImport(archive, { path: 'stuck', namespace: 'borealis' });
  const status = async () => (await sandbox.state.project('borealis/stuck')).importStatus;
  await expect.poll(status, { interval: 5 }).toBe('started');
  await calls.importArchive(archive, { path: 'another', namespace: 'borealis' });

  expect(ended.import_error).toBe('Error importing repository  into borealis/failing - Nothing left');
  expect(await status()).toBe('started');
});

test('no fault applies after clear', async () => {
  const { sandbox, calls } = await started({ match: {}, action: { kind: 'html' } });
  expect((await calls.fetch('/user')).status).toBe(502);
  sandbox.faults.clear();

  expect((await calls.call('/user')).status).toBe(200);
});
