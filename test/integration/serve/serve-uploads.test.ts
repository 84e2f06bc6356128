/** @file Uploads of a page: complete, private, and removed when they are incomplete or no longer needed. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openServing, type Serving } from '../../support/browser/serving.ts';
import { backUp, openTestSandbox, register, type World } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const uploaded = (serving: Serving): string[] => {
  const folder = join(serving.dataDir, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};

async function headersOf(serving: Serving): Promise<Record<string, string>> {
  return {
    cookie: await serving.signIn(),
    Origin: `http://${serving.hostHeader}`,
    'Content-Type': 'application/octet-stream',
  };
}

/** Starts an upload whose body the test writes piece by piece. */
function start(serving: Serving, headers: Record<string, string>, name = 'a.tar.gz') {
  const sent = request({
    host: '127.0.0.1',
    port: serving.host.port,
    method: 'POST',
    path: `/upload?name=${encodeURIComponent(name)}`,
    headers: { Host: serving.hostHeader, ...headers },
  });
  const status = new Promise<number | 'cut'>((resolve) => {
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', () => {
      resolve('cut');
    });
  });
  return { sent, status };
}

test('a file arrives completely under its own name in the data folder, and calls accept its path', async () => {
  const serving = await openServing();
  const headers = await headersOf(serving);
  const content = randomBytes(3_000_000);
  const { sent, status } = start(serving, headers, 'Sicherung März.tar.gz');
  sent.end(content);
  expect(await status).toBe(200);
  const [place = ''] = uploaded(serving);
  const path = join(serving.dataDir, 'uploads', place, 'Sicherung März.tar.gz');
  expect(createHash('sha256').update(readFileSync(path)).digest()).toEqual(
    createHash('sha256').update(content).digest(),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await serving.client.call('archive.inspect', { archive: path })).toMatchObject({
    verdict: 'unusable',
  });
});

test.each([
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/gzip',
  '',
])('a body is stored as bytes, whatever its Content-Type is: %j', async (type) => {
  const serving = await openServing();
  const headers = { ...(await headersOf(serving)), ...(type === '' ? {} : { 'Content-Type': type }) };
  const body = '{"__proto__": not json';
  const answer = await serving.send('/upload?name=a', { method: 'POST', headers, body });
  const { path } = JSON.parse(answer.text) as { path: string };
  expect(readFileSync(path, 'utf8')).toBe(body);
});

test('an empty file is accepted', async () => {
  const serving = await openServing();
  const answer = await serving.send('/upload?name=a', { method: 'POST', headers: await headersOf(serving) });
  const { path } = JSON.parse(answer.text) as { path: string };
  expect(statSync(path).size).toBe(0);
});

test('a file with a hostile name stays inside the folder of uploads', async () => {
  const serving = await openServing();
  const name = encodeURIComponent('../../../etc/passwd\0.gz');
  const answer = await serving.send(`/upload?name=${name}`, {
    method: 'POST',
    headers: await headersOf(serving),
    body: 'x',
  });
  const { path } = JSON.parse(answer.text) as { path: string };
  expect(dirname(dirname(path))).toBe(join(serving.dataDir, 'uploads'));
  expect(basename(path)).toBe('passwd_.gz');
});

test('an upload is streamed: the first part is on disk before the rest is sent', async () => {
  const serving = await openServing();
  const { sent, status } = start(serving, await headersOf(serving));
  sent.write(randomBytes(500_000));
  await expect
    .poll(() => {
      const [place] = uploaded(serving);
      if (place === undefined) return 0;
      return (
        statSync(join(serving.dataDir, 'uploads', place, 'a.tar.gz'), { throwIfNoEntry: false })?.size ?? 0
      );
    })
    .toBeGreaterThan(300_000);
  sent.end();
  expect(await status).toBe(200);
});

test('an upload that is cut leaves nothing, with and without a stated length', async () => {
  const serving = await openServing();
  const headers = await headersOf(serving);
  for (const length of [{}, { 'Content-Length': '1000000' }] as Record<string, string>[]) {
    const { sent, status } = start(serving, { ...headers, ...length });
    sent.write(randomBytes(100_000));
    await expect.poll(() => uploaded(serving).length).toBe(1);
    sent.destroy();
    expect(await status).toBe('cut');
    await expect.poll(() => uploaded(serving).length).toBe(0);
  }
});

