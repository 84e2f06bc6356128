/** @file Repairs of migrated projects: what the import or the export lost is restored through GitLab's API. */
import { expect, it, onTestFinished } from 'vitest';
import type { Job } from '../../../src-contract/runs/job.ts';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Migrated extends MigrationScene {
  id: string;
  path: string;
}

/** Migrates a project, and makes its export or its import lose something. */
async function migrateWith(losses: { export?: FaultAction[]; import?: FaultAction[] }): Promise<Migrated> {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const [path = ''] = scene.source.state.paths;
  scene.source.state.edits(path).change('issues', -1, { confidential: true, due_date: '2031-04-05' });
  scene.source.state.edits(path).change('protected_branches', 0, { allow_force_push: true });
  const { export: onExport = [], import: onImport = [] } = losses;
  for (const action of onExport)
    scene.source.faults.add({ match: { method: 'POST', path: '/export$' }, action });
  for (const action of onImport) {
    scene.target.faults.add({ match: { method: 'POST', path: '/projects/import$' }, action });
  }
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return { ...scene, id, path };
}

const plan = ({ client, id, path }: Migrated) =>
  client.call('migration.repairs', { migration: id, project: path });

/** Sends all planned repairs and waits until the project was compared again. */
async function repairAll(scene: Migrated): Promise<Job> {
  const { client, id, path } = scene;
  const differences = [...new Set((await plan(scene)).repairs.map(({ difference }) => difference))];
  const { jobId } = await client.call('migration.repair', { migration: id, project: path, differences });
  await scene.until(id, ({ status }) => status === 'ended');
  return client.call('job.show', { job: jobId });
}

const lostValues = {
  title: 'Lost',
  description: 'Lost too',
  confidential: false,
  due_date: null,
  discussion_locked: true,
  label_links: [],
  milestone: null,
};
const changeIssue = { kind: 'change-records', relation: 'issues', count: 1, values: lostValues } as const;

it('adds and edits what the import lost, compares again, and the project has arrived', async () => {
  const scene = await migrateWith({
    import: [
      changeIssue,
      {
        ...{ kind: 'change-records', relation: 'milestones', count: 1 },
        values: { description: 'Other', state: 'closed' },
      },
      { kind: 'drop-records', relation: 'labels', count: 1 },
      { kind: 'drop-records', relation: 'protected_branches', count: 1 },
    ],
  });
  const { path, source, target } = scene;
  const planned = await plan(scene);
  expect(planned.unrepairable).toEqual([]);
  expect(planned.repairs.map(({ relation, field }) => `${relation} ${field ?? 'added'}`).toSorted()).toEqual([
    'issues confidential',
    'issues description',
    'issues discussion_locked',
    'issues due_date',
    'issues labels',
    'issues milestone',
    'issues title',
    'labels added',
    'milestones description',
    'milestones state',
    'protected_branches added',
  ]);
  // Grave differences come first, and labels are added before issues get them.
  expect(planned.repairs.slice(0, 3).map(({ relation, isGrave }) => [relation, isGrave])).toEqual([
    ['protected_branches', true],
    ['issues', true],
    ['labels', false],
  ]);

  const job = await repairAll(scene);

  expect(job.state).toMatchObject({ status: 'succeeded', warnings: [] });
  const [before, after] = [await source.state.project(path), await target.state.project(path)].map(
    ({ relations }) => ({
      issue: relations['issues']?.at(-1),
      branch: relations['protected_branches']?.[0],
      labels: relations['labels']?.map(({ title, color }) => [title, color]),
    }),
  );
  const { title, description, confidential, due_date: due, milestone } = before?.issue ?? {};
  expect(after?.issue).toMatchObject({ title, description, confidential, due_date: due });
  expect(after?.issue?.['milestone']).toMatchObject({ title: (milestone as { title: string }).title });
  expect(after?.branch).toMatchObject({ name: 'main', allow_force_push: true });
  expect(after?.labels).toEqual(before?.labels);
  expect(await scene.projects(scene.id)).toMatchObject([{ state: 'arrived', retryJobs: [job.id] }]);
  expect((await plan(scene)).repairs).toEqual([]);
});

