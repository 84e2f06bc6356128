import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { Fault } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import { startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Calls = SandboxCalls;
const size = (path: string) => (calls: Calls, at: string) => calls.total(`${at}${path}`);
const field =
  (...names: string[]) =>
  async (calls: Calls, at: string): Promise<unknown> => {
    let value = await calls.get(`${at}?statistics=true`);
    for (const name of names) value = (value as Record<string, unknown>)[name];
    return value;
  };
const changes = async (calls: Calls, at: string): Promise<unknown> =>
  ((await calls.get(`${at}/merge_requests/1`)) as Record<string, unknown>)['changes_count'];

/** The fault, its project, the API list that shows the loss, and the entry in the list of losses. */
const losses: [string, Fault['action'], string, (calls: Calls, at: string) => Promise<unknown>, object][] = [
  [
    'a label',
    drop('labels'),
    'atlas/compass',
    (calls, at) => calls.ownLabelCount(at),
    { relation: 'labels', part: 'record' },
  ],
  [
    'an issue',
    drop('issues'),
    'atlas/compass',
    size('/issues'),
    { relation: 'issues', part: 'record', line: 23 },
  ],
  [
    'a member',
    drop('project_members'),
    'atlas/compass',
    size('/members'),
    { relation: 'project_members', part: 'record', name: 'root' },
  ],
  [
    'the diff of a merge request',
    { kind: 'drop-diffs', count: 1 },
    'atlas/tools/ferry',
    changes,
    { relation: 'merge_requests', part: 'diff', line: 0 },
  ],
  [
    'an upload',
    { kind: 'drop-files', of: 'uploads', count: 1 },
    'atlas/almanac',
    size('/uploads'),
    { relation: 'uploads', part: 'file', line: null },
  ],
  [
    'an LFS object',
    { kind: 'drop-files', of: 'lfs-objects', count: 1 },
    'atlas/almanac',
    field('statistics', 'lfs_objects_size'),
    { relation: 'lfs_objects', part: 'file' },
  ],
  [
    'a branch',
    { kind: 'drop-refs', of: 'branches', count: 1 },
    'atlas/tools/ferry',
    size('/repository/branches'),
    { relation: 'branches', part: 'ref', name: 'topic/6-change' },
  ],
  [
    'a tag',
    { kind: 'drop-refs', of: 'tags', count: 1 },
    'borealis/lighthouse',
    size('/repository/tags'),
    { relation: 'tags', part: 'ref', name: 'v0.9.0' },
  ],
  [
    'the commit of the default branch',
    { kind: 'move-refs', of: 'branches', count: 1 },
    'borealis/lighthouse',
    (calls, at) => calls.get(`${at}/repository/branches`),
    { relation: 'branches', part: 'commit', name: 'main' },
  ],
  [
    'the commit of a tag',
    { kind: 'move-refs', of: 'tags', count: 1 },
    'borealis/lighthouse',
    (calls, at) => calls.get(`${at}/repository/tags`),
    { relation: 'tags', part: 'commit', name: 'v0.9.0' },
  ],
  [
    'a setting',
    { kind: 'drop-settings', names: ['build_timeout'] },
    'atlas/compass',
    field('build_timeout'),
    { relation: 'project', part: 'setting', name: 'build_timeout' },
  ],
  [
    'the level of a feature',
    { kind: 'drop-settings', names: ['wiki_access_level'] },
    'atlas/compass',
    field('wiki_access_level'),
    { relation: 'project_feature', part: 'setting', name: 'wiki_access_level' },
  ],
  [
    'a setting of its pipelines',
    { kind: 'drop-settings', names: ['default_git_depth'] },
    'atlas/compass',
    field('ci_default_git_depth'),
    { relation: 'ci_cd_settings', part: 'setting', name: 'default_git_depth' },
  ],
];

function drop(relation: string): Fault['action'] {
  return { kind: 'drop-records', relation, count: 1 };
}

async function started(...faults: Fault[]) {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 8, faults });
  onTestFinished(() => sandbox.close());
  const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  await calls.call(projectUrl('atlas/compass'), 'PUT', {
    build_timeout: 7200,
    wiki_access_level: 'private',
    ci_default_git_depth: 50,
  });
  const copied = async (project: string): Promise<string> => {
    const archive = await calls.exportArchive(project);
    const { path_with_namespace: path } = await calls.importArchive(archive, {
      path: 'copy',
      namespace: 'maintainer',
    });
    return projectUrl(path);
  };
  return { sandbox, calls, copied };
}

