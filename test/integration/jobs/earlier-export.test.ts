/** @file An earlier export that a backup finds on the instance, against a real sandbox. */
import { expect, test } from 'vitest';
import { receptionTimeOf } from '../../../src-contract/archives/archive.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ended, openTestSandbox, openWorld, register } from '../../support/world.ts';

const day = 86_400_000;
const path = 'atlas/compass';

test('an earlier export is dated by its export, does not make its project current, and is kept for 30 days', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const { id } = await sandbox.state.project(path);
  const headers = { 'private-token': sandbox.tokens.maintainer };
  const exportUrl = `${sandbox.url}/api/v4/projects/${id}/export`;
  expect((await fetch(exportUrl, { method: 'POST', headers })).status).toBe(202);
  await expect
    .poll(
      async () =>
        ((await (await fetch(exportUrl, { headers })).json()) as { export_status: string }).export_status,
    )
    .toBe('finished');

  const clock = new ShiftedClock(Date.now());
  clock.step(21 * day);
  const { client, ...world } = await openWorld({ clock });
  await register({ client, ...world }, 'work', sandbox);
  sandbox.state.change(path, { lastActivityAt: clock.now() - day });
  await client.call('instance.refresh', { name: 'work', visible: false });
  const { runId } = await client.call('backup.start', {
    instance: 'work',
    projects: [path],
    keepExisting: true,
  });
  expect(await ended({ client, ...world }, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  const { archives } = await client.call('archive.list', { limit: 9 });
  expect(archives).toHaveLength(2);
  const [fresh, kept] = archives;
  const age = (time = ''): number => Math.floor((clock.now() - Date.parse(time)) / day);
  // The members of a sandbox's export are older than its file.
  expect(age(fresh?.storedAt)).toBe(0);
  expect(age(kept?.storedAt)).toBeGreaterThanOrEqual(21);
  const { manifest } = await client.call('archive.show', { archive: kept?.id ?? '' });
  expect([age(receptionTimeOf(manifest)), age(kept?.proof?.at)]).toEqual([0, 0]);

  const { plan } = await client.call('plan.save', planDraft({ instance: 'work', keepLast: 1 }));
  const reasons = async () => {
    const preview = await client.call('plan.prunePreview', { id: plan.id, retention: plan.retention });
    return preview.projects.flatMap((project) => project.archives.map(({ reason }) => reason));
  };
  expect(await reasons()).toEqual(['among-newest', 'taken-in']);
  clock.step(31 * day);
  expect(await reasons()).toEqual(['among-newest', 'beyond-limits']);

  const status = async () => {
    const page = { sort: 'path', descending: false, offset: 0, limit: 9 } as const;
    const { projects } = await client.call('project.page', page);
    return projects.map(({ backupStatus }) => backupStatus);
  };
  expect(await status()).toEqual(['current']);
  await client.call('archive.moveToTrash', { archive: fresh?.id ?? '' });
  expect(await status()).toEqual(['changed']);
});