it('restores from the source what the export lost', async () => {
  const scene = await migrateWith({
    export: [changeIssue, { kind: 'drop-records', relation: 'labels', count: 1 }],
  });
  const { repairs } = await plan(scene);
  expect(repairs.map(({ field, lost }) => [field, lost])).toEqual(
    expect.arrayContaining([
      ['title', 'on-export'],
      ['confidential', 'on-export'],
    ]),
  );

  await repairAll(scene);

  const source = await scene.source.state.project(scene.path);
  const { title, confidential } = source.relations['issues']?.at(-1) ?? {};
  const target = await scene.target.state.project(scene.path);
  expect(target.relations['issues']?.at(-1)).toMatchObject({ title, confidential });
});

it('leaves a value alone that somebody changed after the comparison, and says so', async () => {
  const scene = await migrateWith({ import: [changeIssue] });
  const { repairs } = await plan(scene);
  scene.target.state.edits(scene.path).change('issues', -1, { title: 'Edited by a person' });
  const differences = repairs.filter(({ field }) => field === 'title').map(({ difference }) => difference);

  const { jobId } = await scene.client.call('migration.repair', {
    ...{ migration: scene.id, project: scene.path, differences },
  });
  await scene.until(scene.id, ({ status }) => status === 'ended');

  const { state } = await scene.client.call('job.show', { job: jobId });
  expect(state).toMatchObject({
    status: 'succeeded',
    warnings: [{ code: 'not-repaired', message: expect.stringContaining('another value') as string }],
  });
  const target = await scene.target.state.project(scene.path);
  expect(target.relations['issues']?.at(-1)).toMatchObject({
    title: 'Edited by a person',
    confidential: false,
  });
});

it('adds a record once if the reply to the request is lost', async () => {
  const scene = await migrateWith({ import: [{ kind: 'drop-records', relation: 'labels', count: 1 }] });
  scene.target.faults.add({
    match: { method: 'POST', path: '/labels$', nth: 1 },
    action: { kind: 'cut', afterBytes: 0, framing: 'length', reset: true },
  });

  const { state } = await repairAll(scene);

  expect(state).toMatchObject({ status: 'succeeded', warnings: [] });
  const titles = (await scene.target.state.project(scene.path)).relations['labels']?.map(
    ({ title }) => title,
  );
  const source = await scene.source.state.project(scene.path);
  expect(titles).toEqual(source.relations['labels']?.map(({ title }) => title));
});

it('sends no other field of an issue that did not become confidential, and the other repairs', async () => {
  const scene = await migrateWith({
    import: [changeIssue, { kind: 'drop-records', relation: 'protected_branches', count: 1 }],
  });
  scene.target.faults.add({
    match: { method: 'PUT', path: '/issues/', nth: 1 },
    action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
  });

  const { state } = await repairAll(scene);

  expect(state).toMatchObject({ status: 'succeeded' });
  const warnings = state.status === 'succeeded' ? state.warnings.map(({ message }) => message) : [];
  expect(warnings.filter((message) => message.endsWith('The issue is not confidential.'))).toHaveLength(6);
  const { relations } = await scene.target.state.project(scene.path);
  expect(relations['issues']?.at(-1)).toMatchObject({ title: 'Lost', confidential: false });
  expect(relations['protected_branches']).toMatchObject([{ name: 'main' }]);
});

it('names what GitLab cannot restore, and refuses to repair it', async () => {
  const scene = await migrateWith({
    import: [
      { kind: 'drop-records', relation: 'issues', count: 1 },
      { kind: 'drop-notes', relation: 'issues', count: 1 },
    ],
  });
  const { repairs, unrepairable } = await plan(scene);
  expect(repairs).toEqual([]);
  expect(unrepairable.map(({ reason }) => reason).toSorted()).toEqual(['import-again', 'no-request']);
  const [first] = unrepairable;
  await expect(
    scene.client.call('migration.repair', {
      ...{ migration: scene.id, project: scene.path, differences: [first?.difference ?? ''] },
    }),
  ).rejects.toThrow(/is not open, or cannot be repaired/);
});
