/** @file The paths that a page in a browser may name over its WebSocket: those of its uploads, and of the store. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openPageSocket, openServing, type Serving } from '../../support/browser/serving.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { backUp, openTestSandbox, register } from '../../support/world.ts';
import { archiveFilter, jobFilter } from '../../support/requests.ts';

const project = 'atlas/compass';
const onProject = { instance: 'gl', project };
const refused = { ok: false, error: { code: 'path-refused' } };
const change = (what: object) => ({ ...onProject, change: what });
const edit = (attributes: object) => change({ kind: 'edit', attributes });

async function send(serving: Serving, cookie: string, name: string, body: string): Promise<string> {
  const headers = { cookie, origin: `http://${serving.hostHeader}` };
  const answer = await serving.send(`/upload?name=${name}`, { method: 'POST', headers, body });
  return (JSON.parse(answer.text) as { path: string }).path;
}

async function openGl() {
  const serving = await openServing();
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = { app: serving.host.app, client: serving.client, dataDir: serving.dataDir };
  await register(world, 'gl', sandbox);
  const cookie = await serving.signIn();
  return { serving, world, cookie, page: await openPageSocket(serving, cookie) };
}

test('a page cannot name a file or folder of its choice in any call, and learns nothing of its content', async () => {
  const { serving, page } = await openGl();
  const folder = temporaryFolder();
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'private');
  const missing = join(folder, 'gone');
  const target = { instance: 'gl', path: 'x', namespace: null, name: null, overrideParams: {} };
  const calls = (path: string): [string, object][] => [
    ['archive.inspect', { archive: path }],
    ['archive.show', { archive: path }],
    ['archive.record', { archive: path, relation: 'issues', line: 0 }],
    ['archive.verify', { archive: path, level: 'L2' }],
    ['archive.adopt', { instance: 'gl', files: [{ file: path, fullPath: project }], prove: true }],
    ['host.reveal', { archive: path }],
    ['import.start', { ...target, archive: path, overwrite: false, allowSuspicious: true }],
    ['import.status', { ...onProject, archive: path }],
    ['import.url', { ...target, url: 'https://s3.example.com/x', archive: path, overwrite: false }],
    ['import.s3', { ...target, storage: 'x', key: 'x', archive: path }],
    ['import.relation', { ...onProject, archive: path, relation: 'issues' }],
    ['project.change', change({ kind: 'upload', file: path, sizeBytes: 7 })],
    ['project.change', edit({ avatar: path })],
    [
      'project.change',
      change({ kind: 'create', namespace: null, forUser: null, attributes: { avatar: path } }),
    ],
    ['project.saveUpload', { ...onProject, uploadId: 1, to: path }],
    ['export.download', { ...onProject, to: path }],
    ['settings.change', { archiveRoot: path }],
    ['instance.preview', { name: 'new', url: 'https://gitlab.example.com', caFile: path }],
    [
      'instance.add',
      { name: 'new', url: 'https://gitlab.example.com', caFile: path, pace: 'gitlab', keep: 'session' },
    ],
    ['instance.change', { name: 'gl', caFile: path }],
  ];
  for (const path of [file, folder, missing, `${serving.dataDir}/settings.json`]) {
    for (const [name, request] of calls(path)) {
      const answer = await page.call(name, request);
      expect(answer, `${name} ${path}`).toMatchObject(refused);
    }
  }
  expect(readdirSync(folder)).toEqual(['notes.txt']);
  const { jobs } = await serving.client.call('job.list', jobFilter({ limit: 1 }));
  expect(jobs).toEqual([]);
});

test('a file that a page uploaded may be named only in its own session, and only as a file to read', async () => {
  const { serving, cookie, page } = await openGl();
  const path = await send(serving, cookie, 'notes.txt', 'private');
  const uploading = change({ kind: 'upload', file: path, sizeBytes: 7 });
  expect(await page.call('archive.inspect', { archive: path })).toMatchObject({
    ok: true,
    value: { verdict: 'unusable' },
  });
  const other = await openPageSocket(serving, await serving.signIn());
  expect(await other.call('archive.inspect', { archive: path })).toMatchObject(refused);
  expect(await other.call('project.change', uploading)).toMatchObject(refused);
  for (const near of [dirname(path), `${path}/..`, `${dirname(path)}/./notes.txt`]) {
    expect(await page.call('archive.inspect', { archive: near })).toMatchObject(refused);
  }
  expect(await page.call('instance.change', { name: 'gl', caFile: path })).toMatchObject(refused);
  expect(await page.call('export.download', { ...onProject, to: dirname(path) })).toMatchObject(refused);
  const laterPage = await openPageSocket(serving, cookie);
  expect(await laterPage.call('project.change', uploading)).toMatchObject({ ok: true });
});

test('an archive of the store may be named by its path, but not a file outside the store, even through a link in the store', async () => {
  const { world, page } = await openGl();
  await backUp(world, 'gl', [project]);
  const filter = archiveFilter({ limit: 1 });
  const [archive] = (await world.client.call('archive.list', filter)).archives;
  const stored = archive?.absolutePath ?? '';
  expect(await page.call('archive.inspect', { archive: stored })).toMatchObject({ ok: true });
  expect(await page.call('archive.show', { archive: archive?.id })).toMatchObject({ ok: true });

  const elsewhere = join(temporaryFolder(), 'elsewhere.tar.gz');
  writeFileSync(elsewhere, readFileSync(stored));
  const link = join(dirname(stored), 'link.tar.gz');
  symlinkSync(elsewhere, link);
  for (const path of [link, elsewhere, `${dirname(stored)}/../../../../settings.json`]) {
    expect(await page.call('archive.inspect', { archive: path }), path).toMatchObject(refused);
  }
  // The command line imports the file. From then on, the page may read it to compare the import with it.
  const importRequest = { instance: 'gl', archive: elsewhere, namespace: null, path: 'again', name: null };
  const options = { overwrite: false, allowSuspicious: false, overrideParams: {} };
  await world.client.call('import.start', { ...importRequest, ...options });
  expect(await page.call('archive.inspect', { archive: elsewhere })).toMatchObject({ ok: true });
});
