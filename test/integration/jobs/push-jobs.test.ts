import { describe, expect, it } from 'vitest';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import {
  expectHidden,
  onlyJob,
  poll,
  postCount,
  openScene,
  signature,
  storageWith,
  type Scene,
} from '../../support/servers/transfer-scene.ts';

describe('an export', () => {
  const start = ({ world, project }: Scene, url: string) =>
    world.client.call('export.start', {
      instance: 'work',
      project,
      description: 'For the road',
      push: { url, method: 'PUT' },
    });

  it.each([
    ['that gets its response', null, 1],
    ['whose response is lost', { kind: 'lose-reply' } as const, 1],
    ['that is lost', { kind: 'reset' } as const, 2],
  ])(
    'that is pushed by a request %s arrives, and its address appears in no text and no file',
    async (_how, action, minRequests) => {
      const scenery = await openScene();
      const { sandbox, world, project } = scenery;
      // An export that finished earlier would prove nothing.
      await expect.poll(() => new SandboxCalls(sandbox).exportStatus(project), poll).toBe('finished');
      sandbox.state.append(project, 'milestones', { title: 'Later', iid: 99 });
      const before = postCount(scenery, /\/export$/);
      const storage = await storageWith(scenery.content);
      if (action !== null)
        sandbox.faults.add({ match: { method: 'POST', path: '/export$', nth: 1 }, action });
      const { runId, warnings } = await start(
        scenery,
        `${storage.url}/bucket/a.tar.gz?X-Amz-SignedHeaders=host&X-Amz-Signature=${signature}`,
      );
      expect(warnings).toHaveLength(1);
      expect(warnings.join(' ')).toContain('Content-Type');
      const job = await onlyJob(world, runId);
      expect(job).toMatchObject({ kind: 'change', state: { status: 'succeeded' } });
      expect(JSON.stringify(job.input)).toContain(`${storage.url}/bucket/a.tar.gz`);
      await expect
        .poll(() => storage.sent.filter(({ method }) => method === 'PUT').length, poll)
        .toBeGreaterThan(0);
      expect(storage.sent[0]?.url).toContain(signature);
      expect(storage.sent[0]?.headers['content-type']).toBe('application/gzip');
      // An earlier finished export hides whether the request arrived. The request is then sent again, and the same file
      // is pushed again.
      expect(postCount(scenery, /\/export$/) - before).toBeGreaterThanOrEqual(minRequests);
      await expectHidden(scenery, signature);
    },
  );

  it('is pushed once if there was no export before, even if the response is lost', async () => {
    const scenery = await openScene();
    const { sandbox, world } = scenery;
    const attributes = { path: 'fresh', initialize_with_readme: true };
    await new SandboxCalls(sandbox).call('/projects', 'POST', attributes);
    const storage = await storageWith(scenery.content);
    const action = { kind: 'lose-reply' } as const;
    sandbox.faults.add({ match: { method: 'POST', path: '/export$', nth: 1 }, action });
    const before = postCount(scenery, /\/export$/);
    const { runId } = await start(
      { ...scenery, project: 'maintainer/fresh' },
      `${storage.url}/a?sig=${signature}`,
    );
    expect((await onlyJob(world, runId)).state.status).toBe('succeeded');
    expect(postCount(scenery, /\/export$/) - before).toBe(1);
    await expect.poll(() => storage.sent.length, poll).toBe(1);
  });

  it('without an address to push to is only created', async () => {
    const { world, project, sandbox } = await openScene();
    const { runId, warnings } = await world.client.call('export.start', {
      instance: 'work',
      project,
      description: null,
      push: null,
    });
    expect(warnings).toEqual([]);
    expect((await onlyJob(world, runId)).state.status).toBe('succeeded');
    await expect.poll(() => new SandboxCalls(sandbox).exportStatus(project), poll).toBe('finished');
  });
});
