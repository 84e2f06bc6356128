import { describe, expect, it } from 'vitest';
import { scriptedServer } from '../../support/servers/scripted-server.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { ended, register } from '../../support/world.ts';
import {
  change,
  createChange,
  changeSuccessfully,
  writeTestFile,
  fork,
  requestCount,
  openScene,
} from '../../support/jobs/change-scene.ts';
import { jobFilter } from '../../support/requests.ts';

describe('a change', () => {
  it('that creates a project returns it with the requested attributes, in the namespace of its path', async () => {
    const scenery = await openScene();
    const { group } = scenery;
    const { project } = await changeSuccessfully(scenery, `${group}/made`, createChange('made'));
    expect(project).toMatchObject({
      fullPath: `${group}/made`,
      name: 'New one',
      visibility: 'internal',
      emptyRepository: false,
    });
  });

  it('that creates a project without a namespace uses the own namespace, or that of the user for whom it is created', async () => {
    const scenery = await openScene();
    expect((await changeSuccessfully(scenery, 'made', createChange('made'))).project?.fullPath).toBe(
      'root/made',
    );
    const users = (await scenery.calls.get('/users?username=developer')) as { id: number }[];
    const forUser = users[0]?.id ?? 0;
    const theirs = await changeSuccessfully(scenery, 'developer/made', { ...createChange('made'), forUser });
    expect(theirs.project).toMatchObject({ fullPath: 'developer/made', creatorId: forUser });
  });

  it('that forks a project ends when the fork is complete', async () => {
    const scenery = await openScene({ speed: { forkScheduledMs: 60, forkStartedMs: 60 } });
    const { project } = await changeSuccessfully(scenery, scenery.project, fork);
    expect(project).toMatchObject({ fullPath: 'root/copy', importStatus: 'finished' });
  });

  it('that forks a project fails if the fork fails', async () => {
    const scenery = await openScene();
    scenery.sandbox.faults.add({ match: { path: '/fork$' }, action: { kind: 'end-fork', as: 'failed' } });
    const job = await change(scenery, scenery.project, fork);
    expect(job.state).toMatchObject({ status: 'failed', error: { code: 'fork-failed' } });
  });

  it('that edits a project names attributes that a lower subscription did not apply', async () => {
    const scenery = await openScene({ tier: 'free' });
    const attributes = { description: 'Taken', approvals_before_merge: 2 };
    const job = await change(scenery, scenery.project, { kind: 'edit', attributes });
    expect(job).toMatchObject({
      state: { status: 'succeeded', warnings: [{ code: 'not-taken', where: 'approvals_before_merge' }] },
      result: { changed: true, project: { description: 'Taken' } },
    });
  });

  it('that deletes a project returns until when it can be undone, or no project if the deletion was not delayed', async () => {
    const delayed = await openScene();
    const { deletion, project } = await changeSuccessfully(delayed, delayed.project, {
      kind: 'delete',
      permanently: false,
    });
    expect(Date.parse(deletion?.finalOn ?? '') - Date.parse(deletion?.markedOn ?? '')).toBe(30 * 86_400_000);
    expect(project?.fullPath).toContain('-deletion_scheduled-');
    const atOnce = await openScene({ version: '15.11.0', tier: 'free', deletion: { delayed: false } });
    expect(
      await changeSuccessfully(atOnce, atOnce.project, { kind: 'delete', permanently: false }),
    ).toMatchObject({
      deletion: null,
      project: null,
    });
  });

  it('that uploads a file returns its Markdown', async () => {
    const scenery = await openScene();
    const sizeBytes = 12;
    const { uploaded } = await changeSuccessfully(scenery, scenery.project, {
      kind: 'upload',
      file: writeTestFile(),
      sizeBytes,
    });
    expect(uploaded?.markdown).toMatch(/^\[notes_of_today\.txt\]\(\/uploads\//);
  });

  it('with a password in the address to mirror from sends the password to GitLab, and it appears in no text and no file', async () => {
    const scenery = await openScene();
    const { world, sandbox, group, project } = scenery;
    const password = 'a-password-for-mirroring-0123';
    const address = `${sandbox.url.replace('://', `://me:${password}@`)}/${project}.git`;
    const attributes = { path: 'mirror', import_url: address };
    const sent: string[] = [];
    const relay = await scriptedServer(async ({ method, path, query, headers, body }, reply) => {
      const bytes = await body();
      sent.push(bytes.toString());
      const { 'private-token': token, 'content-type': type } = headers as Record<string, string>;
      const response = await fetch(`${sandbox.url}${path}?${query.toString()}`, {
        method,
        headers: { 'private-token': token ?? '', 'content-type': type ?? '' },
        ...(bytes.length > 0 && { body: bytes }),
      });
      const answer = Buffer.from(await response.arrayBuffer());
      reply.send(response.status, Object.fromEntries(response.headers), answer);
    });
    await register(world, 'relay', { ...sandbox, url: relay.url }, sandbox.tokens.administrator);
    const request = {
      instance: 'relay',
      project: `${group}/mirror`,
      change: { ...createChange('mirror'), attributes },
    };
    const { runId } = await world.client.call('project.change', request);
    const [job] = await ended(world, runId);
    expect(job).toMatchObject({ state: { status: 'succeeded' }, result: { project: { importType: 'git' } } });
    expect(sent.filter((text) => text.includes(password))).toEqual([expect.stringContaining(address)]);
    const { jobs } = await world.client.call('job.list', jobFilter({ limit: 9 }));
    expect(JSON.stringify(jobs)).toContain(`${sandbox.url}/${project}.git`);
    expect(JSON.stringify(jobs)).not.toContain(password);
    await world.app.close();
    expect(filesContaining(world.dataDir, encodingsOf(password))).toEqual([]);
  });

  it('to the state that a project already has is reported as no change, and nothing is sent', async () => {
    const scenery = await openScene();
    const { changed } = await changeSuccessfully(scenery, scenery.project, {
      kind: 'set-archived',
      archived: false,
    });
    expect(changed).toBe(false);
    expect(requestCount(scenery, 'POST', /archive/)).toBe(0);
  });
});

describe('a change is rejected', () => {
  const errorCodeOf = async (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'nothing',
      (error: unknown) => (error as { code: string }).code,
    );

  it('if it is a deletion that was not confirmed, or was confirmed for another project', async () => {
    const scenery = await openScene({ projectCount: 2 });
    const { world, sandbox } = scenery;
    const [first = '', second = ''] = sandbox.state.paths;
    const { confirmation } = await world.client.call('host.confirm', {
      action: 'project.delete',
      instance: 'work',
      project: second,
    });
    const change = { kind: 'delete', permanently: false } as const;
    for (const invalid of [null, 'a guess', confirmation]) {
      const request = { instance: 'work', project: first, change, confirmation: invalid };
      expect(await errorCodeOf(world.client.call('project.change', request))).toBe('confirmation-missing');
    }
    expect(requestCount(scenery, 'DELETE', /./)).toBe(0);
  });

  it('if an attribute is unknown, before anything is sent', async () => {
    const { world, project, sandbox } = await openScene();
    const attributes = { visibilty: 'public' };
    const before = sandbox.requests.filter(({ method }) => method !== 'GET').length;
    const change = { kind: 'edit', attributes } as const;
    expect(
      await errorCodeOf(world.client.call('project.change', { instance: 'work', project, change })),
    ).toBe('invalid-input');
    expect(await errorCodeOf(world.client.call('project.checkAttributes', { use: 'edit', attributes }))).toBe(
      'invalid-input',
    );
    expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
  });

  it('if the file to upload is gone or has changed', async () => {
    const { world, project } = await openScene();
    const path = writeTestFile();
    for (const change of [
      { kind: 'upload', file: `${path}.gone`, sizeBytes: 12 },
      { kind: 'upload', file: path, sizeBytes: 13 },
    ] as const) {
      expect(
        await errorCodeOf(world.client.call('project.change', { instance: 'work', project, change })),
      ).toBe('invalid-input');
    }
  });

  it('if it is a retry of a failed deletion', async () => {
    const scenery = await openScene();
    const { world, sandbox, project } = scenery;
    sandbox.faults.add({ match: { method: 'DELETE' }, action: { kind: 'respond', status: 403 } });
    const job = await change(scenery, project, { kind: 'delete', permanently: false });
    expect(job.state.status).toBe('failed');
    expect(await errorCodeOf(world.client.call('job.retry', { job: job.id }))).toBe('invalid-input');
  });

  it('by its job if the path is taken, and nothing is sent', async () => {
    const scenery = await openScene();
    const name = scenery.project.split('/').at(-1) ?? '';
    const job = await change(scenery, scenery.project, createChange(name));
    expect(job.state).toMatchObject({ status: 'failed', error: { code: 'path-taken' } });
    expect(requestCount(scenery, 'POST', /\/projects$/)).toBe(0);
  });

  it('by its job, with the reason, if the account may not make it', async () => {
    const { world, sandbox, project } = await openScene();
    await register(world, 'guest', sandbox, sandbox.tokens.developer);
    const change = { kind: 'set-archived', archived: true } as const;
    const { runId } = await world.client.call('project.change', { instance: 'guest', project, change });
    const [job] = await ended(world, runId);
    expect(job?.state).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    expect((await sandbox.state.project(project)).archived).toBe(false);
  });
});

describe('the confirmation of a deletion', () => {
  it('lists the project with its records, and contains the day until which it can be undone', async () => {
    const { world, project } = await openScene();
    const { destroys, deletion } = await world.client.call('host.confirm', {
      action: 'project.delete',
      instance: 'work',
      project,
    });
    expect(destroys[0]).toEqual({ what: 'project', name: project, count: null });
    expect(
      destroys.some(({ what, name, count }) => what === 'records' && name === 'issues' && (count ?? 0) > 0),
    ).toBe(true);
    expect(deletion?.delayed).toBe(true);
    expect(deletion?.finalOn).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});
