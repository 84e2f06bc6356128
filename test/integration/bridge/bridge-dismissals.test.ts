/** @file Overview items about something that is over can be dismissed, and are shown again when it happens again. */
import { expect, test } from 'vitest';
import type { Attention, Overview } from '../../../src-contract/runs/overview-schema.ts';
import { attentionSchema } from '../../../src-contract/runs/overview-schema.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { backUp, ended, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const overview = (world: World): Promise<Overview> => world.client.call('overview.show', {});
const itemsOf = async <Kind extends Attention['kind']>(world: World, kind: Kind) =>
  (await overview(world)).attention.filter(
    (item): item is Extract<Attention, { kind: Kind }> => item.kind === kind,
  );
const dismiss = (world: World, { dismissal }: { dismissal?: string | undefined }) => {
  expect(dismissal).toMatch(/^[0-9a-f]{10}$/);
  return world.client.call('overview.dismiss', { items: [dismissal ?? ''] });
};

async function openWithProjects(projects: number): Promise<{ world: World; sandbox: Sandbox }> {
  const sandbox = await openTestSandbox({ projectCount: projects });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  return { world, sandbox };
}

function refuseExports(sandbox: Sandbox, times: number): void {
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times },
    action: { kind: 'respond', status: 403, body: { message: 'no' } },
  });
}

test('a dismissed failure stays hidden in every process, and the next failure of the project is shown', async () => {
  const { world, sandbox } = await openWithProjects(1);
  await backUp(world, 'work', 'all');
  refuseExports(sandbox, 2);
  await backUp(world, 'work', 'all');
  const [first] = await itemsOf(world, 'job-failed');
  if (first === undefined) throw new Error('Nothing failed.');
  const changes: string[] = [];
  const unsubscribe = world.app.subscribe((name) => changes.push(name));
  await dismiss(world, first);
  unsubscribe();
  expect(changes).toEqual(['overview.changed']);
  expect(await itemsOf(world, 'job-failed')).toEqual([]);
  // The dismissal does not change the backup status of the project.
  expect((await overview(world)).instances).toMatchObject([{ statusCounts: { failed: 1 }, failedHeld: 1 }]);

  const [again] = await backUp(world, 'work', 'all');
  expect(again?.state.status).toBe('failed');
  expect(await itemsOf(world, 'job-failed')).toMatchObject([{ jobId: again?.id }]);
  const other = await openWorld({ dataDir: world.dataDir });
  expect(await itemsOf(other, 'job-failed')).toMatchObject([{ jobId: again?.id }]);
});

test('a dismissed item is shown again on request, and a second request is rejected', async () => {
  const { world, sandbox } = await openWithProjects(1);
  await backUp(world, 'work', 'all');
  refuseExports(sandbox, 1);
  await backUp(world, 'work', 'all');
  const [failed] = await itemsOf(world, 'job-failed');
  const items = [failed?.dismissal ?? ''];
  await dismiss(world, failed ?? {});
  await world.client.call('overview.restore', { items });
  expect(await itemsOf(world, 'job-failed')).toEqual([failed]);
  await expect(world.client.call('overview.restore', { items })).rejects.toMatchObject({
    code: 'attention-missing',
  });
});

test('a failed backup of a project without an archive cannot be dismissed, alone or among others', async () => {
  const { world, sandbox } = await openWithProjects(2);
  const [first = '', second = ''] = sandbox.state.paths;
  await backUp(world, 'work', [first]);
  refuseExports(sandbox, 1);
  await backUp(world, 'work', [second]);
  const [single] = await itemsOf(world, 'job-failed');
  expect(single).toMatchObject({ project: second });
  expect(single).not.toHaveProperty('dismissal');

  refuseExports(sandbox, 1);
  await backUp(world, 'work', [first]);
  const [both] = await itemsOf(world, 'jobs-failed');
  expect(both).toMatchObject({ total: 2 });
  expect(both).not.toHaveProperty('dismissal');
  await expect(world.client.call('overview.dismiss', { items: ['0123456789'] })).rejects.toMatchObject({
    code: 'attention-missing',
  });
  expect(await itemsOf(world, 'jobs-failed')).toEqual([both]);
});

