/** @file Exports pushed to, and imports fetched from, an S3-compatible server that checks signatures by its own code. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src-main/sandbox/sandbox.ts';
import { openS3, s3Keys, type S3Server } from '../support/servers/s3-server.ts';
import { projectUrl, SandboxCalls, type ImportRecord } from '../support/servers/sandbox-calls.ts';
import { ShiftedClock } from '../support/clocks/shifted-clock.ts';

const source = 'atlas/compass';
const key = 'a folder/compass (1)!.tar.gz';
const poll = { interval: 5, timeout: 10_000 };
const hour = 3_600_000;

interface Harness {
  storage: S3Server;
  sandbox: Sandbox;
  calls: SandboxCalls;
}

async function opened(options: Partial<SandboxOptions> & { marks?: boolean } = {}): Promise<Harness> {
  const { marks = true, ...rest } = options;
  const storage = await openS3({ marks });
  const sandbox = await startSandbox({
    clock: systemClock,
    projectCount: 1,
    s3Endpoint: storage.url,
    ...rest,
  });
  onTestFinished(() => sandbox.close());
  return { storage, sandbox, calls: new SandboxCalls(sandbox) };
}

/** With the source's archive in the bucket, and its bytes. */
async function stocked(options: Parameters<typeof opened>[0] = {}): Promise<Harness & { archive: Buffer }> {
  const bench = await opened(options);
  const archive = await bench.calls.exportArchive(source);
  await bench.storage.put(key, archive, 'application/gzip');
  return { ...bench, archive };
}

/**
 * What a project must have in common with the one that its archive is of. Members come only with an administrator's
 * import.
 */
async function substance(sandbox: Sandbox, path: string) {
  const { relations, notes, branches, tags, description } = await sandbox.state.project(path);
  const others = Object.entries(relations).filter(([name]) => name !== 'project_members');
  return { relations: Object.fromEntries(others), notes, branches, tags, description };
}

async function expectCopy({ sandbox, calls }: Harness, answer: { status: number; body: unknown }) {
  expect(answer).toMatchObject({ status: 201, body: { import_status: 'scheduled' } });
  const end = await calls.importEnd((answer.body as ImportRecord).id);
  expect(end).toMatchObject({ import_status: 'finished', import_error: null, failed_relations: [] });
  const copy = await substance(sandbox, 'atlas/copy');
  expect(copy).toEqual(await substance(sandbox, source));
  expect(copy.relations['issues']?.length).toBeGreaterThan(0);
}

describe('an export pushed by a presigned PUT', () => {
  const push = async ({ sandbox, calls }: Harness, url: string): Promise<unknown> => {
    const body = { upload: { url, http_method: 'PUT' } };
    expect((await calls.call(`${projectUrl(source)}/export`, 'POST', body)).status).toBe(202);
    await expect.poll(() => calls.exportStatus(source), poll).toBe('finished');
    const mails = await fetch(`${sandbox.url}/-/sandbox/mails`);
    return mails.json();
  };

  test('arrives byte for byte with the Content-Type that was signed', async () => {
    const bench = await opened();
    const { storage, calls } = bench;
    const mails = await push(
      bench,
      storage.presigned({ method: 'PUT', key, contentType: 'application/gzip' }),
    );
    const own = await calls.fetch(`${projectUrl(source)}/export/download`);
    const bytes = Buffer.from(await own.arrayBuffer());
    const object = await storage.stored(key);

    expect(mails).toMatchObject([{ subject: 'Project was exported', text: '' }]);
    expect(object?.contentType).toBe('application/gzip');
    expect(object?.content.equals(bytes)).toBe(true);
  });

  test.each([
    ['another Content-Type was signed', { contentType: 'application/x-tar' }],
    ['the signature has expired', { contentType: 'application/gzip', at: Date.now() - hour }],
    ['the secret is wrong', { contentType: 'application/gzip', secretAccessKey: 'wrong' }],
  ])('is refused where %s: the export ends well, a mail tells, nothing is stored', async (_what, wish) => {
    const bench = await opened();
    const mails = await push(bench, bench.storage.presigned({ method: 'PUT', key, ...wish }));

    expect(mails).toMatchObject([
      { subject: 'Project export error', text: 'Error uploading the project. Code 403' },
    ]);
    expect(bench.storage.answered).toEqual([{ method: 'PUT', path: `/backups/${key}`, status: 403 }]);
    expect(await bench.storage.stored(key)).toBeNull();
  });

  test('can be imported by coordinates afterwards', async () => {
    const bench = await opened();
    await push(bench, bench.storage.presigned({ method: 'PUT', key, contentType: 'application/gzip' }));

    await expectCopy(bench, await byCoordinates(bench));
  });
});

