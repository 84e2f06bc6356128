/** The comparison and its sentences if the source can no longer be read, or only in part. */
import { expect, it, onTestFinished } from 'vitest';
import {
  openMigrationScene,
  storedReconciliations,
  type MigrationScene,
} from '../../support/migrations/migration-scene.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function opened(options: Parameters<typeof openMigrationScene>[1]): Promise<MigrationScene> {
  const scene = await openMigrationScene(temporaryFolder(), options);
  onTestFinished(() => scene.close());
  return scene;
}

it('a comparison without the source is possible on request, and declares that the source could not be read', async () => {
  const scene = await opened({ source: { projectCount: 1 } });
  const path = 'atlas/compass';
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  await scene.leaveUnverified('an instance has gone');
  const request = { migration: id, project: path };
  const body = { message: '401 Unauthorized' };
  scene.source.faults.add({
    match: { path: '/projects/' },
    action: { kind: 'respond', status: 401, body },
  });
  const unknownToken = await scene.client.call('migration.reconcile', request);
  expect(unknownToken.reconciliation.declared).toContainEqual(
    expect.stringMatching(/^source could not be read: The instance does not know this token/),
  );

  await scene.source.close();
  const { reconciliation } = await scene.client.call('migration.reconcile', request);
  expect(reconciliation).toMatchObject({ reconciled: true, missing: [], settings: [] });
  expect(reconciliation.declared).toContainEqual(
    expect.stringMatching(/^source could not be read: Nothing accepts connections at 127\.0\.0\.1/),
  );
  expect(reconciliation.declared).toContainEqual(
    expect.stringMatching(
      /on the source, .* not known: uploads, LFS objects, members, boards, .*push rules\.$/,
    ),
  );
  // These counts were taken around the export.
  const issues = reconciliation.rows.find(({ relation }) => relation === 'issues');
  expect(issues).toMatchObject({ source: issues?.archive, verdict: 'equal' });
});

it('a project whose source becomes unreachable before the comparison reports what it waits for, and is compared on request', async () => {
  const scene = await opened({ source: { projectCount: 1 }, target: { speed: { importStartedMs: 700 } } });
  const path = 'atlas/compass';
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ projects }) => projects.importing > 0);
  await scene.leaveUnverified('an instance has gone');
  await scene.source.close();
  const shown = async () => (await scene.projects(id))[0];
  await expect.poll(shown).toMatchObject({
    state: 'finishing',
    waitsFor: expect.stringMatching(
      /^The imported project could not be compared yet\. Packhorse tries again\. source: Nothing accepts connections/,
    ) as string,
  });
  await scene.client.call('migration.reconcile', { migration: id, project: path });
  expect(await shown()).toMatchObject({ state: 'arrived', waitsFor: null });
});

it.each([
  [14, 1],
  [16, 0],
])(
  'a changed label is lost only if the first comparison follows the import within a quarter of an hour: after %i minutes, %i are lost',
  async (minutes, lostCount) => {
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const scene = await opened({
      ...{ source: { projectCount: 1 }, target: { speed: { importStartedMs: 700 } } },
      clock,
    });
    const path = 'atlas/compass';
    const values = { color: '#000000' };
    scene.target.faults.add({
      match: { project: path, method: 'POST' },
      action: { kind: 'change-records', relation: 'labels', values, count: 1 },
    });
    const { id } = await scene.migration([path]);
    await scene.start(id);
    await scene.until(id, ({ projects }) => projects.importing > 0);
    await scene.leaveUnverified('an instance has gone');
    await scene.source.close();
    await expect.poll(async () => (await scene.projects(id))[0]?.state).toBe('finishing');
    aheadMs = minutes * 60_000;
    const { reconciliation } = await scene.client.call('migration.reconcile', {
      migration: id,
      project: path,
    });
    expect(reconciliation.missing).toHaveLength(lostCount);
    expect(reconciliation.declared.join(' ').includes('color of labels')).toBe(lostCount === 0);
  },
);

