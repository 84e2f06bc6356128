/** @file Runs exports and imports with an independent client, and reads the results from the sandbox itself. */
import { withoutUsers } from '../../support/servers/without-users.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openOrigin } from '../../support/servers/origin.ts';
import { s3Keys, startS3, type S3Server } from '../../support/servers/s3-server.ts';
import { GitbeakerWalk, type Row } from '../../support/servers/gitbeaker.ts';

let storage: S3Server;
beforeAll(async () => {
  storage = await startS3();
  return () => storage.close();
});
const walk = GitbeakerWalk.ofFile(() => ({ projectCount: 3, s3Endpoint: storage.url }));
const compass = 'atlas/compass';
const key = 'exports/compass.tar.gz';
const poll = { interval: 5, timeout: 10_000 };
const transfers = () => walk.as('maintainer').ProjectImportExports;
let archive = new Uint8Array();

const archiveFile = () => ({ content: new Blob([archive]), filename: 'compass.tar.gz' });

/** Waits for the end of an import and compares the copy with the source. */
async function expectCopy(path: string): Promise<void> {
  const state = async () => (await transfers().showImportStatus(path)).import_status;
  await expect.poll(state, poll).toBe('finished');
  const [source, copy] = await Promise.all([
    walk.sandbox.state.project(compass),
    walk.sandbox.state.project(path),
  ]);
  expect(copy).toMatchObject({
    importError: null,
    importFailures: [],
    notes: source.notes,
    tags: source.tags,
  });
  const [expected, found] = [source, copy].map(({ relations }) => withoutUsers(relations));
  expect(found?.['issues']).toEqual(expected?.['issues']);
  expect(found?.['merge_requests']).toEqual(expected?.['merge_requests']);
}

describe('exports', () => {
  walk.step('start-export', 'ProjectImportExports.scheduleExport', async () => {
    const receiver = await openOrigin((_sent, reply) => reply.writeHead(200).end());
    // The client's types spell the key as the API does.
    const upload = { url: `${receiver.url}/pushed`, http_method: 'PUT' };
    const { message } = await transfers().scheduleExport(compass, upload, { description: 'Another' });

    expect(message).toBe('202 Accepted');
    await expect.poll(() => receiver.sent.length, poll).toBe(1);
    expect(receiver.sent[0]).toMatchObject({ method: 'PUT', url: '/pushed' });
    archive = Uint8Array.from(receiver.sent[0]?.body ?? []);
    expect(archive.length).toBeGreaterThan(1000);
  });

  walk.step('get-export-status', 'ProjectImportExports.showExportStatus', async () => {
    const state = async () => (await transfers().showExportStatus(compass)).export_status;
    await expect.poll(state, poll).toBe('finished');
    const { _links: links } = await transfers().showExportStatus(compass);

    expect(links.api_url).toMatch(/\/export\/download$/);
  });

  // The client decodes text/* into a string, which would ruin an archive. Nothing is decoded in a stream, whatever the
  // Content-Type. Otherwise an archive arrives as a Blob only because the server does not declare it as text.
  walk.step('download-export', 'ProjectImportExports.download as a stream', async () => {
    const stream = await transfers().download(compass, { asStream: true });
    const streamed = new Uint8Array(await new Response(stream).arrayBuffer());
    const blob = await transfers().download(compass);

    expect(Buffer.compare(streamed, archive)).toBe(0);
    expect(Buffer.compare(new Uint8Array(await blob.arrayBuffer()), archive)).toBe(0);
  });
});

describe('imports', () => {
  walk.step('import-file', 'ProjectImportExports.import', async () => {
    const row = await transfers().import(archiveFile(), 'by-file', { namespace: 'atlas' });

    expect(row).toMatchObject({ path_with_namespace: 'atlas/by-file', import_status: 'scheduled' });
    await expectCopy('atlas/by-file');
  });

  walk.step('get-import-status', 'ProjectImportExports.showImportStatus', async () => {
    expect(await transfers().showImportStatus('atlas/by-file')).toMatchObject({
      path_with_namespace: 'atlas/by-file',
      import_status: 'finished',
      failed_relations: [],
    });
  });

  const source = () =>
    openOrigin(({ method }, reply) => {
      const headers = { 'content-type': 'application/gzip', 'content-length': archive.length };
      reply.writeHead(200, headers).end(method === 'GET' ? archive : undefined);
    });

  walk.step('import-remote-file', 'ProjectImportExports.importRemote', async () => {
    const { url } = await source();
    await transfers().importRemote(`${url}/a.tar.gz`, 'by-url', {
      namespace: 'atlas',
      overrideParams: { visibility: 'private' },
    });

    await expectCopy('atlas/by-url');
    expect(await walk.sandbox.state.project('atlas/by-url')).toMatchObject({ visibility: 'private' });
  });

  test('importRemoteS3 of the client is unusable, because it calls the import from a URL', async () => {
    const call = transfers().importRemoteS3('AKIA', storage.bucket, key, 'by-s3', storage.region, 'secret');

    await expect(call).rejects.toThrow('url is missing');
  });

  walk.stepWithoutFunction(
    'import-from-s3',
    "the client's importRemoteS3 calls another endpoint",
    async () => {
      await storage.put(key, Buffer.from(archive), 'application/gzip');
      const body = {
        accessKeyId: s3Keys.accessKeyId,
        secretAccessKey: s3Keys.secretAccessKey,
        bucketName: storage.bucket,
        fileKey: key,
        region: storage.region,
        path: 'by-s3',
        namespace: 'atlas',
      };
      await transfers().requester.post('projects/remote-import-s3', { body });

      await expectCopy('atlas/by-s3');
    },
  );
});

describe('relations', () => {
  const target = 'atlas/by-file';
  const imports = async () => {
    const path = `projects/${encodeURIComponent(target)}/relation-imports`;
    const { body } = await transfers().requester.get(path);
    return body as unknown as Row[];
  };

  walk.stepWithoutFunction('import-relation', 'the client has no function for it', async () => {
    // The target has no issues with these numbers; an import leaves existing issues unchanged.
    const issues = lines({ title: 'First that is new', iid: 9001 }, { title: 'Second', iid: 9002 });
    const before = await walk.sandbox.state.project(target);
    const body = new FormData();
    body.set('path', target);
    body.set('relation', 'issues');
    body.set(
      'file',
      new Blob([Uint8Array.from(await exportArchive({ 'tree/project/issues.ndjson': issues }))]),
      'a.gz',
    );
    await transfers().requester.post('projects/import-relation', { body });
    await expect.poll(async () => (await imports()).at(-1)?.['status'], poll).toBe('finished');
    const after = await walk.sandbox.state.project(target);

    expect(after.relations['issues']).toEqual([
      ...(before.relations['issues'] ?? []),
      { title: 'First that is new', iid: 9001 },
      { title: 'Second', iid: 9002 },
    ]);
    expect({ ...after.relations, issues: null }).toEqual({ ...before.relations, issues: null });
  });

  walk.stepWithoutFunction('list-relation-imports', 'the client has no function for it', async () => {
    expect(await imports()).toMatchObject([{ project_path: target, relation: 'issues', status: 'finished' }]);
  });
});

walk.expectAllOperationsOf(2);