test('failures that are reported as one item are dismissed together, and a later similar failure is an item of its own', async () => {
  const { world, sandbox } = await openWithProjects(3);
  await backUp(world, 'work', 'all');
  refuseExports(sandbox, 3);
  await backUp(world, 'work', 'all');
  const [combined] = await itemsOf(world, 'jobs-failed');
  expect(combined).toMatchObject({ total: 3 });
  await dismiss(world, combined ?? {});
  expect((await overview(world)).attention.filter(({ kind }) => /^jobs?-failed$/.test(kind))).toEqual([]);

  refuseExports(sandbox, 1);
  const [path = ''] = sandbox.state.paths;
  await backUp(world, 'work', [path]);
  expect(await itemsOf(world, 'job-failed')).toMatchObject([{ project: path }]);
});

test('an item that contains more failures than the user has seen is not dismissed', async () => {
  const { world, sandbox } = await openWithProjects(2);
  await backUp(world, 'work', 'all');
  const [first = '', second = ''] = sandbox.state.paths;
  refuseExports(sandbox, 2);
  await backUp(world, 'work', [first]);
  const [seen] = await itemsOf(world, 'job-failed');
  await backUp(world, 'work', [second]);
  await expect(dismiss(world, seen ?? {})).rejects.toMatchObject({ code: 'attention-missing' });
  expect(await itemsOf(world, 'jobs-failed')).toMatchObject([{ total: 2 }]);
});

test('a project whose warnings are dismissed is still reported as incomplete, which cannot be dismissed', async () => {
  const { world, sandbox } = await openWithProjects(1);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 1 },
    action: { kind: 'drop-records', relation: 'issues', count: 1 },
  });
  await backUp(world, 'work', 'all');
  const [warned] = await itemsOf(world, 'job-warnings');
  await dismiss(world, warned ?? {});
  expect(await itemsOf(world, 'job-warnings')).toEqual([]);
  expect(await itemsOf(world, 'projects-incomplete')).toEqual([
    { kind: 'projects-incomplete', instance: 'work', projects: 1 },
  ]);
});

test('a dismissed project that left a plan is reported again when it returns and leaves the plan again', async () => {
  const { world, sandbox } = await openWithProjects(2);
  const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  const { plan } = await world.client.call('plan.save', planDraft());
  const run = async (): Promise<void> => {
    await ended(world, (await world.client.call('plan.run', { id: plan.id })).runId);
  };
  await run();
  const { id } = (await calls.get(projectUrl('atlas/compass'))) as { id: number };
  const deleteProject = async (): Promise<void> => {
    expect((await calls.call(`/projects/${id}`, 'DELETE')).status).toBe(202);
    await run();
  };
  await deleteProject();
  const [leftItem] = await itemsOf(world, 'left-scope');
  expect(leftItem).toMatchObject({ project: 'atlas/compass' });
  await dismiss(world, leftItem ?? {});
  expect(await itemsOf(world, 'left-scope')).toEqual([]);
  await run();
  expect(await itemsOf(world, 'left-scope')).toEqual([]);

  expect((await calls.call(`/projects/${id}/restore`, 'POST')).status).toBe(201);
  await run();
  await deleteProject();
  const [again] = await itemsOf(world, 'left-scope');
  expect(again).toMatchObject({ projectId: id });
  expect(again?.dismissal).not.toBe(leftItem?.dismissal);
});

test('no item that reports data as unprotected now can be dismissed', () => {
  const dismissable = attentionSchema.options.flatMap(({ shape }) =>
    'dismissal' in shape ? [shape.kind.value] : [],
  );
  expect(dismissable).toEqual(['job-failed', 'jobs-failed', 'job-warnings', 'left-scope']);
});
