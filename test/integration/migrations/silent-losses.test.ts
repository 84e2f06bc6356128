/**
 * @file Losses that change no count. The comparison of a migration or an import names each of them, or reports it as
 * unknown.
 */
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { backUp, importInto, openTestSandbox, openWorld, register } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

it('a migration names a missing protected branch and a missing upload, compares wikis, and keeps the name of every project', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 12 } });
  onTestFinished(() => scene.close());
  const pathTo = (name: string): string => scene.source.state.paths.find((path) => path.endsWith(name)) ?? '';
  const [imported, exported, named] = ['/compass', '/ferry', '/zolw'].map(pathTo) as [string, string, string];
  const almanac = pathTo('/almanac');
  const drop = { kind: 'drop-records', relation: 'protected_branches', count: 1 } as const;
  scene.target.faults.add({
    match: { method: 'POST', path: '/projects/import$', project: imported },
    action: drop,
  });
  scene.source.faults.add({ match: { method: 'POST', path: '/export$', project: exported }, action: drop });
  scene.source.faults.add({
    match: { method: 'POST', path: '/export$', project: almanac },
    action: { kind: 'drop-files', of: 'uploads', count: 1 },
  });
  const { id } = await scene.migration([imported, exported, named, almanac]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');

  const compared = storedReconciliations(scene.dataDir);
  expect(compared.get(imported)).toMatchObject({
    reconciled: false,
    missing: [{ relation: 'protected_branches', lost: 'on-import', title: 'main' }],
  });
  expect(compared.get(exported)).toMatchObject({
    reconciled: false,
    missing: [{ relation: 'protected_branches', lost: 'on-export', title: 'main' }],
  });
  expect(compared.get(almanac)).toMatchObject({
    missing: [
      { relation: 'uploads', lost: 'on-export', title: expect.stringMatching(/ bytes\)$/) as string },
    ],
    rows: expect.arrayContaining([
      { relation: 'wiki', source: 1, archive: 1, target: 1, verdict: 'equal' },
    ]) as unknown,
  });
  expect(compared.get(named)).toMatchObject({ reconciled: true, missing: [], settings: [] });
  expect(compared.get(named)?.rows).toContainEqual({
    ...{ relation: 'boards', source: 1, archive: 1, target: 1 },
    verdict: 'equal',
  });
  expect(compared.get(named)?.notCompared).toContainEqual({ part: 'approval_rules', records: 0 });
  for (const project of [imported, exported, named, almanac]) {
    const { name } = await scene.source.state.project(project);
    expect((await scene.target.state.project(project)).name, project).toBe(name);
  }
  expect((await scene.target.state.project(named)).name).toBe('Żółw 日本語 Ελλάδα');
});

it('a branch at the parent of its commit, after the export or the import, and a name that the import lost are named', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 12 } });
  onTestFinished(() => scene.close());
  const pathTo = (name: string): string => scene.source.state.paths.find((path) => path.endsWith(name)) ?? '';
  const [exported, imported, renamed] = ['/lighthouse', '/ferry', '/zolw'].map(pathTo) as [
    ...[string, string, string],
  ];
  const move = { kind: 'move-refs', of: 'branches', count: 1 } as const;
  const add = (side: 'source' | 'target', project: string, action: FaultAction): void => {
    scene[side].faults.add({ match: { method: 'POST', project }, action });
  };
  add('source', exported, move);
  add('target', imported, move);
  add('target', renamed, { kind: 'drop-settings', names: ['name'] });
  const { id } = await scene.migration([exported, imported, renamed]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');

  const compared = storedReconciliations(scene.dataDir);
  const sha = expect.stringMatching(/^[0-9a-f]{8}$/) as string;
  const part = { name: 'commit', values: { expected: sha, found: sha } };
  for (const [path, lost] of [
    [exported, 'on-export'],
    [imported, 'on-import'],
  ] as const)
    expect(compared.get(path)).toMatchObject({
      reconciled: false,
      missing: [{ relation: 'branches', title: 'main', lost, part }],
    });
  expect(compared.get(renamed)).toMatchObject({
    reconciled: false,
    missing: [],
    settings: [{ attribute: 'name', expected: 'Żółw 日本語 Ελλάδα', found: 'zolw', lost: 'on-import' }],
  });
  expect((await scene.verify()).disagreements).toEqual([]);
});

