/** @file The changes of a project that a plan notices although it skips unchanged projects, against a real sandbox. */
import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ended, openTestSandbox, openWorld, register } from '../../support/world.ts';

const hour = 3_600_000;
const path = 'atlas/compass';

/** The effect in GitLab of any change with an event. At least two hours ago: a newer one may hide something. */
let activity = Date.now() - 48 * hour;
function moveActivity(sandbox: Sandbox): void {
  activity += hour;
  sandbox.state.change(path, { lastActivityAt: activity });
}

const add = (relation: string, record: Record<string, unknown>) => (sandbox: Sandbox) => {
  sandbox.state.append(path, relation, record);
  sandbox.state.change(path, { lastActivityAt: activity });
};
const put = (body: Record<string, unknown>) => async (sandbox: Sandbox) => {
  const { id } = await sandbox.state.project(path);
  const answer = await fetch(`${sandbox.url}/api/v4/projects/${id}`, {
    method: 'PUT',
    headers: { 'private-token': sandbox.tokens.maintainer, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
};

test('what moves the activity or a count is noticed, what moves neither waits for a week at the most', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
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

  const noticed: [what: string, happens: (sandbox: Sandbox) => unknown][] = [
    ['a new issue', add('issues', { iid: 9001, title: 'New', state: 'opened', notes: [] })],
    ['a new label', add('labels', { title: 'new', color: '#000000' })],
    ['a closed issue', moveActivity],
    ['a push', moveActivity],
    ['an edit of the wiki', moveActivity],
  ];
  for (const [what, happens] of noticed) {
    await happens(sandbox);
    expect(await outcome(), what).toEqual(['succeeded']);
    expect(await outcome(), what).toEqual(['skipped']);
  }
  const unnoticed: [what: string, happens: (sandbox: Sandbox) => unknown][] = [
    ['a setting', put({ wiki_access_level: 'private' })],
    ['a description', put({ description: 'another' })],
    ['a topic', put({ topics: ['other'] })],
  ];
  for (const [what, happens] of unnoticed) {
    await happens(sandbox);
    expect(await outcome(), what).toEqual(['skipped']);
  }
});

test('a backup that somebody asks for makes an archive, also where it joins the job of a plan that would skip it', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  sandbox.state.change(path, { lastActivityAt: Date.now() - 48 * hour });
  const { plan } = await world.client.call('plan.save', planDraft({ skipUnchanged: true }));
  const first = await world.client.call('plan.run', { id: plan.id });
  await ended(world, first.runId);
  const asked = { instance: 'work', projects: [path], keepExisting: false };
  const stored = async (): Promise<number> => (await world.client.call('overview.show', {})).archives.count;

  await world.app.suspendJobs();
  const queued = await world.client.call('plan.run', { id: plan.id });
  const joined = await world.client.call('backup.start', asked);
  world.app.startJobs(() => true);
  expect(await ended(world, joined.runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(await ended(world, queued.runId)).toMatchObject([
    { id: joined.jobIds[0], state: { status: 'succeeded' }, input: { planId: plan.id } },
  ]);
  expect(await stored()).toBe(2);

  // While the job of the plan checks for changes.
  const { id } = await sandbox.state.project(path);
  const counting = Promise.withResolvers<undefined>();
  sandbox.faults.add({
    match: { method: 'GET', path: `/projects/${id}/labels`, times: 1 },
    action: { kind: 'delay', ms: 1_500 },
  });
  const unsubscribe = world.app.subscribe(() => {
    counting.resolve(undefined);
  });
  const looking = await world.client.call('plan.run', { id: plan.id });
  await counting.promise;
  unsubscribe();
  const meanwhile = await world.client.call('backup.start', asked);
  expect(await ended(world, meanwhile.runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(meanwhile.jobIds).toEqual((await ended(world, looking.runId)).map((job) => job.id));
  expect(await stored()).toBe(3);
});
