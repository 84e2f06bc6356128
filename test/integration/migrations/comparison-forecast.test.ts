/** @file Forecasts of comparisons, compared with the requests that the comparisons then send. */
import { expect, it } from 'vitest';
import { hasEnded } from '../../../src-contract/runs/job.ts';
import { chosenDepths } from '../../../src-contract/transfers/import.ts';
import { openFastScene } from '../../support/migrations/false-lists.ts';
import type { MigrationScene } from '../../support/migrations/migration-scene.ts';
import { archiveFilter } from '../../support/requests.ts';
import { openScene } from '../../support/servers/transfer-scene.ts';
import { backUp, nextChange } from '../../support/world.ts';

const path = 'borealis/blank-slate';

function addRecords({ source }: MigrationScene): void {
  const times = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' };
  const note = { note: 'Seen.', system: false, author_id: 1, ...times };
  // Lists of two pages.
  for (let iid = 10; iid < 110; iid += 1) {
    const notes = iid % 2 === 0 ? [note] : [];
    source.state.append(path, 'issues', { title: `Issue ${iid}`, iid, state: 'opened', notes, ...times });
  }
  for (let iid = 10; iid < 115; iid += 1)
    source.state.append(path, 'milestones', { title: `Milestone ${iid}`, iid, state: 'active', ...times });
}

it.each(chosenDepths)(
  'the forecast of a preflight is between 0.7 and 1.4 of the requests of a comparison by %s',
  async (compare) => {
    const scene = await openFastScene(5);
    addRecords(scene);
    const { id } = await scene.migration([path], { compare });
    await scene.start(id);
    const { check } = await scene.client.call('migration.lastCheck', { migration: id });
    expect(check?.comparison).toMatchObject({ depth: compare, isAtLeast: false });
    await scene.until(id, ({ status }) => status === 'ended');
    const sent = (): number => scene.source.requests.length + scene.target.requests.length;
    const before = sent();
    await scene.client.call('migration.reconcile', { migration: id, project: path });
    const ratio = (check?.comparison?.requests ?? 0) / (sent() - before);
    expect(ratio, `of ${sent() - before}`).toBeGreaterThan(0.7);
    expect(ratio, `of ${sent() - before}`).toBeLessThan(1.4);
    if (compare === 'contents') expect(sent() - before).toBeGreaterThan(200);
  },
  60_000,
);

it.each(chosenDepths)(
  'the forecast of an import is between 0.6 and 1.2 of the requests of a comparison by %s, and by contents at most 1',
  async (compare) => {
    const { world, sandbox, project, group } = await openScene();
    await backUp(world, 'work', [project]);
    const { archives } = await world.client.call('archive.list', archiveFilter());
    const { jobId, comparison } = await world.client.call('import.start', {
      ...{
        instance: 'work',
        archive: archives[0]?.id ?? '',
        namespace: group,
        path: 'restored',
        name: null,
      },
      ...{ overwrite: false, allowSuspicious: false, overrideParams: {}, compare },
    });
    for (;;) {
      const change = nextChange(world);
      const { state } = await world.client.call('job.show', { job: jobId });
      if (hasEnded(state)) break;
      await change;
    }
    const lastPoll = sandbox.requests.findLastIndex(({ path }) => path.endsWith('/import'));
    const sent = sandbox.requests.length - lastPoll - 1;
    expect(comparison).toMatchObject({ depth: compare, isAtLeast: compare === 'contents' });
    const ratio = (comparison?.requests ?? 0) / sent;
    expect(ratio, `of ${sent}`).toBeGreaterThan(0.6);
    expect(ratio, `of ${sent}`).toBeLessThanOrEqual(compare === 'contents' ? 1 : 1.2);
  },
);