it('a branch that only a deploy key could change, and Maintainers can after the migration, is a loss of the export', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const [path = ''] = scene.source.state.paths;
  const deployKey = { access_level: 40, deploy_key_id: 9 };
  scene.source.state.edits(path).change('protected_branches', 0, {
    push_access_levels: [{ access_level: 0 }, deployKey],
  });
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const compared = storedReconciliations(scene.dataDir).get(path);
  const part = { name: 'push access level', values: { expected: '0', found: '40' } };
  expect(compared).toMatchObject({
    reconciled: false,
    missing: [{ relation: 'protected_branches', lost: 'on-export', part }],
  });
  expect(compared?.declared.join()).toContain('deploy keys that may push');
  expect((await scene.verify()).disagreements).toEqual([]);
});

it('evidence of a release and tags of jobs, which no export contains, are named and are no loss', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 12 } });
  onTestFinished(() => scene.close());
  const path = scene.source.state.paths.find((each) => each.endsWith('/lighthouse')) ?? '';
  const edits = scene.source.state.edits(path);
  edits.change('releases', 0, { evidences: [{ sha: 'c0ffee' }] });
  const stages = edits.records('ci_pipelines')[0]?.['stages'] as { builds: object[] }[];
  const withTags = ({ builds, ...stage }: (typeof stages)[number]) => ({
    ...stage,
    builds: builds.map((job) => ({ ...job, tag_list: ['docker'] })),
  });
  edits.change('ci_pipelines', 0, { stages: stages.map(withTags) });
  const { id } = await scene.migration([path], { compare: 'contents' });
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const compared = storedReconciliations(scene.dataDir).get(path);
  expect(compared).toMatchObject({ reconciled: true, missing: [] });
  expect(compared?.declared).toContain(
    'No export contains these parts of the source (number of records, of those that were read): evidence of releases (1), tags of jobs (1).',
  );
  expect((await scene.verify()).disagreements).toEqual([]);
});

it('a pipeline of the Web IDE, which no export contains, is named and is no loss', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 12 } });
  onTestFinished(() => scene.close());
  const path = scene.source.state.paths.find((each) => each.endsWith('/lighthouse')) ?? '';
  scene.source.state.edits(path).change('ci_pipelines', 0, { source: 'webide' });
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const compared = storedReconciliations(scene.dataDir).get(path);
  expect(compared).toMatchObject({ reconciled: true, missing: [] });
  expect(compared?.declared).toContain('GitLab exports no pipelines of these sources: webide (1).');
  expect(compared?.rows.find(({ relation }) => relation === 'ci_pipelines')?.verdict).toBe('equal');
  expect((await scene.verify()).disagreements).toEqual([]);
});

it('an import by an account without administrator rights names the members that it did not import', async () => {
  const world = await openWorld();
  const source = await openTestSandbox({ projectCount: 3 });
  const target = await openTestSandbox({ seed: 2 });
  await register(world, 'source', source);
  await register(world, 'target', target, target.tokens.maintainer);
  const [backedUp] = await backUp(world, 'source', ['atlas/compass']);
  expect(backedUp?.state.status).toBe('succeeded');
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 10 }));
  const job = await importInto(world, 'target', archives[0]?.path ?? '');
  const { reconciliation } = importResultSchema.parse(job.result);
  expect(reconciliation.unproven).toContain('project_members');
  expect(reconciliation.declared.join(' ')).toMatch(
    /not an administrator, so GitLab imported no members.*lacks these members: /,
  );
});

it('an import whose target does not list its members reports that their arrival is not known', async () => {
  const world = await openWorld();
  const source = await openTestSandbox({ projectCount: 3 });
  const target = await openTestSandbox({ seed: 2 });
  await register(world, 'source', source);
  await register(world, 'target', target);
  await backUp(world, 'source', ['atlas/compass']);
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 10 }));
  target.faults.add({
    match: { method: 'GET', path: '/members' },
    action: { kind: 'respond', status: 403 },
  });
  const job = await importInto(world, 'target', archives[0]?.path ?? '');
  const { reconciliation } = importResultSchema.parse(job.result);
  expect(reconciliation.unproven).toContain('project_members');
  expect(reconciliation.declared.join(' ')).toMatch(/members of the target could not be listed/);
});