test('an upload that is in progress when serving ends is aborted and leaves nothing', async () => {
  const serving = await openServing();
  const { sent, status } = start(serving, await headersOf(serving));
  sent.write(randomBytes(100_000));
  await expect.poll(() => uploaded(serving).length).toBe(1);
  await serving.host.close();
  expect(await status).toBe('cut');
  expect(uploaded(serving)).toEqual([]);
});

test('a file that is larger than the disk is rejected with disk-full', async () => {
  const serving = await openServing();
  const headers = { ...(await headersOf(serving)), 'Content-Length': '1000000000000000' };
  const sent = request({
    host: '127.0.0.1',
    port: serving.host.port,
    method: 'POST',
    path: '/upload?name=a',
    headers: { Host: serving.hostHeader, ...headers },
  });
  sent.on('error', () => undefined);
  sent.write('x');
  const answer = await new Promise<{ status: number; text: string }>((resolve) => {
    sent.on('response', (response) => {
      response.setEncoding('utf8').once('data', (text: string) => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
  });
  sent.destroy();
  expect(answer.status).toBe(507);
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'disk-full', details: { wanted: 1e15 } } });
  expect(uploaded(serving)).toEqual([]);
});

test('an unusable folder of uploads is reported with disk-failed', async () => {
  const serving = await openServing();
  writeFileSync(join(serving.dataDir, 'uploads'), 'a file in its place');
  const answer = await serving.send('/upload?name=a', {
    method: 'POST',
    headers: await headersOf(serving),
    body: 'x',
  });
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'disk-failed' } });
});

test('an uploaded archive that an unfinished import needs is kept when the process ends, and any other is deleted', async () => {
  const serving = await openServing();
  const world: World = { app: serving.host.app, client: serving.client, dataDir: serving.dataDir };
  const source = await openTestSandbox({ projectCount: 1 });
  const target = await openTestSandbox({ projectCount: 0 });
  await register(world, 'source', source);
  await register(world, 'target', target);
  await backUp(world, 'source', source.state.paths);
  const { archives } = await serving.client.call('archive.list', archiveFilter({ limit: 1 }));
  const { manifest } = await serving.client.call('archive.show', { archive: archives[0]?.sha256 ?? '' });
  const { archiveRoot } = await serving.client.call('host.describe', {});
  const content = readFileSync(join(archiveRoot, archives[0]?.path ?? ''));
  expect(content.length).toBe(manifest.sizeBytes);
  const headers = await headersOf(serving);
  const send = async (name: string): Promise<string> => {
    const { sent } = start(serving, headers, name);
    sent.end(content);
    const found = (): string | undefined =>
      uploaded(serving)
        .map((place) => join(serving.dataDir, 'uploads', place, name))
        .find((path) => statSync(path, { throwIfNoEntry: false })?.size === content.length);
    await expect.poll(found, { timeout: 10_000 }).toBeDefined();
    return found() ?? '';
  };
  const needed = await send('needed.tar.gz');
  const other = await send('other.tar.gz');
  target.faults.add({ match: {}, action: { kind: 'end-import', as: 'stuck', at: 'started' } });
  await serving.client.call('import.start', {
    instance: 'target',
    archive: needed,
    namespace: null,
    path: 'copy',
    name: null,
    overwrite: false,
    allowSuspicious: false,
    overrideParams: {},
  });
  await serving.host.close();
  expect(existsSync(needed)).toBe(true);
  expect(existsSync(other)).toBe(false);
});

test('an uploaded file that an unfinished change passes on to the instance is kept when the process ends', async () => {
  const serving = await openServing();
  const world: World = { app: serving.host.app, client: serving.client, dataDir: serving.dataDir };
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'work', sandbox);
  const { sent } = start(serving, await headersOf(serving), 'notes.txt');
  sent.end('twelve bytes');
  const found = (): string | undefined =>
    uploaded(serving)
      .map((place) => join(serving.dataDir, 'uploads', place, 'notes.txt'))
      .find((path) => statSync(path, { throwIfNoEntry: false })?.size === 12);
  await expect.poll(found, { timeout: 10_000 }).toBeDefined();
  const file = found() ?? '';
  sandbox.faults.add({ match: { path: '/uploads' }, action: { kind: 'respond', status: 503 } });
  await serving.client.call('project.change', {
    instance: 'work',
    project: sandbox.state.paths[0] ?? '',
    change: { kind: 'upload', file, sizeBytes: 12 },
  });
  await serving.host.close();
  expect(existsSync(file)).toBe(true);
});