test.each(losses)(
  'a copy of a project shows %s like the project itself',
  async (_what, _action, project, shown) => {
    const { sandbox, calls, copied } = await started();
    expect(await shown(calls, await copied(project))).toEqual(await shown(calls, projectUrl(project)));
    expect(sandbox.state.losses).toEqual([]);
  },
);

for (const phase of ['export', 'import'] as const) {
  test.each(losses)(
    `%s that is lost on ${phase} is missing from the API and listed only in the ledger`,
    async (...lossCase) => {
      const [, action, project, shown, loss] = lossCase;
      const path = phase === 'export' ? `${encodeURIComponent(project)}/export$` : '/projects/import$';
      const { sandbox, calls, copied } = await started({ match: { method: 'POST', path }, action });
      const copy = await copied(project);
      expect(await shown(calls, copy)).not.toEqual(await shown(calls, projectUrl(project)));
      expect(sandbox.state.losses).toEqual([
        expect.objectContaining({ phase, reason: 'fault', listed: false, ...loss }),
      ]);
      const at = phase === 'export' ? project : 'maintainer/copy';
      expect(sandbox.state.losses[0]?.project).toBe(at);
    },
  );
}

test.each(['export', 'import'] as const)(
  'an %s that loses a branch and a tag keeps all others',
  async (phase) => {
    const project = 'borealis/lighthouse';
    const path = phase === 'export' ? `${encodeURIComponent(project)}/export$` : '/projects/import$';
    const match = { method: 'POST', path };
    const { sandbox, calls, copied } = await started(
      { match, action: { kind: 'drop-refs', of: 'branches', count: 1 } },
      { match, action: { kind: 'drop-refs', of: 'tags', count: 1 } },
    );
    const copy = await copied(project);
    for (const refs of ['branches', 'tags']) {
      const before = await calls.total(`${projectUrl(project)}/repository/${refs}`);
      expect(await calls.total(`${copy}/repository/${refs}`)).toBe(before - 1);
    }
    expect(sandbox.state.losses).toMatchObject([
      { phase, relation: 'branches' },
      { phase, relation: 'tags' },
    ]);
  },
);

test('an import keeps the first of two equal labels and lists no failure; of two equal issues it lists the second', async () => {
  const { sandbox, calls, copied } = await started(
    { match: {}, action: { kind: 'repeat-records', relation: 'labels', count: 1 } },
    { match: {}, action: { kind: 'repeat-records', relation: 'issues', count: 1 } },
  );
  const copy = await copied('atlas/compass');
  expect(await calls.ownLabelCount(copy)).toBe(6);
  expect(await calls.total(`${copy}/issues`)).toBe(24);
  expect(sandbox.state.losses).toMatchObject([
    { phase: 'import', relation: 'labels', line: 6, listed: false },
    { phase: 'import', relation: 'issues', line: 24, listed: true },
  ]);
});

test('a repeated record that replaces another one leaves the number of records in the archive unchanged, and the import drops it', async () => {
  const action = { kind: 'repeat-records', relation: 'labels', count: 1, instead: true } as const;
  const { sandbox, calls } = await started({ match: {}, action });
  const exported = await calls.exportArchive('atlas/compass');
  const file = join(temporaryFolder(), 'compass.tar.gz');
  writeFileSync(file, exported);
  expect((await inspectFile(file)).relations).toMatchObject({ labels: 6 });
  await calls.importArchive(exported, { path: 'copy', namespace: 'maintainer' });
  const copy = projectUrl('maintainer/copy');
  expect(await calls.ownLabelCount(copy)).toBe(5);
  expect(sandbox.state.losses).toMatchObject([
    { phase: 'export', relation: 'labels', line: 5, reason: 'fault' },
    { phase: 'import', relation: 'labels', line: 5, reason: 'title has already been taken' },
  ]);
});