it('labels of the target’s groups are not counted, except one that an import uses instead of creating its label', async () => {
  const world = await openWorld();
  const target = await openTestSandbox({ projectCount: 1 });
  await register(world, 'target', target);
  const label = { color: '#000000', description: 'Archived', type: 'ProjectLabel' };
  const importWith = async (fullPath: string, ...titles: string[]) => {
    const file = join(temporaryFolder(), 'export.tar.gz');
    const records = titles.map((title) => ({ title, ...label }));
    writeFileSync(file, await exportArchive({ 'tree/project/labels.ndjson': lines(...records) }));
    const [namespace, path] = [dirname(fullPath), basename(fullPath)];
    const job = await importInto(world, 'target', file, { namespace, path });
    return importResultSchema.parse(job.result).reconciliation;
  };
  const labelsOf = ({ rows }: Awaited<ReturnType<typeof importWith>>) =>
    rows.find(({ relation }) => relation === 'labels');
  const own = await importWith('atlas/own', 'bug');
  expect(labelsOf(own)).toMatchObject({ archive: 1, target: 1 });
  // The group has a label with this title, and with another colour.
  const shared = await importWith('atlas/shared', 'bug', 'group::shared');
  expect(labelsOf(shared)).toMatchObject({ archive: 2, target: 2 });
  expect(shared.missing).toEqual([]);
  expect((await target.state.project('atlas/shared')).relations['labels']).toHaveLength(1);
  // The label belongs to the group above this one.
  const below = await importWith('atlas/tools/shared', 'bug', 'group::shared');
  expect(labelsOf(below)).toMatchObject({ archive: 2, target: 2 });
  expect(below.missing).toEqual([]);
});

it('labels and milestones of groups in an archive are compared with what the target has under their titles', async () => {
  const world = await openWorld();
  const target = await openTestSandbox({ projectCount: 1 });
  await register(world, 'target', target);
  target.state.addGroupMilestone('atlas', '1.0');
  const label = { color: '#428bca', description: null, type: 'GroupLabel', group_id: 5, priorities: [] };
  const milestone = { ...{ title: '1.0', description: 'GA', group_id: 5, state: 'active' }, iid: 3 };
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const issue = {
    ...{ iid: 1, project_id: 1, title: 'x', state: 'opened', ...times },
    label_links: [{ label: { title: 'group::shared', ...label } }, { label: { title: 'P1', ...label } }],
    milestone: { ...milestone, start_date: null, due_date: '2026-06-30', ...times },
  };
  const importWith = async (namespace: string) => {
    const file = join(temporaryFolder(), 'export.tar.gz');
    writeFileSync(file, await exportArchive({ 'tree/project/issues.ndjson': lines(issue) }));
    const job = await importInto(world, 'target', file, { namespace, path: 'shared' });
    return importResultSchema.parse(job.result).reconciliation;
  };
  // The group has the label with the same contents, and a milestone without a description.
  const shared = await importWith('atlas');
  expect(shared.missing).toEqual([]);
  expect(shared.declared.join()).toContain(
    'an import does not change them: description of the milestone 1.0 (archive "GA", target ""), due_date of the milestone 1.0 (archive "2026-06-30", target "").',
  );
  expect(shared.depth).toBe('fields');
  const created = await importWith('borealis');
  expect(created.missing).toEqual([]);
  expect(created.declared.join()).not.toMatch(/groups/);
  target.faults.add({
    match: { method: 'GET', path: '/labels' },
    action: { kind: 'respond', status: 200, body: [{ name: 'P1', color: '#000000', description: null }] },
  });
  const changed = await importWith('archives');
  expect(changed.missing).toMatchObject([
    { relation: 'labels', lost: 'on-import', title: 'P1', part: { name: 'color' } },
  ]);
  expect(changed.declared.join()).toContain('because its lists do not show them: label group::shared.');
});

