/** @file Items of the overview that tell of something that is over can be dismissed, and come back when it happens again. */
import { expect, test } from 'vitest';
import type { Attention, Overview } from '../../../src-contract/runs/overview-schema.ts';
import { attentionSchema } from '../../../src-contract/runs/overview-schema.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { backUp, ended, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const overview = (world: World): Promise<Overview> => world.client.call('overview.show', {});
const only = async <Kind extends Attention['kind']>(world: World, kind: Kind) =>
  (await overview(world)).attention.filter(
    (one): one is Extract<Attention, { kind: Kind }> => one.kind === kind,
  );
const dismiss = (world: World, { dismissal }: { dismissal?: string | undefined }) => {
  expect(dismissal).toMatch(/^[0-9a-f]{10}$/);
  return world.client.call('overview.dismiss', { items: [dismissal ?? ''] });
};

async function opened(projects: number): Promise<{ world: World; sandbox: Sandbox }> {
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
  const { world, sandbox } = await opened(1);
  await backUp(world, 'work', 'all');
  refuseExports(sandbox, 2);
  await backUp(world, 'work', 'all');
  const [first] = await only(world, 'job-failed');
  if (first === undefined) throw new Error('Nothing failed.');
  const changes: string[] = [];
  const unsubscribe = world.app.subscribe((name) => changes.push(name));
  await dismiss(world, first);
  unsubscribe();
  expect(changes).toEqual(['overview.changed']);
  expect(await only(world, 'job-failed')).toEqual([]);
  // How the project stands does not change by it.
  expect((await overview(world)).instances).toMatchObject([{ statusCounts: { failed: 1 }, failedHeld: 1 }]);

  const [again] = await backUp(world, 'work', 'all');
  expect(again?.state.status).toBe('failed');
  expect(await only(world, 'job-failed')).toMatchObject([{ jobId: again?.id }]);
  const other = await openWorld({ dataDir: world.dataDir });
  expect(await only(other, 'job-failed')).toMatchObject([{ jobId: again?.id }]);
});

test('what was dismissed is shown again on request, once', async () => {
  const { world, sandbox } = await opened(1);
  await backUp(world, 'work', 'all');
  refuseExports(sandbox, 1);
  await backUp(world, 'work', 'all');
  const [failed] = await only(world, 'job-failed');
  const items = [failed?.dismissal ?? ''];
  await dismiss(world, failed ?? {});
  await world.client.call('overview.restore', { items });
  expect(await only(world, 'job-failed')).toEqual([failed]);
  await expect(world.client.call('overview.restore', { items })).rejects.toMatchObject({
    code: 'attention-missing',
  });
});

test('a failed backup of a project without an archive cannot be dismissed, alone or among others', async () => {
  const { world, sandbox } = await opened(2);
  const [first = '', second = ''] = sandbox.state.paths;
  await backUp(world, 'work', [first]);
  refuseExports(sandbox, 1);
  await backUp(world, 'work', [second]);
  const [alone] = await only(world, 'job-failed');
  expect(alone).toMatchObject({ project: second });
  expect(alone).not.toHaveProperty('dismissal');

  refuseExports(sandbox, 1);
  await backUp(world, 'work', [first]);
  const [both] = await only(world, 'jobs-failed');
  expect(both).toMatchObject({ total: 2 });
  expect(both).not.toHaveProperty('dismissal');
  await expect(world.client.call('overview.dismiss', { items: ['0123456789'] })).rejects.toMatchObject({
    code: 'attention-missing',
  });
  expect(await only(world, 'jobs-failed')).toEqual([both]);
});

test('failures that are told as one are dismissed as one, and a later one like them stands alone', async () => {
  const { world, sandbox } = await opened(3);
  await backUp(world, 'work', 'all');
  refuseExports(sandbox, 3);
  await backUp(world, 'work', 'all');
  const [alike] = await only(world, 'jobs-failed');
  expect(alike).toMatchObject({ total: 3 });
  await dismiss(world, alike ?? {});
  expect((await overview(world)).attention.filter(({ kind }) => /^jobs?-failed$/.test(kind))).toEqual([]);

  refuseExports(sandbox, 1);
  const [one = ''] = sandbox.state.paths;
  await backUp(world, 'work', [one]);
  expect(await only(world, 'job-failed')).toMatchObject([{ project: one }]);
});

test('an item that tells of more than somebody has seen is not dismissed', async () => {
  const { world, sandbox } = await opened(2);
  await backUp(world, 'work', 'all');
  const [first = '', second = ''] = sandbox.state.paths;
  refuseExports(sandbox, 2);
  await backUp(world, 'work', [first]);
  const [seen] = await only(world, 'job-failed');
  await backUp(world, 'work', [second]);
  await expect(dismiss(world, seen ?? {})).rejects.toMatchObject({ code: 'attention-missing' });
  expect(await only(world, 'jobs-failed')).toMatchObject([{ total: 2 }]);
});

test('dismissed warnings leave the project incomplete, which cannot be dismissed', async () => {
  const { world, sandbox } = await opened(1);
  sandbox.faults.add({
    match: { method: 'POST', path: '/export$', times: 1 },
    action: { kind: 'drop-records', relation: 'issues', count: 1 },
  });
  await backUp(world, 'work', 'all');
  const [warned] = await only(world, 'job-warnings');
  await dismiss(world, warned ?? {});
  expect(await only(world, 'job-warnings')).toEqual([]);
  expect(await only(world, 'projects-incomplete')).toEqual([
    { kind: 'projects-incomplete', instance: 'work', projects: 1 },
  ]);
});

test('a project that left a plan is dismissed, and told again when it comes back and leaves again', async () => {
  const { world, sandbox } = await opened(2);
  const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  const { plan } = await world.client.call('plan.save', planDraft());
  const run = async (): Promise<void> => {
    await ended(world, (await world.client.call('plan.run', { id: plan.id })).runId);
  };
  await run();
  const { id } = (await calls.get(projectUrl('atlas/compass'))) as { id: number };
  const leave = async (): Promise<void> => {
    expect((await calls.call(`/projects/${id}`, 'DELETE')).status).toBe(202);
    await run();
  };
  await leave();
  const [left] = await only(world, 'left-scope');
  expect(left).toMatchObject({ project: 'atlas/compass' });
  await dismiss(world, left ?? {});
  expect(await only(world, 'left-scope')).toEqual([]);
  await run();
  expect(await only(world, 'left-scope')).toEqual([]);

  expect((await calls.call(`/projects/${id}/restore`, 'POST')).status).toBe(201);
  await run();
  await leave();
  const [again] = await only(world, 'left-scope');
  expect(again).toMatchObject({ projectId: id });
  expect(again?.dismissal).not.toBe(left?.dismissal);
});

test('nothing that says that data is not protected now has a name to dismiss it by', () => {
  const dismissable = attentionSchema.options.flatMap(({ shape }) =>
    'dismissal' in shape ? [shape.kind.value] : [],
  );
  expect(dismissable).toEqual(['job-failed', 'jobs-failed', 'job-warnings', 'left-scope']);
});
