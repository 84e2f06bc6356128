import { describe, expect, it } from 'vitest';
import { relationImportResultSchema } from '../../../src-contract/transfers/transfer-schema.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { backUp, openWorld } from '../../support/world.ts';
import { onlyJob, poll, postCount, openScene, type Scene } from '../../support/servers/transfer-scene.ts';
import { archiveFilter } from '../../support/requests.ts';

describe('an import of one relation', () => {
  /** Backs up a project, and creates a copy of it from an import that drops two issues. */
  async function copyWithLosses(
    importer: 'maintainer' | 'administrator' = 'administrator',
  ): Promise<Scene & { archive: string; copy: string }> {
    // Only one of many issues has an author who is no member.
    const scenery = await openScene({ areProjectsLight: false });
    const { sandbox, world, project, group } = scenery;
    if (importer === 'administrator') {
      await world.client.call('instance.setToken', {
        name: 'work',
        token: sandbox.tokens.administrator,
        keep: 'session',
      });
    }
    await backUp(world, 'work', [project]);
    const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
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
    await onlyJob(world, runId);
    sandbox.faults.clear();
    return { ...scenery, archive, copy: `${group}/copy` };
  }

  /** The author of a lost issue is no member of the source, so the archive does not name that user. */
  const otherAuthor = {
    code: 'author-lost',
    message: expect.stringMatching(/belong to root now: #\d+ \(not named in the archive\)/) as string,
  };

  const issuesIn = async ({ sandbox }: Scene, path: string): Promise<number> =>
    (await sandbox.state.project(path)).relations['issues']?.length ?? 0;

  it.each([
    ['that gets its response', null, 1],
    ['whose response is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])('by a request %s adds the missing records, once', async (_how, action, sentCount) => {
    const scenery = await copyWithLosses();
    const { sandbox, world, archive, copy, project } = scenery;
    const issueCount = await issuesIn(scenery, project);
    expect(await issuesIn(scenery, copy)).toBe(issueCount - 2);
    if (action !== null) {
      sandbox.faults.add({ match: { method: 'POST', path: '/import-relation$', nth: 1 }, action });
    }
    const { runId } = await world.client.call('import.relation', {
      instance: 'work',
      project: copy,
      archive,
      relation: 'issues',
    });
    const job = await onlyJob(world, runId);
    expect(job.state).toMatchObject({ status: 'succeeded', warnings: [otherAuthor] });
    expect(relationImportResultSchema.parse(job.result)).toMatchObject({
      relation: 'issues',
      fullPath: copy,
      inArchive: issueCount,
      before: issueCount - 2,
      after: issueCount,
    });
    expect(await issuesIn(scenery, copy)).toBe(issueCount);
    expect(postCount(scenery, /\/import-relation$/)).toBe(sentCount);
    const { relationImports } = await world.client.call('import.relations', {
      instance: 'work',
      project: copy,
    });
    expect(relationImports).toMatchObject([{ relation: 'issues', status: 'finished' }]);
  });

  it('resumes after a restart, and is requested once', async () => {
    const scenery = await copyWithLosses();
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
    expect((await onlyJob(next, runId)).state.status).toBe('succeeded');
    expect(await list()).toHaveLength(1);
  });

  it('that loses records again succeeds with a warning', async () => {
    const scenery = await copyWithLosses();
    const { sandbox, world, archive, copy } = scenery;
    sandbox.faults.add({
      match: { path: '/import-relation$' },
      action: { kind: 'drop-records', relation: 'issues', count: 1 },
    });
    const request = { instance: 'work', project: copy, archive, relation: 'issues' } as const;
    const { runId } = await world.client.call('import.relation', request);
    const lost = { code: 'lost-on-import', where: 'issues' };
    expect((await onlyJob(world, runId)).state).toMatchObject({
      status: 'succeeded',
      warnings: [
        { ...lost, message: expect.stringMatching(/should have \d+ and has \d+/) as string },
        {
          ...lost,
          message: expect.stringMatching(/still lacks these records of the archive: #\d+\.$/) as string,
        },
      ],
    });
  });

  it('that fails on the instance is reported as failed', async () => {
    const { sandbox, world, archive, copy } = await copyWithLosses();
    sandbox.faults.add({
      match: { path: '/import-relation$' },
      action: { kind: 'end-relation-import', as: 'failed' },
    });
    const request = { instance: 'work', project: copy, archive, relation: 'issues' } as const;
    const { runId } = await world.client.call('import.relation', request);
    expect((await onlyJob(world, runId)).state).toMatchObject({
      status: 'failed',
      error: {
        code: 'relation-import-failed',
        message: expect.stringContaining('reports that importing issues failed') as string,
      },
    });
  });

  const importing = (copy: string, archive: string) =>
    ({ instance: 'work', project: copy, archive, relation: 'issues' }) as const;

  it('changes no attribute of the project, although the archive contains them, and keeps the authors that the archive names', async () => {
    const scenery = await copyWithLosses();
    const { sandbox, world, archive, copy } = scenery;
    const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
    const ownAttributes = {
      description: 'mine',
      visibility: 'private',
      only_allow_merge_if_pipeline_succeeds: true,
    };
    await calls.call(projectUrl(copy), 'PUT', ownAttributes);
    const { runId } = await world.client.call('import.relation', importing(copy, archive));
    expect((await onlyJob(world, runId)).state).toMatchObject({
      status: 'succeeded',
      warnings: [otherAuthor],
    });
    expect(await calls.get(projectUrl(copy))).toMatchObject(ownAttributes);
    const issues = (await calls.get(`${projectUrl(copy)}/issues?per_page=100`)) as {
      author: { username: string };
    }[];
    expect(new Set(issues.map(({ author }) => author.username))).toEqual(new Set(['root']));
  });

  it('by an account that is no administrator makes that account the author, and a warning names it', async () => {
    const { world, archive, copy } = await copyWithLosses('maintainer');
    const { runId } = await world.client.call('import.relation', importing(copy, archive));
    expect((await onlyJob(world, runId)).state).toMatchObject({
      status: 'succeeded',
      warnings: [
        {
          code: 'author-lost',
          message: expect.stringMatching(/belong to maintainer now: #\d+ \(root\)/) as string,
        },
      ],
    });
  });

  it('fetches the members again when its job begins, and fails if it would remove one', async () => {
    const { sandbox, world, archive, copy } = await copyWithLosses('maintainer');
    sandbox.faults.add({
      match: { method: 'GET', path: '/relation-imports$' },
      action: { kind: 'respond', status: 502 },
    });
    const { runId } = await world.client.call('import.relation', importing(copy, archive));
    const requestCount = () =>
      sandbox.requests.filter(({ path }) => path.endsWith('/relation-imports')).length;
    await expect.poll(requestCount, poll).toBeGreaterThan(0);
    // The maintainer is the only member, so that an import by another account removes it.
    const token = sandbox.tokens.administrator;
    await world.client.call('instance.setToken', { name: 'work', token, keep: 'session' });
    sandbox.faults.clear();
    expect((await onlyJob(world, runId)).state).toMatchObject({
      status: 'failed',
      error: { code: 'members-at-risk' },
    });
    expect(sandbox.requests.filter(({ path }) => path.endsWith('/import-relation'))).toEqual([]);
  });

  it('that would remove members starts only after that is accepted, and then warnings name them', async () => {
    const { sandbox, world, archive, copy } = await copyWithLosses('maintainer');
    const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
    const guests = (await calls.get('/users?username=guest')) as { id: number }[];
    await calls.call(`${projectUrl(copy)}/members`, 'POST', { user_id: guests[0]?.id, access_level: 30 });
    await world.client.call('instance.setToken', {
      name: 'work',
      token: sandbox.tokens.administrator,
      keep: 'session',
    });
    const refused = world.client.call('import.relation', importing(copy, archive));
    await expect(refused).rejects.toMatchObject({
      code: 'members-at-risk',
      details: { members: 'maintainer (40), guest (30)' },
    });
    expect(sandbox.requests.filter(({ path }) => path.endsWith('/import-relation'))).toEqual([]);
    const accepted = { ...importing(copy, archive), removeMembers: true };
    const { runId } = await world.client.call('import.relation', accepted);
    expect((await onlyJob(world, runId)).state).toMatchObject({
      status: 'succeeded',
      warnings: [
        {
          code: 'member-removed',
          message: expect.stringContaining('maintainer (40), guest (30)') as string,
        },
        { code: 'member-added', message: expect.stringContaining('root (40)') as string },
        otherAuthor,
      ],
    });
  });
});