it('a label is compared with the right one of two groups that have its title', async () => {
  const world = await openWorld();
  const target = await openTestSandbox({ projectCount: 1 });
  await register(world, 'target', target);
  const label = {
    ...{ title: 'P1', color: '#428bca', description: null, type: 'GroupLabel', group_id: 5 },
    priorities: [{ project_id: 1, priority: 3 }],
  };
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const issue = { iid: 1, project_id: 1, title: 'x', state: 'opened', ...times, label_links: [{ label }] };
  const file = join(temporaryFolder(), 'export.tar.gz');
  writeFileSync(file, await exportArchive({ 'tree/project/issues.ndjson': lines(issue) }));
  // Each project gives a label of a group its own priority.
  const listed = [null, 3].map((priority, id) => ({
    ...{ id, name: 'P1', color: '#428bca', description: null, is_project_label: false, priority },
  }));
  target.faults.add({
    match: { method: 'GET', path: '/labels' },
    action: { kind: 'respond', status: 200, body: listed },
  });
  const job = await importInto(world, 'target', file, { namespace: 'atlas', path: 'shared' });
  const { missing, declared } = importResultSchema.parse(job.result).reconciliation;
  expect(missing).toEqual([]);
  expect(declared.join()).toContain(
    'because several groups have different ones with these titles: label P1.',
  );
});

it('an upload whose name begins with a dot is named as lost, because GitLab leaves it out of every import', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const path = scene.source.state.paths[0] ?? '';
  for (const name of ['.env', 'plain.env']) {
    const body = new FormData();
    body.append('file', new Blob(['KEY=1']), name);
    const { status } = await fetch(
      `${scene.source.url}/api/v4/projects/${encodeURIComponent(path)}/uploads`,
      { method: 'POST', body, headers: { 'PRIVATE-TOKEN': scene.source.tokens.administrator } },
    );
    expect(status).toBe(201);
  }
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');

  expect(storedReconciliations(scene.dataDir).get(path)).toMatchObject({
    reconciled: false,
    missing: [{ relation: 'uploads', lost: 'on-import', title: '.env (5 bytes)' }],
  });
});

it('a migration declares a member whose role is lower in the archive than on the source, where it may be newer', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 } });
  onTestFinished(() => scene.close());
  const path = scene.source.state.paths[0] ?? '';
  const { url, tokens } = scene.source;
  const listed = await fetch(`${url}/api/v4/projects/${encodeURIComponent(path)}/members`, {
    headers: { 'PRIVATE-TOKEN': tokens.administrator },
  });
  const [member] = (await listed.json()) as {
    id: number;
    username: string;
    public_email: string;
    access_level: number;
  }[];
  expect(member?.access_level).toBe(40);
  const user = { id: member?.id, username: member?.username, public_email: member?.public_email };
  scene.source.state.append(path, 'project_members', { access_level: 30, expires_at: null, user });
  const longAgo = Date.now() - 86_400_000;
  scene.source.state.change(path, { lastActivityAt: longAgo, updatedAt: longAgo });
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');

  const compared = storedReconciliations(scene.dataDir).get(path);
  expect(compared?.declared).toContainEqual(
    expect.stringMatching(/another role or expiry date on the source than in the archive.*: root\.$/),
  );
  expect(compared?.missing.filter(({ lost }) => lost === 'on-export')).toEqual([]);
});

it('an earlier attempt of a job that an import leaves out is a loss, although the last attempt arrived', async () => {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 8 } });
  onTestFinished(() => scene.close());
  const caravan = scene.source.state.paths.find((each) => each.endsWith('/caravan')) ?? '';
  const edits = scene.source.state.edits(caravan);
  const withAttempt = edits
    .records('ci_pipelines')
    .findLast(({ stages }) => JSON.stringify(stages).includes('"retried":true'));
  const latest = JSON.parse(JSON.stringify(withAttempt?.['stages'])) as { builds: { retried: boolean }[] }[];
  for (const stage of latest) stage.builds = stage.builds.filter(({ retried }) => !retried);
  // The fault changes the first pipeline.
  edits.change('ci_pipelines', 0, { stages: withAttempt?.['stages'], status: withAttempt?.['status'] });
  scene.target.faults.add({
    match: { method: 'POST', path: '/projects/import$', project: caravan },
    action: { kind: 'change-records', relation: 'ci_pipelines', count: 1, values: { stages: latest } },
  });
  const { id } = await scene.migration([caravan]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');

  const lost = storedReconciliations(scene.dataDir).get(caravan)?.missing;
  const expected = expect.stringContaining('test: rspec, failed, test: rsp') as string;
  expect(lost).toMatchObject([
    { relation: 'ci_pipelines', lost: 'on-import', part: { name: 'jobs', values: { expected } } },
  ]);
});
