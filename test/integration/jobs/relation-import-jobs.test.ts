import { describe, expect, it } from 'vitest';
import { relationImportResultSchema } from '../../../src-preload/contract/projects/transfer.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { backUp, openWorld } from '../../support/world.ts';
import { only, poll, posts, scene, type Scene } from '../../support/servers/transfer-scene.ts';

describe('an import of one relation', () => {
  /** A project that was backed up and then lost its issues, as by an import that dropped them. */
  async function withLosses(): Promise<Scene & { archive: string; copy: string }> {
    const scenery = await scene();
    const { sandbox, world, project, group } = scenery;
    await backUp(world, 'work', [project]);
    const { archives } = await world.client.call('archive.list', {
      instance: null,
      project: null,
      before: null,
      limit: 1,
    });
    const archive = archives[0]?.absolutePath ?? '';
    sandbox.faults.add({
      match: { method: 'POST', path: '/projects/import$' },
      action: { kind: 'drop-records', relation: 'issues', count: 2 },
    });
    const { runId } = await world.client.call('import.start', {
      instance: 'work',
      archive,
      namespace: group,
      path: 'copy',
      name: null,
      overwrite: false,
      allowSuspicious: false,
      overrideParams: {},
    });
    await only(world, runId);
    sandbox.faults.clear();
    return { ...scenery, archive, copy: `${group}/copy` };
  }

  const issuesIn = async ({ sandbox }: Scene, path: string): Promise<number> =>
    (await sandbox.state.project(path)).relations['issues']?.length ?? 0;

  it.each([
    ['that is answered', null, 1],
    ['whose answer is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])('by a request %s adds what is missing, once', async (_how, action, sendings) => {
    const scenery = await withLosses();
    const { sandbox, world, archive, copy, project } = scenery;
    const whole = await issuesIn(scenery, project);
    expect(await issuesIn(scenery, copy)).toBe(whole - 2);
    if (action !== null) {
      sandbox.faults.add({ match: { method: 'POST', path: '/import-relation$', nth: 1 }, action });
    }
    const { runId } = await world.client.call('import.relation', {
      instance: 'work',
      project: copy,
      archive,
      relation: 'issues',
    });
    const job = await only(world, runId);
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [] });
    expect(relationImportResultSchema.parse(job.result)).toMatchObject({
      relation: 'issues',
      fullPath: copy,
      inArchive: whole,
      before: whole - 2,
      after: whole,
    });
    expect(await issuesIn(scenery, copy)).toBe(whole);
    expect(posts(scenery, /\/import-relation$/)).toBe(sendings);
    const { relationImports } = await world.client.call('import.relations', {
      instance: 'work',
      project: copy,
    });
    expect(relationImports).toMatchObject([{ relation: 'issues', status: 'finished' }]);
  });

  it('goes on after a restart, once', async () => {
    const scenery = await withLosses();
    const { sandbox, world, archive, copy } = scenery;
    sandbox.faults.add({ match: { path: '/import-relation$', nth: 1 }, action: { kind: 'lose-reply' } });
    const request = { instance: 'work', project: copy, archive, relation: 'issues' } as const;
    const { runId } = await world.client.call('import.relation', request);
    const list = async () =>
      (await new SandboxCalls(sandbox).get(`${projectUrl(copy)}/relation-imports`)) as unknown[];
    await expect.poll(async () => (await list()).length, poll).toBe(1);
    await world.app.close();
    const env = { PACKHORSE_TOKEN_WORK: sandbox.tokens.maintainer };
    const next = await openWorld({ dataDir: world.dataDir, env, keychain: scenery.keychain });
    expect((await only(next, runId)).state.status).toBe('succeeded');
    expect(await list()).toHaveLength(1);
  });

  it('that lost records again is warned of', async () => {
    const scenery = await withLosses();
    const { sandbox, world, archive, copy } = scenery;
    sandbox.faults.add({
      match: { path: '/import-relation$' },
      action: { kind: 'drop-records', relation: 'issues', count: 1 },
    });
    const request = { instance: 'work', project: copy, archive, relation: 'issues' } as const;
    const { runId } = await world.client.call('import.relation', request);
    expect((await only(world, runId)).state).toMatchObject({
      status: 'succeeded',
      warnings: [{ code: 'lost-on-import', where: 'issues' }],
    });
  });

  it('that the instance fails is told', async () => {
    const { sandbox, world, archive, copy } = await withLosses();
    sandbox.faults.add({
      match: { path: '/import-relation$' },
      action: { kind: 'end-relation-import', as: 'failed' },
    });
    const request = { instance: 'work', project: copy, archive, relation: 'issues' } as const;
    const { runId } = await world.client.call('import.relation', request);
    expect((await only(world, runId)).state).toMatchObject({
      status: 'failed',
      error: { code: 'relation-import-failed' },
    });
  });
});