describe('an import from a presigned GET', () => {
  const remote = ({ calls }: Harness, url: string) =>
    calls.call('/projects/remote-import', 'POST', { url, path: 'copy', namespace: 'atlas' });

  test('is made although the URL refuses HEAD, as the reply looks like S3', async () => {
    const bench = await stocked();
    bench.storage.answered.length = 0;
    await expectCopy(bench, await remote(bench, bench.storage.presigned({ method: 'GET', key })));

    expect(bench.storage.answered).toEqual([
      { method: 'HEAD', path: `/backups/${key}`, status: 403 },
      { method: 'GET', path: `/backups/${key}`, status: 200 },
    ]);
  });

  test('is refused where the storage does not look like S3: its answer to HEAD is no archive', async () => {
    const bench = await stocked({ marks: false });

    expect(await remote(bench, bench.storage.presigned({ method: 'GET', key }))).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^Content (?:type|length) /) as unknown },
    });
    expect(bench.sandbox.state.paths).toEqual([source]);
  });

  test.each<[string, { key?: string; at?: number; secretAccessKey?: string }, number]>([
    ['the signature has expired', { at: Date.now() - hour }, 403],
    ['the secret is wrong', { secretAccessKey: 'wrong' }, 403],
    ['the object is not there', { key: 'none.tar.gz' }, 404],
  ])('ends failed where %s', async (_what, wish, code) => {
    const bench = await stocked();
    const answer = await remote(bench, bench.storage.presigned({ method: 'GET', key, ...wish }));
    expect(answer.status).toBe(201);
    const end = await bench.calls.importEnd((answer.body as ImportRecord).id);

    expect(end.import_status).toBe('failed');
    expect(end.import_error).toMatch(
      new RegExp(`Invalid response code while downloading file. Code: ${code}$`),
    );
    expect(await bench.sandbox.state.project('atlas/copy')).toMatchObject({
      importStatus: 'failed',
      relations: {},
    });
  });
});

function byCoordinates({ storage, calls }: Harness, changes: Record<string, string> = {}) {
  return calls.call('/projects/remote-import-s3', 'POST', {
    region: storage.region,
    bucket_name: storage.bucket,
    file_key: key,
    access_key_id: s3Keys.accessKeyId,
    secret_access_key: s3Keys.secretAccessKey,
    path: 'copy',
    namespace: 'atlas',
    ...changes,
  });
}

describe('an import by coordinates', () => {
  test('looks at the object, then fetches it, each by a signature of its own', async () => {
    const bench = await stocked();
    bench.storage.answered.length = 0;
    await expectCopy(bench, await byCoordinates(bench));

    expect(bench.storage.answered).toEqual([
      { method: 'HEAD', path: `/backups/${key}`, status: 200 },
      { method: 'GET', path: `/backups/${key}`, status: 200 },
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a wrong secret', { secret_access_key: 'wrong' }, `Failed to open '${key}' in 'backups': Forbidden`],
    ['a wrong key id', { access_key_id: 'AKIA' }, `Failed to open '${key}' in 'backups': Forbidden`],
    ['an object that is not there', { file_key: 'none' }, "File not found 'none' in 'backups'"],
    ['a bucket that is not there', { bucket_name: 'other' }, `File not found '${key}' in 'other'`],
  ])('is refused for %s', async (_what, changes, message) => {
    const bench = await stocked();

    expect(await byCoordinates(bench, changes)).toEqual({ status: 400, body: { message } });
    expect(bench.sandbox.state.paths).toEqual([source]);
  });

  test('is refused for an object of another type', async () => {
    const bench = await stocked();
    await bench.storage.put('notes.txt', Buffer.from('notes'), 'text/plain');

    expect(await byCoordinates(bench, { file_key: 'notes.txt' })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^Content type 'text\/plain' not allowed/) as unknown },
    });
  });

  test('is refused where the server signs 29 hours late, an hour more than its signatures last', async () => {
    const late = await stocked({ clock: new ShiftedClock(Date.now() - 29 * hour) });
    const almost = await stocked({ clock: new ShiftedClock(Date.now() - 27 * hour) });

    expect(await byCoordinates(late)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/: Forbidden$/) as unknown },
    });
    await expectCopy(almost, await byCoordinates(almost));
  });
});
