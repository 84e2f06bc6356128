/**
 * @file The scope of plans and of "back up all", and projects that left it since the last run, against a real sandbox.
 */
import { expect, test } from 'vitest';
import type { Overview } from '../../../src-contract/runs/overview-schema.ts';
import type { Run } from '../../../src-contract/runs/run.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { archiveFilter } from '../../support/requests.ts';
import { backUp, ended, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

async function send(
  sandbox: Sandbox,
  method: string,
  path: string,
  token = sandbox.tokens.administrator,
): Promise<void> {
  const answer = await fetch(`${sandbox.url}/api/v4/${path}`, {
    method,
    headers: { 'private-token': token },
  });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
}

/** Deletes a project permanently. */
async function destroy(sandbox: Sandbox, fullPath: string): Promise<void> {
  const { id } = await sandbox.state.project(fullPath);
  await send(sandbox, 'DELETE', `projects/${id}`);
  const markedPath = encodeURIComponent(`${fullPath}-deletion_scheduled-${id}`);
  await send(sandbox, 'DELETE', `projects/${id}?permanently_remove=true&full_path=${markedPath}`);
}

const newestRun = async (world: World): Promise<Run | undefined> =>
  (await world.client.call('run.list', { limit: 1 })).runs[0];

const leftScope = ({ attention }: Overview) => attention.filter(({ kind }) => kind === 'left-scope');

test('a deleted project leaves a plan with a warning, and stays in the overview with the number of its archives', async () => {
  const sandbox = await openTestSandbox({ projectCount: 3 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const { plan } = await world.client.call('plan.save', planDraft({ skipUnchanged: true }));
  const run = async (): Promise<void> => {
    await ended(world, (await world.client.call('plan.run', { id: plan.id })).runId);
  };
  await run();
  const gone = 'atlas/compass';
  await destroy(sandbox, gone);
  await run();
  expect(await newestRun(world)).toMatchObject({
    outcome: 'warnings',
    notes: [
      {
        severity: 'warning',
        message: `No longer backed up: ${gone}: deleted on GitLab, or hidden from this account.`,
      },
    ],
  });
  expect(leftScope(await world.client.call('overview.show', {}))).toMatchObject([
    { project: gone, reason: 'deleted-or-hidden', archives: 1, plan: 'work' },
  ]);
  // A run reports the project once; the overview reports it until the user settles it.
  await run();
  expect(await newestRun(world)).toMatchObject({ outcome: 'skipped', notes: [] });
  expect(leftScope(await world.client.call('overview.show', {}))).toHaveLength(1);
});

test('a project marked for deletion is reported as such, and is exported again only if it may have changed after its newest archive', async () => {
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const { plan } = await world.client.call('plan.save', planDraft());
  await ended(world, (await world.client.call('plan.run', { id: plan.id })).runId);
  const marked = await sandbox.state.project('atlas/compass');
  await send(sandbox, 'DELETE', `projects/${marked.id}`);
  const { runId } = await world.client.call('plan.run', { id: plan.id });
  expect(await ended(world, runId)).toHaveLength(1);
  expect((await newestRun(world))?.notes).toMatchObject([
    { message: expect.stringMatching(/: marked for deletion on \d{4}-\d{2}-\d{2}\.$/) as string },
  ]);
  const exported = async (): Promise<(string | null)[]> => {
    const { runId: id } = await world.client.call('plan.run', { id: plan.id });
    return (await ended(world, id)).map(({ project }) => project);
  };
  const renamed = `atlas/compass-deletion_scheduled-${marked.id}`;
  const hour = 3_600_000;
  sandbox.state.change(renamed, { lastActivityAt: Date.now() - 2 * hour });
  expect(await exported()).toContain(renamed);
  expect(await exported()).not.toContain(renamed);
  // GitLab may not record activity within an hour after the last one.
  sandbox.state.change(renamed, { lastActivityAt: Date.now() });
  expect(await exported()).toContain(renamed);
  expect(await exported()).toContain(renamed);
});

test('backing up all stores the fetched list of projects, and reports the projects that left it since the last time', async () => {
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  await backUp(world, 'work', 'all');
  const { instances } = await world.client.call('overview.show', {});
  expect(instances).toMatchObject([{ projects: 2, statusCounts: { current: 2 } }]);
  expect(instances[0]?.refreshedAt).not.toBeNull();
  const gone = 'atlas/compass';
  await destroy(sandbox, gone);
  const request = { instance: 'work', projects: 'all', keepExisting: false } as const;
  const second = await world.client.call('backup.start', request);
  expect(second).toMatchObject({
    covers: 'projects that maintainer is a member of',
    notes: [{ severity: 'warning', message: expect.stringContaining(gone) as string }],
  });
  await ended(world, second.runId);
  expect((await newestRun(world))?.outcome).toBe('warnings');
  const overview = await world.client.call('overview.show', {});
  expect(overview.instances).toMatchObject([{ projects: 1 }]);
  expect(leftScope(overview)).toMatchObject([{ project: gone, archives: 1, plan: null }]);
});

test('the first run of "all" reports a deleted project that has only an incomplete archive', async () => {
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  await world.client.call('instance.refresh', { name: 'work', visible: false });
  const gone = 'atlas/compass';
  sandbox.faults.add({
    match: { project: gone, path: '/export' },
    action: { kind: 'drop-records', relation: 'issues', count: 2 },
  });
  await backUp(world, 'work', [gone]);
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 5 }));
  expect(archives).toMatchObject([{ fullPath: gone, condition: 'incomplete' }]);
  await destroy(sandbox, gone);
  await backUp(world, 'work', 'all');
  expect(leftScope(await world.client.call('overview.show', {}))).toMatchObject([
    { project: gone, archives: 1 },
  ]);
});

test('an administrator sees that projects exist beyond the membership, and can choose all visible projects', async () => {
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const world = await openWorld();
  await register(world, 'work', sandbox, sandbox.tokens.administrator);
  // The project is in the namespace of another user, so the administrator sees it without being a member.
  await send(sandbox, 'POST', 'projects?name=private', sandbox.tokens.maintainer);
  const matches = (scope: 'member' | 'owned' | 'visible') =>
    world.client.call('plan.matches', { instance: 'work', selection: { kind: 'all', scope } });
  expect(await matches('member')).toMatchObject({ count: 2, beyond: 1 });
  expect(await matches('visible')).toMatchObject({ count: 3, covers: 'all projects that root sees' });
});
