/** @file An import continues on the target while the target is unreachable for longer than the maximum outage. */
import { expect, it, onTestFinished } from 'vitest';
import { importInto, ended, openTestSandbox, openWorld, register, backUp } from '../../support/world.ts';
import { nextChange } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const unavailable = { kind: 'respond', status: 503 } as const;
const statusPolls = { method: 'GET', path: '/projects/[^/]+/import$' };
const posts = (requests: readonly { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/projects/import'));

async function scene() {
  const world = await openWorld({ maxOutageMs: 500 });
  const source = await openTestSandbox({ projectCount: 2 });
  const target = await openTestSandbox({ projectCount: 0, seed: 2 });
  await register(world, 'source', source, source.tokens.administrator);
  await register(world, 'target', target, target.tokens.administrator);
  onTestFinished(() => {
    target.faults.clear();
  });
  return { world, client: world.client, source, target };
}

it('a retried migration follows its earlier import, compares the project, and sends no other import', async () => {
  const { world, client, source, target } = await scene();
  const [fullPath = ''] = source.state.paths;
  const { id } = await source.state.project(fullPath);
  const { id: migration } = await client.call('migration.create', {
    ...{ name: 'Move', source: 'source', target: 'target', rules: [], overrideParams: {} },
    ...{ selection: { kind: 'projects', projects: [{ id, fullPath }] }, freeze: false, waveSize: null },
  });
  const shown = async () => {
    const { projects } = await client.call('migration.projects', {
      ...{ migration, state: null, wave: null, search: null, offset: 0, limit: 5 },
    });
    return projects[0];
  };
  const until = async (states: string[]) => {
    for (;;) {
      const change = nextChange(world);
      const project = await shown();
      if (states.includes(project?.state ?? '')) return project;
      await change;
    }
  };
  target.faults.add({ match: statusPolls, action: unavailable });
  const { findings } = await client.call('migration.check', { migration });
  for (const { id: finding, severity } of findings) {
    if (severity === 'blocker')
      await client.call('migration.override', { migration, finding, note: 'Meant.' });
  }
  await client.call('migration.start', { migration, createGroups: true });
  expect(await until(['failed', 'arrived', 'differs'])).toMatchObject({
    state: 'failed',
    error: { code: 'server-error' },
  });
  target.faults.clear();
  await client.call('migration.again', { migration, project: null, confirmation: null });
  const migrated = await until(['failed', 'arrived', 'differs']);
  expect(migrated?.error).toBeNull();
  expect(migrated?.state).toMatch(/arrived|differs/);
  expect(posts(target.requests)).toHaveLength(1);
});

it('a retried import follows the earlier import to its end and sends no other one', async () => {
  const { world, source, target } = await scene();
  const [path = ''] = source.state.paths;
  await backUp(world, 'source', [path]);
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
  const archive = archives[0]?.id ?? '';
  target.faults.add({ match: statusPolls, action: unavailable });
  const failed = await importInto(world, 'target', archive, { path: 'copy' });
  expect(failed.state).toMatchObject({ status: 'failed', error: { code: 'server-error' } });
  target.faults.clear();
  const { runId } = await world.client.call('job.retry', { job: failed.id });
  const [again] = await ended(world, runId);
  expect(again?.state.status).toBe('succeeded');
  expect(posts(target.requests)).toHaveLength(1);
});
