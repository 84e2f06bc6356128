/** @file Boards, snippets, badges, schedules and push rules: lists that are refused, and records that are no loss. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uncountedRelations } from '../../../src-contract/relations.ts';
import { importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import type { SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import {
  openMigrationScene,
  storedReconciliations,
  type MigrationScene,
} from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { importInto, openTestSandbox, openWorld, register } from '../../support/world.ts';

/** A project with a record of each relation. */
const path = 'atlas/tools/caravan-2';

type Options = Partial<SandboxOptions>;

async function opened(options: { source?: Options; target?: Options } = {}): Promise<MigrationScene> {
  const { source = {}, target = {} } = options;
  const scene = await openMigrationScene(temporaryFolder(), {
    source: { projectCount: 16, ...source },
    target,
  });
  onTestFinished(() => scene.close());
  return scene;
}

const resultOf = ({ dataDir }: MigrationScene): Reconciliation => {
  const stored = storedReconciliations(dataDir).get(path);
  if (stored === undefined) throw new Error('The project was not compared.');
  return stored;
};

async function migrated(scene: MigrationScene): Promise<string> {
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return id;
}

const rowOf = ({ rows }: Reconciliation, relation: string): unknown => {
  const row = rows.find((candidate) => candidate.relation === relation);
  return row === undefined ? null : [row.source, row.archive, row.target, row.verdict];
};

/** The lists of the project, as their paths end. */
const listPaths = ['boards', 'snippets', 'badges', 'pipeline_schedules', 'push_rule'];

const refuse = ({ faults }: MigrationScene['source'], status: number): void => {
  const message = `${status}`;
  faults.add({
    match: { method: 'GET', path: `/(?:${listPaths.join('|')})(?:\\?|$)` },
    action: { kind: 'respond', status, body: { message } },
  });
};

describe('lists that are refused', () => {
  it('by the target leave the arrival of their records unproven, and report no loss', async () => {
    const scene = await opened();
    refuse(scene.target, 403);
    await migrated(scene);
    const compared = resultOf(scene);
    expect(compared).toMatchObject({ missing: [], settings: [] });
    expect(compared.unproven).toEqual(expect.arrayContaining([...uncountedRelations]));
    expect(rowOf(compared, 'boards')).toEqual([1, 1, null, 'unknown']);
    expect(compared.declared.join()).toContain(
      'not known whether they arrived: boards, snippets, badges, pipeline schedules, push rules.',
    );
  });

  it('by the source leave losses of the export unknown', async () => {
    const scene = await opened();
    refuse(scene.source, 403);
    await migrated(scene);
    const compared = resultOf(scene);
    expect(compared).toMatchObject({ reconciled: true, missing: [] });
    expect(rowOf(compared, 'snippets')).toEqual([null, 1, 1, 'equal']);
    expect(compared.declared.join()).toContain(
      'losses in the export are not known: boards, snippets, badges, pipeline schedules, push rules.',
    );
  });
});

describe('an instance without push rules', () => {
  it('as source has none to lose', async () => {
    const scene = await opened({ source: { tier: 'free' } });
    const compass = 'atlas/compass';
    const { id } = await scene.migration([compass]);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    const compared = storedReconciliations(scene.dataDir).get(compass);
    expect(compared?.rows.map(({ relation }) => relation)).not.toContain('push_rule');
    expect(compared?.declared.join()).not.toContain('push rules');
  });

  it('as target leaves the arrival of an archived rule unproven', async () => {
    const scene = await opened({ target: { tier: 'free' } });
    await migrated(scene);
    const compared = resultOf(scene);
    expect(compared.missing).toEqual([]);
    expect(compared.unproven).toContain('push_rule');
    expect(rowOf(compared, 'push_rule')).toEqual([1, 1, null, 'unknown']);
  });
});

it('records that were added to the source after the export are no loss, and are declared if their list has no time', async () => {
  const scene = await opened();
  const id = await migrated(scene);
  expect(resultOf(scene)).toMatchObject({ reconciled: true, missing: [] });
  const created_at = new Date(Date.now() + 1_000).toISOString();
  const { state } = scene.source;
  state.append(path, 'snippets', { title: 'Later', visibility_level: 0, created_at, updated_at: created_at });
  state.append(path, 'boards', { name: 'Later', lists: [] });
  await scene.client.call('migration.reconcile', { migration: id, project: path });
  const later = resultOf(scene);
  expect(later).toMatchObject({ reconciled: true, missing: [] });
  expect([rowOf(later, 'snippets'), rowOf(later, 'boards')]).toEqual([
    [1, 1, 1, 'equal'],
    [1, 1, 1, 'equal'],
  ]);
  expect(later.declared.join()).toMatch(/may be newer than the export.*: boards \(1\)/);
});

it('badges of groups do not count as badges of the project', async () => {
  const scene = await opened();
  const badge = { id: 1, name: 'Group', link_url: 'https://a.example', image_url: 'https://b.example' };
  scene.source.faults.add({
    match: { method: 'GET', path: '/badges' },
    action: { kind: 'respond', status: 200, body: [{ ...badge, kind: 'group' }] },
  });
  await migrated(scene);
  const compared = resultOf(scene);
  expect(compared).toMatchObject({ reconciled: true, missing: [] });
  expect(rowOf(compared, 'project_badges')).toEqual([0, 1, 1, 'equal']);
});

