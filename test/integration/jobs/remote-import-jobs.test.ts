import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { openOrigin } from '../../support/servers/origin.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { backUp, openWorld, register } from '../../support/world.ts';
import {
  expectHidden,
  onlyJob,
  poll,
  postCount,
  openScene,
  secretKey,
  signature,
  storageWith,
  target,
} from '../../support/servers/transfer-scene.ts';
import { archiveFilter } from '../../support/requests.ts';

describe('an import from an address', () => {
  it.each([
    ['that gets its response', null, 1],
    ['whose response is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])(
    'by a request %s creates one project, and the address appears in no text and no file',
    async (_how, action, sentCount) => {
      const scenery = await openScene();
      const { sandbox, world, project, group } = scenery;
      const storage = await storageWith(scenery.content);
      if (action !== null) {
        sandbox.faults.add({ match: { method: 'POST', path: '/remote-import$', nth: 1 }, action });
      }
      const { runId, target: path } = await world.client.call('import.url', {
        instance: 'work',
        url: `${storage.url}/a.tar.gz?X-Amz-Signature=${signature}`,
        ...target(group),
        overwrite: false,
      });
      const job = await onlyJob(world, runId);
      expect(job.state).toMatchObject({ status: 'succeeded', warnings: [{ code: 'not-compared' }] });
      expect(path).toBe(`${group}/copy`);
      expect(sandbox.state.paths).toEqual([project, path]);
      expect((await sandbox.state.project(path)).importStatus).toBe('finished');
      expect(postCount(scenery, /\/remote-import$/)).toBe(sentCount);
      await expectHidden(scenery, signature);
    },
  );

  it('is compared with the archive that the request names', async () => {
    const scenery = await openScene();
    const { world, project, group } = scenery;
    await backUp(world, 'work', [project]);
    const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
    const storage = await storageWith(readFileSync(archives[0]?.absolutePath ?? ''));
    const { runId } = await world.client.call('import.url', {
      instance: 'work',
      url: `${storage.url}/a.tar.gz`,
      ...target(group),
      archive: archives[0]?.id ?? '',
      overwrite: false,
    });
    const result = importResultSchema.parse((await onlyJob(world, runId)).result);
    expect(result.reconciliation.reconciled).toBe(true);
  });

  it('whose address was lost with its process fails with that reason, and succeeds when it is started again', async () => {
    const scenery = await openScene();
    const { sandbox, world, group } = scenery;
    const storage = await storageWith(scenery.content);
    const request = {
      instance: 'work',
      url: `${storage.url}/a.tar.gz?X-Amz-Signature=${signature}`,
      ...target(group),
      overwrite: false,
    };
    sandbox.faults.add({ match: { path: '/remote-import$', nth: 1 }, action: { kind: 'reset' } });
    const { jobId, runId } = await world.client.call('import.url', request);
    await expect.poll(() => postCount(scenery, /\/remote-import$/), poll).toBe(1);
    await world.app.close();
    const env = { PACKHORSE_TOKEN_WORK: sandbox.tokens.maintainer };
    const next = await openWorld({ dataDir: world.dataDir, env, keychain: scenery.keychain });
    const failed = await onlyJob(next, runId);
    expect(failed).toMatchObject({ id: jobId, state: { status: 'failed', error: { code: 'secret-lost' } } });
    const again = await next.client.call('import.url', request);
    expect((await onlyJob(next, again.runId)).state.status).toBe('succeeded');
    expect(sandbox.state.paths.filter((path) => path.endsWith('/copy'))).toHaveLength(1);
  });

  it('that GitLab rejects is reported as refused, and without the address', async () => {
    const scenery = await openScene({ allowLocalRequests: false });
    const { world, group } = scenery;
    const storage = await storageWith(scenery.content);
    const { runId } = await world.client.call('import.url', {
      instance: 'work',
      url: `${storage.url}/a.tar.gz?X-Amz-Signature=${signature}`,
      ...target(group),
      overwrite: false,
    });
    const { state } = await onlyJob(world, runId);
    expect(state).toMatchObject({ status: 'failed', error: { code: 'import-refused' } });
    await expectHidden(scenery, signature);
  });

  it('replaces a project only after a confirmation', async () => {
    const { world, project, content, sandbox, group } = await openScene();
    const storage = await storageWith(content);
    const name = project.split('/').at(-1) ?? '';
    await register(world, 'root', sandbox, sandbox.tokens.administrator);
    const request = {
      instance: 'root',
      url: `${storage.url}/a.tar.gz`,
      ...target(group, name),
      overwrite: true,
    };
    await expect(world.client.call('import.url', request)).rejects.toMatchObject({
      code: 'confirmation-missing',
    });
    const before = (await sandbox.state.project(project)).id;
    const { confirmation } = await world.client.call('host.confirm', {
      action: 'import.overwrite',
      instance: 'root',
      project,
    });
    const { runId } = await world.client.call('import.url', { ...request, confirmation });
    expect((await onlyJob(world, runId)).state).toMatchObject({ status: 'succeeded' });
    expect((await sandbox.state.project(project)).id).not.toBe(before);
  });
});

describe('an import from a storage', () => {
  const storage = { name: 'exports', region: 'eu-central-1', bucket: 'backups', accessKeyId: 'AKIAEXAMPLE' };

  it.each([
    ['that gets its response', null, 1],
    ['whose response is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])(
    'by a request %s creates one project, and the secret key appears in no text and no file',
    async (_how, action, sentCount) => {
      const contents: Buffer[] = [];
      const origin = await openOrigin(({ method }, reply) => {
        const content = contents[0] ?? Buffer.alloc(0);
        const headers = { 'content-type': 'application/gzip', 'content-length': content.length };
        reply.writeHead(200, headers).end(method === 'GET' ? content : undefined);
      });
      const scenery = await openScene({ s3Endpoint: origin.url });
      contents.push(scenery.content);
      const { sandbox, world, project, group, keychain } = scenery;
      await world.client.call('storage.save', { storage, secretAccessKey: secretKey });
      expect([...keychain.entries]).toContainEqual(['Packhorse/storage exports', secretKey]);
      if (action !== null) {
        sandbox.faults.add({ match: { method: 'POST', path: '/remote-import-s3$', nth: 1 }, action });
      }
      const { runId, target: path } = await world.client.call('import.s3', {
        instance: 'work',
        storage: 'exports',
        key: 'folder/a.tar.gz',
        ...target(group),
      });
      expect((await onlyJob(world, runId)).state.status).toBe('succeeded');
      expect(sandbox.state.paths).toEqual([project, path]);
      expect(origin.sent.some(({ url }) => url.includes('/backups/folder/a.tar.gz'))).toBe(true);
      expect(postCount(scenery, /\/remote-import-s3$/)).toBe(sentCount);
      await expectHidden(scenery, secretKey);
    },
  );

  it('that is not saved is rejected at once', async () => {
    const { world, group } = await openScene();
    const request = { instance: 'work', storage: 'nowhere', key: 'a', ...target(group) };
    await expect(world.client.call('import.s3', request)).rejects.toMatchObject({ code: 'storage-missing' });
  });
});

describe('a storage', () => {
  const storage = { name: 'exports', region: 'eu-central-1', bucket: 'backups', accessKeyId: 'AKIAEXAMPLE' };

  it('is stored in the settings, and its key in the keychain alone; saved again without a key, it keeps its key', async () => {
    const keychain = new MemoryKeychain();
    const { client, dataDir } = await openWorld({ keychain });
    const entries = [['Packhorse/storage exports', secretKey]];
    await client.call('storage.save', { storage, secretAccessKey: secretKey });
    expect([...keychain.entries]).toEqual(entries);
    await client.call('storage.save', { storage: { ...storage, bucket: 'others' }, secretAccessKey: null });
    expect([...keychain.entries]).toEqual(entries);
    expect(await client.call('storage.list', {})).toEqual({ storages: [{ ...storage, bucket: 'others' }] });
    expect(readFileSync(join(dataDir, 'settings.json'), 'utf8')).toContain('"others"');
    expect(filesContaining(dataDir, encodingsOf(secretKey))).toEqual([]);
    await client.call('storage.remove', { name: 'exports' });
    expect((await client.call('storage.list', {})).storages).toEqual([]);
    expect([...keychain.entries.values()]).not.toContain(secretKey);
  });

  it('is not saved without a valid key, or if the keychain does not store the key', async () => {
    const keychain = new MemoryKeychain();
    const { client } = await openWorld({ keychain });
    const save = (secretAccessKey: string | null) =>
      client.call('storage.save', { storage, secretAccessKey });
    await expect(save(null)).rejects.toMatchObject({ code: 'storage-missing' });
    await expect(save('short')).rejects.toMatchObject({ code: 'invalid-input' });
    keychain.failure = 'The name org.freedesktop.secrets was not provided by any .service files';
    await expect(save(secretKey)).rejects.toMatchObject({ code: 'keychain-unreachable' });
    expect((await client.call('storage.list', {})).storages).toEqual([]);
    await expect(client.call('storage.remove', { name: 'exports' })).rejects.toMatchObject({
      code: 'storage-missing',
    });
  });
});
