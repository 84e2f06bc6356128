import { expect, it, onTestFinished } from 'vitest';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('a retry of lost notes is rejected, because a part of a record cannot be imported alone, and sends nothing', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const [project = ''] = scene.source.state.paths;
  scene.target.faults.add({
    match: { method: 'POST', path: '/projects/import$', project },
    action: { kind: 'drop-notes', relation: 'issues', count: 1 },
  });
  const { id } = await scene.migration([project]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const { reconciliation } = await scene.client.call('migration.reconciliation', { migration: id, project });
  expect(reconciliation?.missing).toMatchObject([{ relation: 'issues', part: { name: 'notes' } }]);
  const sent = scene.target.requests.length;
  const retry = { migration: id, project, relation: 'issues', records: 'missing' } as const;
  await expect(scene.client.call('migration.retry', retry)).rejects.toThrow(
    /^No complete record of issues .* 1 record is there without a part, such as a note, and a part cannot be imported alone/,
  );
  expect(scene.target.requests).toHaveLength(sent);
});

it('lost system notes are named, also of records without comments, and those that the target may hide are declared', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 5 } });
  onTestFinished(() => scene.close());
  const [issues = '', requests = '', , , withoutComments = ''] = scene.source.state.paths;
  const lose = { kind: 'drop-notes', count: 1, system: true } as const;
  const match = (project: string) => ({ method: 'POST', path: '/projects/import$', project });
  scene.target.faults.add({ match: match(issues), action: { ...lose, relation: 'issues' } });
  scene.target.faults.add({ match: match(requests), action: { ...lose, relation: 'merge_requests' } });
  scene.source.faults.add({
    match: { method: 'POST', path: '/export$', project: withoutComments },
    action: { ...lose, relation: 'issues' },
  });
  const mention = { note: 'mentioned in issue b/c#4', system_note_metadata: { action: 'cross_reference' } };
  scene.source.faults.add({
    match: { method: 'POST', project: requests },
    action: { kind: 'change-notes', relation: 'merge_requests', count: 1, system: true, values: mention },
  });
  const { id } = await scene.migration([issues, requests, withoutComments]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const all = storedReconciliations(scene.dataDir);
  expect(all.get(issues)?.missing).toMatchObject([
    {
      ...{ relation: 'issues', lost: 'on-import', iid: 1 },
      part: {
        name: 'system notes',
        expected: 1,
        found: 0,
        missing: [expect.stringMatching(/: changed the description$/)],
      },
    },
  ]);
  const hidden = all.get(requests);
  expect(hidden?.missing.filter(({ lost }) => lost === 'on-import')).toEqual([]);
  expect(hidden?.declared.join()).toContain('The target does not show 1 system note of the archive.');
  expect(all.get(withoutComments)?.missing).toMatchObject([
    { relation: 'issues', lost: 'on-export', part: { name: 'system notes', expected: 1, found: 0 } },
  ]);
});

it('an export that reopens threads lost their resolution, if it is older than the export', async () => {
  const scene = await openMigrationScene(temporaryFolder(), {
    source: { projectCount: 2, areProjectsLight: false },
  });
  onTestFinished(() => scene.close());
  const values = { resolved_at: null, resolved_by_id: null };
  scene.source.faults.add({
    match: { method: 'POST', path: '/export$' },
    action: { kind: 'change-notes', relation: 'merge_requests', count: 1000, values },
  });
  const { id } = await scene.migration(['atlas/tools/ferry']);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  expect(storedReconciliations(scene.dataDir).get('atlas/tools/ferry')?.missing).toContainEqual(
    expect.objectContaining({
      lost: 'on-export',
      part: expect.objectContaining({
        name: expect.stringMatching(/^resolved of the note of /) as string,
      }) as unknown,
    }),
  );
});