it('a relation that the account may not list on the source is declared by name', async () => {
  const scene = await opened({ source: { projectCount: 8 } });
  const path = scene.source.state.paths.find((fullPath) => fullPath.includes('almanac')) ?? '';
  scene.source.faults.add({
    match: { path: '/uploads\\b', method: 'GET' },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });
  scene.source.faults.add({
    match: { project: path, method: 'POST', path: '/export$' },
    action: { kind: 'drop-files', of: 'uploads', count: 1 },
  });
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const reconciliation = storedReconciliations(scene.dataDir).get(path);
  expect(reconciliation?.rows.find(({ relation }) => relation === 'uploads')).toMatchObject({
    source: null,
    verdict: 'equal',
  });
  expect(reconciliation?.declared).toContainEqual(
    'These could not be counted or listed on the source, so losses in the export are not known: uploads.',
  );
});

it('a loss that was found remains reported if the source can no longer be read', async () => {
  const scene = await opened({ source: { projectCount: 1 } });
  const path = 'atlas/compass';
  scene.source.faults.add({
    match: { project: path },
    action: { kind: 'drop-records', relation: 'labels', count: 1 },
  });
  scene.source.faults.add({
    match: { project: path },
    action: { kind: 'drop-records', relation: 'project_members', count: 1 },
  });
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const request = { migration: id, project: path };
  const first = await scene.client.call('migration.reconcile', request);
  const lost = first.reconciliation.missing.filter((record) => record.lost === 'on-export');
  expect(lost.map(({ relation }) => relation).sort()).toEqual(['labels', 'project_members']);

  await scene.leaveUnverified('an instance has gone');
  // The source refuses only the list of its members.
  scene.source.faults.add({
    match: { path: '/members\\b', method: 'GET' },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });
  const without = await scene.client.call('migration.reconcile', request);
  expect(without.reconciliation.missing).toEqual(expect.arrayContaining(lost));

  await scene.source.close();
  const { reconciliation, differences } = await scene.client.call('migration.reconcile', request);
  expect(reconciliation).toMatchObject({
    reconciled: false,
    missing: expect.arrayContaining(lost) as unknown,
  });
  expect(reconciliation.missing).toHaveLength(lost.length);
  expect(differences).toHaveLength(first.differences.length);
  expect(reconciliation.declared).toContainEqual(
    expect.stringMatching(/not known to be repaired still count/),
  );
  expect((await scene.projects(id))[0]).toMatchObject({ state: 'differs' });
});

it('a setting that an export lost is compared with its value on the source, also after the source is gone', async () => {
  const scene = await opened({ source: { projectCount: 1 } });
  const { source, target } = scene;
  const path = 'atlas/compass';
  const setTimeout = (sandbox: typeof source, seconds: number) =>
    new SandboxCalls(sandbox, sandbox.tokens.administrator).call(
      `/projects/${encodeURIComponent(path)}`,
      'PUT',
      {
        build_timeout: seconds,
      },
    );
  // The archive has another value than the source, although nobody edited the source after the export.
  source.state.onWork(async (moment, project) => {
    if (moment !== 'export-ended' || project !== path) return;
    await setTimeout(source, 7200);
    const longAgo = Date.now() - 86_400_000;
    source.state.change(path, { lastActivityAt: longAgo, updatedAt: longAgo });
  });
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const compare = async () => {
    const request = { migration: id, project: path };
    return (await scene.client.call('migration.reconcile', request)).reconciliation;
  };
  const lost = { attribute: 'build_timeout', expected: '7200', found: '3600', lost: 'on-export' };
  expect((await compare()).settings).toEqual([lost]);

  await scene.leaveUnverified('an instance has gone');
  await source.close();
  expect((await compare()).settings).toEqual([lost]);
  await setTimeout(target, 7200);
  // The second comparison does not find a loss in the earlier one.
  expect(await compare()).toMatchObject({ reconciled: true, settings: [] });
  expect(await compare()).toMatchObject({ reconciled: true, settings: [] });
  await setTimeout(target, 1800);
  expect((await compare()).settings).toEqual([{ ...lost, found: '1800' }]);
});
