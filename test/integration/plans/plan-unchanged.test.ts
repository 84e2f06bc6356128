/** @file The changes of a project that a plan detects although it skips unchanged projects, against a real sandbox. */
import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ended, openTestSandbox, openWorld, register } from '../../support/world.ts';

const hour = 3_600_000;
const path = 'atlas/compass';

/** The last activity, which any change with an event moves. At least two hours ago: a newer one may hide a change. */
let activity = Date.now() - 48 * hour;
function moveActivity(sandbox: Sandbox): void {
  activity += hour;
  sandbox.state.change(path, { lastActivityAt: activity });
}

const addRecord = (relation: string, record: Record<string, unknown>) => (sandbox: Sandbox) => {
  sandbox.state.append(path, relation, record);
  sandbox.state.change(path, { lastActivityAt: activity });
};
const editProject = (body: Record<string, unknown>) => async (sandbox: Sandbox) => {
  const { id } = await sandbox.state.project(path);
  const answer = await fetch(`${sandbox.url}/api/v4/projects/${id}`, {
    method: 'PUT',
    headers: { 'private-token': sandbox.tokens.maintainer, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
};

test('a plan detects a change that moves the activity or a count; any other change waits for at most a week', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const clock = new ShiftedClock(Date.now());
  const world = await openWorld({ clock });
  await register(world, 'work', sandbox);
  const { plan } = await world.client.call('plan.save', planDraft({ skipUnchanged: true }));
  const outcome = async (): Promise<string[]> => {
    const { runId } = await world.client.call('plan.run', { id: plan.id });
    return (await ended(world, runId)).map(({ state }) => state.status);
  };
  sandbox.state.change(path, { lastActivityAt: activity });
  expect(await outcome()).toEqual(['succeeded']);
  expect(await outcome()).toEqual(['skipped']);
  const { runs } = await world.client.call('run.list', { limit: 1 });
  expect(runs).toMatchObject([{ outcome: 'skipped', skippedWhy: null, jobs: { skipped: 1 } }]);

  const detected: [what: string, apply: (sandbox: Sandbox) => unknown][] = [
    ['a new issue', addRecord('issues', { iid: 9001, title: 'New', state: 'opened', notes: [] })],
    ['a new label', addRecord('labels', { title: 'new', color: '#000000' })],
    ['a closed issue', moveActivity],
    ['a push', moveActivity],
    ['an edit of the wiki', moveActivity],
  ];
  for (const [what, apply] of detected) {
    await apply(sandbox);
    expect(await outcome(), what).toEqual(['succeeded']);
    expect(await outcome(), what).toEqual(['skipped']);
  }
  const undetected: [what: string, apply: (sandbox: Sandbox) => unknown][] = [
    ['a setting', editProject({ wiki_access_level: 'private' })],
    ['a description', editProject({ description: 'another' })],
    ['a topic', editProject({ topics: ['other'] })],
  ];
  for (const [what, apply] of undetected) {
    await apply(sandbox);
    expect(await outcome(), what).toEqual(['skipped']);
  }
  clock.step(7 * 24 * hour - hour);
  expect(await outcome()).toEqual(['skipped']);
  clock.step(hour);
  expect(await outcome()).toEqual(['succeeded']);
});

test('a requested backup creates an archive, even if it joins the job of a plan that would skip the project', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  sandbox.state.change(path, { lastActivityAt: Date.now() - 48 * hour });
  const { plan } = await world.client.call('plan.save', planDraft({ skipUnchanged: true }));
  const first = await world.client.call('plan.run', { id: plan.id });
  await ended(world, first.runId);
  const request = { instance: 'work', projects: [path], keepExisting: false };
  const archiveCount = async (): Promise<number> =>
    (await world.client.call('overview.show', {})).archives.count;

  await world.app.suspendJobs();
  const queuedRun = await world.client.call('plan.run', { id: plan.id });
  const firstBackup = await world.client.call('backup.start', request);
  world.app.startJobs(() => true);
  expect(await ended(world, firstBackup.runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(await ended(world, queuedRun.runId)).toMatchObject([
    { id: firstBackup.jobIds[0], state: { status: 'succeeded' }, input: { planId: plan.id } },
  ]);
  expect(await archiveCount()).toBe(2);

  // The backup is requested while the job of the plan checks for changes.
  const { id } = await sandbox.state.project(path);
  const checkStarted = Promise.withResolvers<undefined>();
  sandbox.faults.add({
    match: { method: 'GET', path: `/projects/${id}/labels`, times: 1 },
    action: { kind: 'delay', ms: 1_500 },
  });
  const unsubscribe = world.app.subscribe(() => {
    checkStarted.resolve(undefined);
  });
  const checkingRun = await world.client.call('plan.run', { id: plan.id });
  await checkStarted.promise;
  unsubscribe();
  const secondBackup = await world.client.call('backup.start', request);
  expect(await ended(world, secondBackup.runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(secondBackup.jobIds).toEqual((await ended(world, checkingRun.runId)).map((job) => job.id));
  expect(await archiveCount()).toBe(3);
});