it('boards whose names the server does not report are not compared', async () => {
  const scene = await opened();
  scene.target.faults.add({
    match: { method: 'GET', path: '/boards' },
    action: { kind: 'respond', status: 200, body: [{ id: 1, lists: [] }] },
  });
  await migrated(scene);
  const compared = resultOf(scene);
  expect(compared.missing).toEqual([]);
  expect(compared.unproven).toContain('boards');
});

it('an import makes schedules inactive, which is no loss and is declared', async () => {
  const scene = await opened();
  await migrated(scene);
  const [schedule] = (await scene.target.state.project(path)).relations['pipeline_schedules'] ?? [];
  expect(schedule).toMatchObject({ active: false, cron_timezone: 'Europe/Warsaw' });
  const compared = resultOf(scene);
  expect(compared).toMatchObject({ reconciled: true, missing: [] });
  expect(compared.declared.join()).toContain('active of pipeline schedules');
});

it('each list is read once on each side, with 100 records on a page, and never around the export', async () => {
  const scene = await opened();
  await migrated(scene);
  for (const { requests } of [scene.source, scene.target]) {
    const reads = requests.flatMap(({ method, path: requested }) => {
      const name = listPaths.find((list) => new RegExp(`/projects/\\d+/${list}(?:\\?|$)`).test(requested));
      // The check before a migration counts snippets, for the forecast of its requests.
      const isCount = requested.includes('per_page=1&') || requested.endsWith('per_page=1');
      return method === 'GET' && name !== undefined && !isCount ? [{ name, requested }] : [];
    });
    expect(reads.map(({ name }) => name).toSorted()).toEqual(listPaths.toSorted());
    for (const { name, requested } of reads)
      if (name !== 'push_rule') expect(requested).toContain('per_page=100');
  }
});

it('records with the fields of real archives are compared after an import, without a false alarm', async () => {
  const world = await openWorld();
  const target = await openTestSandbox({ projectCount: 1 });
  await register(world, 'target', target);
  const times = { created_at: '2019-06-06T14:01:06.204Z', updated_at: '2019-06-06T14:22:37.045Z' };
  const label = { title: 'TODO', color: '#a9a900', type: 'ProjectLabel', priorities: [] };
  const milestone = { title: '1.0', iid: 1, state: 'active' };
  const list = { ...times, user_id: null, board_id: 1 };
  const board = {
    ...{ id: 1, name: 'TestBoardABC', weight: null, milestone, ...times },
    lists: [
      { ...list, list_type: 'backlog', position: null },
      { ...list, list_type: 'label', position: 0, label },
      { ...list, list_type: 'milestone', position: 1, milestone },
      { ...list, list_type: 'closed', position: null },
    ],
  };
  const badge = { type: 'ProjectBadge', image_url: 'https://a.example/%{default_branch}.svg', ...times };
  const schedule = {
    description: 'Nightly',
    ref: 'master',
    cron: '0 4 * * 0',
    cron_timezone: 'UTC',
    ...times,
  };
  const snippet = { title: 'A', description: null, file_name: 'a.rb', content: 'x', visibility_level: 10 };
  const noRegexes = { commit_message_regex: null, branch_name_regex: null, file_name_regex: null };
  const rule = { ...noRegexes, member_check: false, max_file_size: 0, reject_unsigned_commits: null };
  const file = join(temporaryFolder(), 'export.tar.gz');
  const relations = {
    boards: lines(board),
    // Old archives have no names of badges.
    project_badges: lines(
      { ...badge, link_url: 'https://b.example' },
      { ...badge, link_url: 'https://c.example' },
    ),
    pipeline_schedules: lines({ ...schedule, active: true, owner_id: 1 }),
    snippets: lines({ ...snippet, ...times, award_emoji: [], notes: [] }),
    push_rule: JSON.stringify({ ...rule, is_sample: false, regexp_uses_re2: true }),
  } satisfies Record<(typeof uncountedRelations)[number], unknown>;
  const members = Object.entries(relations).map(([name, bytes]) => [`tree/project/${name}.ndjson`, bytes]);
  writeFileSync(file, await exportArchive(Object.fromEntries(members) as Record<string, Buffer | string>));
  const job = await importInto(world, 'target', file, { namespace: 'atlas', path: 'real' });
  const { reconciliation } = importResultSchema.parse(job.result);
  expect(reconciliation.missing).toEqual([]);
  expect(uncountedRelations.map((relation) => rowOf(reconciliation, relation))).toEqual([
    [null, 1, 1, 'equal'],
    [null, 1, 1, 'equal'],
    [null, 2, 2, 'equal'],
    [null, 1, 1, 'equal'],
    [null, 1, 1, 'equal'],
  ]);
  expect(reconciliation.declared.join()).not.toContain('only one of archive and target');
});
