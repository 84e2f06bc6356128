/**
 * @file Work that the window starts while the instance does not respond: it is accepted, reports since when it waits, and
 * starts automatically.
 */
import { beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ended, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

let sandbox: Sandbox;
let world: World;
const unavailable = /^The instance has not answered since \d\d:\d\d \(HTTP 502\)\.$/;

beforeEach(async () => {
  sandbox = await openTestSandbox({ projectCount: 2 });
  world = await openWorld();
  await register(world, 'work', sandbox);
});

/** Makes the instance unavailable until the requested work reports that it waits. */
function outage(): { messages: string[]; onProgress: (progress: Progress) => void } {
  const messages: string[] = [];
  sandbox.faults.add({ match: { path: '/api/v4/' }, action: { kind: 'respond', status: 502 } });
  return {
    messages,
    onProgress({ waiting }) {
      if (waiting === undefined) return;
      messages.push(waiting);
      sandbox.faults.clear();
    },
  };
}

test('"Back up all" waits for the instance, and starts once it responds', async () => {
  const { messages, onProgress } = outage();
  const request = { instance: 'work', projects: 'all' as const, keepExisting: false, waits: true };
  const { runId, jobIds } = await world.client.call('backup.start', request, onProgress);
  expect(messages[0]).toMatch(unavailable);
  expect(jobIds).toHaveLength(2);
  expect((await ended(world, runId)).map(({ state }) => state.status)).toEqual(['succeeded', 'succeeded']);
});

test('"Run now" waits for the instance, and stores no failed run', async () => {
  const { plan } = await world.client.call('plan.save', planDraft());
  const { messages, onProgress } = outage();
  const { runId } = await world.client.call('plan.run', { id: plan.id, waits: true }, onProgress);
  expect(messages[0]).toMatch(unavailable);
  await ended(world, runId);
  const { runs } = await world.client.call('run.list', { limit: 5 });
  expect(runs.map(({ id }) => id)).toEqual([runId]);
});

test('without waiting, both fail at once', async () => {
  const { plan } = await world.client.call('plan.save', planDraft());
  sandbox.faults.add({ match: { path: '/api/v4/' }, action: { kind: 'respond', status: 502 } });
  const request = { instance: 'work', projects: 'all' as const, keepExisting: false };
  await expect(world.client.call('backup.start', request)).rejects.toMatchObject({ code: 'server-error' });
  await expect(world.client.call('plan.run', { id: plan.id })).rejects.toMatchObject({
    code: 'server-error',
  });
});
