/** @file Exports to, and imports from, an S3-compatible server that checks signatures with its own code. */
import { withoutUsers } from '../support/servers/without-users.ts';
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

/** Opens a harness with the source's archive in the bucket, and returns the bytes of the archive, too. */
async function openedWithArchive(
  options: Parameters<typeof opened>[0] = {},
): Promise<Harness & { archive: Buffer }> {
  const harness = await opened(options);
  const archive = await harness.calls.exportArchive(source);
  await harness.storage.put(key, archive, 'application/gzip');
  return { ...harness, archive };
}

/**
 * Returns the parts of a project that must equal those of its source. Only an administrator's import adds members. Any
 * other import adds the names of authors to notes, which are removed here.
 */
async function comparableParts(sandbox: Sandbox, path: string) {
  const { relations, notes, branches, tags, description } = await sandbox.state.project(path);
  const others = Object.entries(relations).filter(([name]) => name !== 'project_members');
  return { relations: withoutUsers(Object.fromEntries(others)), notes, branches, tags, description };
}

async function expectCopy({ sandbox, calls }: Harness, answer: { status: number; body: unknown }) {
  expect(answer).toMatchObject({ status: 201, body: { import_status: 'scheduled' } });
  const end = await calls.importEnd((answer.body as ImportRecord).id);
  expect(end).toMatchObject({ import_status: 'finished', import_error: null, failed_relations: [] });
  const copy = await comparableParts(sandbox, 'atlas/copy');
  expect(copy).toEqual(await comparableParts(sandbox, source));
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

  test('arrives byte for byte with the signed Content-Type', async () => {
    const harness = await opened();
    const { storage, calls } = harness;
    const mails = await push(
      harness,
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
  ])(
    'is rejected if %s: the export finishes, a mail reports the error, and nothing is stored',
    async (_what, changes) => {
      const harness = await opened();
      const mails = await push(harness, harness.storage.presigned({ method: 'PUT', key, ...changes }));

      expect(mails).toMatchObject([
        { subject: 'Project export error', text: 'Error uploading the project. Code 403' },
      ]);
      expect(harness.storage.requests).toEqual([{ method: 'PUT', path: `/backups/${key}`, status: 403 }]);
      expect(await harness.storage.stored(key)).toBeNull();
    },
  );

  test('can then be imported by coordinates', async () => {
    const harness = await opened();
    await push(harness, harness.storage.presigned({ method: 'PUT', key, contentType: 'application/gzip' }));

    await expectCopy(harness, await byCoordinates(harness));
  });
});

describe('an import from a presigned GET', () => {
  const remote = ({ calls }: Harness, url: string) =>
    calls.call('/projects/remote-import', 'POST', { url, path: 'copy', namespace: 'atlas' });

  test('succeeds although the URL rejects HEAD, because the reply looks like S3', async () => {
    const harness = await openedWithArchive();
    harness.storage.requests.length = 0;
    await expectCopy(harness, await remote(harness, harness.storage.presigned({ method: 'GET', key })));

    expect(harness.storage.requests).toEqual([
      { method: 'HEAD', path: `/backups/${key}`, status: 403 },
      { method: 'GET', path: `/backups/${key}`, status: 200 },
    ]);
  });

  test('is rejected if the storage does not look like S3, because its reply to HEAD is no archive', async () => {
    const harness = await openedWithArchive({ marks: false });

    expect(await remote(harness, harness.storage.presigned({ method: 'GET', key }))).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^Content (?:type|length) /) as unknown },
    });
    expect(harness.sandbox.state.paths).toEqual([source]);
  });

  test.each<[string, { key?: string; at?: number; secretAccessKey?: string }, number]>([
    ['the signature has expired', { at: Date.now() - hour }, 403],
    ['the secret is wrong', { secretAccessKey: 'wrong' }, 403],
    ['the object does not exist', { key: 'none.tar.gz' }, 404],
  ])('fails if %s', async (_what, changes, code) => {
    const harness = await openedWithArchive();
    const answer = await remote(harness, harness.storage.presigned({ method: 'GET', key, ...changes }));
    expect(answer.status).toBe(201);
    const end = await harness.calls.importEnd((answer.body as ImportRecord).id);

    expect(end.import_status).toBe('failed');
    expect(end.import_error).toMatch(
      new RegExp(`Invalid response code while downloading file. Code: ${code}$`),
    );
    expect(await harness.sandbox.state.project('atlas/copy')).toMatchObject({
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
  test('checks the object, then fetches it, each with its own signature', async () => {
    const harness = await openedWithArchive();
    harness.storage.requests.length = 0;
    await expectCopy(harness, await byCoordinates(harness));

    expect(harness.storage.requests).toEqual([
      { method: 'HEAD', path: `/backups/${key}`, status: 200 },
      { method: 'GET', path: `/backups/${key}`, status: 200 },
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a wrong secret', { secret_access_key: 'wrong' }, `Failed to open '${key}' in 'backups': Forbidden`],
    ['a wrong key id', { access_key_id: 'AKIA' }, `Failed to open '${key}' in 'backups': Forbidden`],
    ['a missing object', { file_key: 'none' }, "File not found 'none' in 'backups'"],
    ['a missing bucket', { bucket_name: 'other' }, `File not found '${key}' in 'other'`],
  ])('is rejected for %s', async (_what, changes, message) => {
    const harness = await openedWithArchive();

    expect(await byCoordinates(harness, changes)).toEqual({ status: 400, body: { message } });
    expect(harness.sandbox.state.paths).toEqual([source]);
  });

  test('is rejected for an object of another content type', async () => {
    const harness = await openedWithArchive();
    await harness.storage.put('notes.txt', Buffer.from('notes'), 'text/plain');

    expect(await byCoordinates(harness, { file_key: 'notes.txt' })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^Content type 'text\/plain' not allowed/) as unknown },
    });
  });

  test('is rejected if the server signs 29 hours late, an hour more than its signatures are valid', async () => {
    const late = await openedWithArchive({ clock: new ShiftedClock(Date.now() - 29 * hour) });
    const almost = await openedWithArchive({ clock: new ShiftedClock(Date.now() - 27 * hour) });

    expect(await byCoordinates(late)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/: Forbidden$/) as unknown },
    });
    await expectCopy(almost, await byCoordinates(almost));
  });
});
