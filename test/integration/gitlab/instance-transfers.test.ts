import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadExport, exportStatus, requestExport } from '../../../src-main/gitlab/transfers/exports.ts';
import { importFile, importStatus } from '../../../src-main/gitlab/transfers/imports.ts';
import { createProject } from '../../../src-main/gitlab/projects/project-edit.ts';
import { importRelation, relationImports } from '../../../src-main/gitlab/transfers/relation-imports.ts';
import { importFromS3, importFromUrl } from '../../../src-main/gitlab/transfers/remote-imports.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { type Sandbox, startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { failureOf, testClient } from '../../support/servers/instance-client.ts';
import { scriptedServer } from '../../support/servers/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let sandbox: Sandbox;
let content: Buffer | null = null;
const client = () =>
  testClient(sandbox.url, { token: () => Promise.resolve(new Token(sandbox.tokens.maintainer)) });

beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 3 });
});
afterAll(() => sandbox.close());

let pathCount = 0;
const newPath = () => `arrived-${(pathCount += 1)}`;

/** Downloads an export of the sandbox to a file. */
async function exported() {
  content ??= await exportedContent();
  const path = join(temporaryFolder(), 'a_export.tar.gz');
  writeFileSync(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path, bytes: content, sizeBytes: content.length, sha256, fileName: 'a_export.tar.gz' };
}

async function exportedContent(): Promise<Buffer> {
  const { project } = await createProject(client(), { path: newPath(), initialize_with_readme: true });
  await requestExport(client(), project.fullPath, { description: 'for the road' });
  await expect.poll(async () => (await exportStatus(client(), project.fullPath)).state).toBe('finished');
  const chunks: Uint8Array[] = [];
  await downloadExport(client(), project.fullPath, {
    onChunk: (chunk) => Promise.resolve(void chunks.push(Buffer.from(chunk))),
  });
  return Buffer.concat(chunks);
}

describe('an export', () => {
  test.each(['PUT', 'POST'] as const)('is uploaded by %s to the given URL', async (method) => {
    const bodies: Buffer[] = [];
    const storage = await scriptedServer(async (request, reply) => {
      bodies.push(await request.body());
      reply.send(200, {});
    });
    const { project } = await createProject(client(), { path: newPath(), initialize_with_readme: true });

    await requestExport(client(), project.id, {
      push: { url: `${storage.url}/bucket/a.tar.gz?X-Amz-Signature=0123456789abcdef`, method },
    });

    await expect.poll(() => bodies.length).toBe(1);
    expect(bodies[0]?.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    const [request] = storage.requests;
    expect([request?.method, request?.headers['content-type']]).toEqual([method, 'application/gzip']);
    expect(request?.headers['private-token']).toBeUndefined();
  });
});

describe('an import', () => {
  test('from a URL finishes', async () => {
    const { bytes } = await exported();
    const storage = await scriptedServer((_, reply) => {
      reply.send(200, { 'content-type': 'application/gzip', 'content-length': bytes.length }, bytes);
    });
    const path = newPath();

    const started = await importFromUrl(client(), {
      url: `${storage.url}/a.tar.gz?sig=1`,
      path,
      overrideParams: { description: 'by address' },
    });

    expect(started).toMatchObject({ fullPath: `maintainer/${path}`, state: 'scheduled', error: null });
    await expect.poll(async () => (await importStatus(client(), started.projectId)).state).toBe('finished');
  });

  test('of one relation is tracked in the list of relation imports', async () => {
    const file = await exported();
    const path = newPath();
    const { bytes: _bytes, sha256: expectedSha256, ...rest } = file;
    const { projectId } = await importFile(client(), {
      ...rest,
      expectedSha256,
      namespace: 'maintainer',
      projectPath: path,
      overwrite: false,
      overrideParams: {},
    });
    await expect.poll(async () => (await importStatus(client(), projectId)).state).toBe('finished');

    const started = await importRelation(client(), {
      ...file,
      fullPath: `maintainer/${path}`,
      relation: 'milestones',
    });

    expect(started).toMatchObject({ projectPath: `maintainer/${path}`, relation: 'milestones' });
    await expect
      .poll(async () => (await relationImports(client(), projectId)).map(({ id, status }) => [id, status]))
      .toEqual([[started.id, 'finished']]);
    expect(
      (await failureOf(importRelation(client(), { ...file, fullPath: 'no/such', relation: 'issues' }))).code,
    ).toBe('project-missing');
  });

  test('is not requested with a path that no new project can have, or from a file URL', async () => {
    for (const path of ['', '-x', 'a--b', 'a.git', 'new']) {
      const failure = await failureOf(importFromUrl(client(), { url: 'https://x.example/a', path }));
      expect(failure.code, path).toBe('invalid-input');
    }
    expect((await failureOf(importFromUrl(client(), { url: 'file:///etc/passwd', path: 'x' }))).code).toBe(
      'invalid-input',
    );
  });
});

describe('storage secrets', () => {
  const url =
    'https://bucket.s3.example/key.tar.gz?X-Amz-Credential=AKIDAKIDAKID%2Fs3&X-Amz-Signature=feedfacefeedface';
  const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/canary';
  const storage = { region: 'eu-1', bucket: 'b', accessKeyId: 'AKID' };

  /** Opens a server that echoes the whole request in several forms. */
  const openEchoServer = (status: number, asText: boolean) =>
    scriptedServer(async (request, reply) => {
      const body = (await request.body()).toString();
      const sent = JSON.parse(body) as { upload?: { url: string } };
      const words = `${body} ${JSON.stringify(sent.upload ?? '')} ${decodeURIComponent(body)}`;
      if (asText) reply.send(status, { 'content-type': 'text/plain' }, words);
      else reply.json(status, { message: { error: words, base: [words] } });
    });

  test.each([
    [400, false],
    [422, true],
    [500, false],
    [403, true],
  ])('appear in no error and no log line after a %i', async (status, asText) => {
    const server = await openEchoServer(status, asText);
    const lines: unknown[] = [];
    const loggingClient = testClient(server.url, {
      log: (line) => lines.push(line),
      onWrite: (write) => lines.push(write),
    });

    const failures = [
      await failureOf(importFromUrl(loggingClient, { url, path: 'a' })),
      await failureOf(importFromS3(loggingClient, { storage, secretAccessKey, key: 'k', path: 'a' })),
      await failureOf(requestExport(loggingClient, 1, { push: { url, method: 'PUT' } })),
    ];

    const reported = JSON.stringify([failures.map((failure) => [failure.toData(), failure.stack]), lines]);
    expect(reported).not.toMatch(/feedface|canary|AKIDAKIDAKID/);
    expect(server.requests).toHaveLength(3);
  });

  test('are sent with the location under the names of the specification', async () => {
    let body: unknown;
    const server = await scriptedServer(async (request, reply) => {
      body = JSON.parse((await request.body()).toString());
      reply.json(201, { id: 1, path_with_namespace: 'g/a', import_status: 'scheduled' });
    });

    await importFromS3(testClient(server.url), {
      storage,
      secretAccessKey,
      key: 'k',
      path: 'a',
      namespace: 'g',
    });

    expect(server.requests[0]?.path).toBe('/api/v4/projects/remote-import-s3');
    expect(body).toEqual({
      region: 'eu-1',
      bucket_name: 'b',
      file_key: 'k',
      access_key_id: 'AKID',
      secret_access_key: secretAccessKey,
      path: 'a',
      namespace: 'g',
    });
  });
});
