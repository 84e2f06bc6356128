/**
 * @file A run whose export lost records, on a real sandbox: the complete archive is kept, and nothing reports success.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Run } from '../../../src-contract/runs/run.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { nextChange, ended, openTestSandbox, openWorld, register } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

const path = 'atlas/compass';

/** Opens a sandbox with an idle project, and a plan with a heartbeat that backs it up. */
async function openNightly() {
  const heartbeats: string[] = [];
  const monitor = createServer((request, response) => {
    heartbeats.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => monitor.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void monitor.close());
  const secretAddress = `http://127.0.0.1:${(monitor.address() as AddressInfo).port}/ping`;

  const sandbox = await openTestSandbox({ projectCount: 1 });
  sandbox.state.change(path, { lastActivityAt: Date.now() - 48 * 3_600_000 });
  const world = await openWorld({ keychain: new MemoryKeychain() });
  await register(world, 'work', sandbox);
  await world.client.call('instance.refresh', { name: 'work', visible: false });
  const draft = planDraft({ keepLast: 1, skipUnchanged: false, heartbeat: { secretAddress } });
  const { plan } = await world.client.call('plan.save', draft);

  const run = async (): Promise<Run> => {
    const { runId } = await world.client.call('plan.run', { id: plan.id });
    await ended(world, runId);
    for (;;) {
      const change = nextChange(world);
      const { runs } = await world.client.call('run.list', { limit: 20 });
      const found = runs.find(({ id }) => id === runId);
      if (found?.notes.every(({ awaits }) => awaits === undefined) === true) return found;
      await Promise.race([change, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
  };
  return { sandbox, world, draft, plan, run, heartbeats };
}

test('an export that lost records replaces no complete archive, is no success, and is repaired by the next run', async () => {
  const { sandbox, world, draft, plan, run, heartbeats } = await openNightly();
  const storedArchives = async () => {
    const list = archiveFilter({ limit: 10 });
    return (await world.client.call('archive.list', list)).archives.map(({ id, condition }) => ({
      id,
      condition,
    }));
  };
  const overviewCounts = async () => {
    const { instances, attention } = await world.client.call('overview.show', {});
    return { ...instances[0]?.statusCounts, kinds: attention.map(({ kind }) => kind) };
  };

  expect(await run()).toMatchObject({ outcome: 'succeeded' });
  expect(heartbeats).toHaveLength(1);
  const [complete] = await storedArchives();
  expect(await overviewCounts()).toMatchObject({ current: 1, incomplete: 0, kinds: [] });

  sandbox.faults.add({
    match: { project: path, path: '/export' },
    action: { kind: 'drop-records', relation: 'issues', count: 2 },
  });
  for (const nights of [1, 2]) {
    expect(await run()).toMatchObject({ outcome: 'incomplete' });
    // The plan keeps the newest incomplete archive and the complete one.
    expect(await storedArchives()).toEqual([
      { id: expect.any(String) as string, condition: 'incomplete' },
      complete,
    ]);
    expect(heartbeats, `after ${nights} nights`).toHaveLength(1);
  }
  expect(await overviewCounts()).toMatchObject({ current: 0, incomplete: 1 });
  expect((await overviewCounts()).kinds).toContain('projects-incomplete');
  const preview = await world.client.call('plan.prunePreview', { id: plan.id, retention: plan.retention });
  expect(preview.projects[0]?.archives).toMatchObject([
    { condition: 'incomplete', keep: true, reason: 'among-newest' },
    { id: complete?.id, condition: 'complete', keep: true, reason: 'more-complete' },
  ]);

  // A plan that skips unchanged projects backs this one up, although it has not changed.
  sandbox.faults.clear();
  await world.client.call('plan.save', planDraft({ ...draft, id: plan.id, skipUnchanged: true }));
  expect(await run()).toMatchObject({ outcome: 'succeeded', jobs: { succeeded: 1 } });
  expect(await storedArchives()).toEqual([{ id: expect.any(String) as string, condition: 'complete' }]);
  expect(await overviewCounts()).toMatchObject({ current: 1, incomplete: 0 });
  expect(await run()).toMatchObject({ outcome: 'skipped' });
  expect(heartbeats).toHaveLength(3);
});

test('a run that stored a suspicious archive is no success, because its project is not current', async () => {
  const { sandbox, world, run, heartbeats } = await openNightly();
  sandbox.faults.add({
    match: { project: path, path: '/export' },
    action: { kind: 'change-records', relation: 'issues', count: 1, values: { description: '\ud800' } },
  });
  expect(await run()).toMatchObject({ outcome: 'incomplete', jobs: { succeeded: 1 } });
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 10 }));
  expect(archives).toMatchObject([{ condition: 'suspicious' }]);
  const { instances } = await world.client.call('overview.show', {});
  expect(instances[0]?.statusCounts).toMatchObject({ current: 0, suspicious: 1 });
  expect(heartbeats).toEqual([]);
});
