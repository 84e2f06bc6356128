/**
 * @file The information about plans before a run: the projects of a selection, the forecast, and the list of plans.
 */
import { beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

const draft = planDraft();

let sandbox: Sandbox;
let world: World;

beforeEach(async () => {
  sandbox = await openTestSandbox({ projectCount: 2 });
  world = await openWorld({ clock: new ShiftedClock(Date.UTC(2026, 10, 20, 12)) });
  await register(world, 'work', sandbox);
});

it('the projects of a selection are requested from the instance, with its filters, before a plan exists', async () => {
  const { id } = await sandbox.state.project('atlas/compass');
  const put = await fetch(`${sandbox.url}/api/v4/projects/${id}`, {
    method: 'PUT',
    headers: { 'private-token': sandbox.tokens.maintainer, 'content-type': 'application/json' },
    body: JSON.stringify({ topics: ['sailing'] }),
  });
  expect(put.status).toBe(200);
  const matches = async (rule: object): Promise<string[]> => {
    const selection = { kind: 'rule', ...rule } as const;
    const found = await world.client.call('plan.matches', { instance: 'work', selection });
    expect(found).toMatchObject({ count: found.projects.length, leftOut: [], leftOutCount: 0 });
    return found.projects;
  };
  expect(await matches({ topic: 'sailing' })).toEqual(['atlas/compass']);
  expect(await matches({ group: 'atlas/tools', activeWithinDays: 3650, markedArchived: false })).toEqual([
    'atlas/tools/ferry',
  ]);
  expect(await matches({ starred: false, except: ['*/compass'] })).toEqual(['atlas/tools/ferry']);
  expect(await matches({ starred: true })).toEqual([]);
  const gone = { kind: 'projects' as const, projects: [{ id: 99_999, fullPath: 'a/gone' }] };
  expect(await world.client.call('plan.matches', { instance: 'work', selection: gone })).toEqual({
    ...{ count: 0, projects: [], leftOutCount: 1, covers: null, beyond: null },
    leftOut: [{ project: 'a/gone', why: 'it was deleted, or this account can no longer see it' }],
  });
});

it('the forecast of the next run is computed from the durations of exports, and is empty before the first export', async () => {
  const { plan } = await world.client.call('plan.save', draft);
  const readForecast = () => world.client.call('plan.forecast', { id: plan.id });
  expect(await readForecast()).toEqual({ count: 2, forecast: null });
  const [path = ''] = sandbox.state.paths;
  const [job] = await backUp(world, 'work', [path]);
  const { steps } = await world.client.call('job.steps', { job: job?.id ?? '' });
  const stepNamed = (name: string) => steps.find((step) => step.name === name);
  const durationMs = (stepNamed('store')?.finishedAt ?? NaN) - (stepNamed('request')?.startedAt ?? NaN);
  expect(durationMs).toBeGreaterThan(0);
  const startsAt = '2026-11-21T02:30:00.000Z';
  const endsAt = new Date(Date.parse(startsAt) + durationMs).toISOString();
  const { forecast } = await readForecast();
  expect(forecast).toMatchObject({ startsAt, endsAt, known: 1 });
  expect(forecast?.projects).toContainEqual({ project: path, startsAt, endsAt });
});

it('a run of a plan is shown with its forecast, if one existed', async () => {
  const { client } = world;
  const { plan } = await client.call('plan.save', planDraft({ skipUnchanged: false }));
  world.app.startJobs(() => true);
  const run = async () => {
    const { runId } = await client.call('plan.run', { id: plan.id });
    await expect
      .poll(async () => (await client.call('run.list', { limit: 1 })).runs[0]?.outcome)
      .toBe('succeeded');
    return (await client.call('run.forecast', { runId })).forecast;
  };
  expect(await run()).toBeNull();
  const second = await run();
  expect(second).toMatchObject({ count: 2, known: 2 });
  const { endsAt = '', startsAt = '', came = null } = second ?? {};
  expect(Date.parse(endsAt)).toBeGreaterThan(Date.parse(startsAt));
  expect(Date.parse(came?.endedAt ?? '')).toBeGreaterThan(Date.parse(startsAt));
});

it('an instance can have several plans, each with its own name', async () => {
  const { client } = world;
  await client.call('plan.save', planDraft({ name: 'nightly' }));
  await client.call('plan.save', planDraft({ name: 'weekly', at: '04:00' }));
  await expect(client.call('plan.save', planDraft({ name: 'Nightly' }))).rejects.toMatchObject({
    code: 'already-exists',
  });
  const { plans } = await client.call('plan.list', {});
  expect(plans.map(({ plan }) => plan.name)).toEqual(['nightly', 'weekly']);
  const { instances } = await client.call('overview.show', {});
  expect(instances[0]?.plan?.plan.name).toBe('nightly');
});
