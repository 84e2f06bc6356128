/**
 * @file Migrations and imports that compare numbers only, or numbers and names: what they find, what they read, and that
 * none of them counts as arrived.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  passportIndexSchema,
  passportSchema,
  type Passport,
} from '../../../src-contract/migrations/passport-schema.ts';
import type { ChosenDepth, Reconciliation } from '../../../src-contract/transfers/import.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import {
  comparisonOf,
  drop,
  falsify,
  hiddenRow,
  largerTotal,
  lostRows,
  openFastScene,
  rowOf,
} from '../../support/migrations/false-lists.ts';
import { openMigrationScene, type MigrationScene } from '../../support/migrations/migration-scene.ts';
import { wrongSections } from '../../support/migrations/verdict-passports.ts';
import { archiveFilter } from '../../support/requests.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A project with a record of each relation. */
const path = 'atlas/tools/caravan-2';

async function migrated(scene: MigrationScene, compare: ChosenDepth, projects = [path]): Promise<string> {
  const { id } = await scene.migration(projects, { compare });
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return id;
}

const stateOf = async (scene: MigrationScene, id: string): Promise<string | undefined> =>
  (await scene.projects(id))[0]?.state;

async function passportOf(scene: MigrationScene, id: string): Promise<Passport> {
  const folder = { migration: id, project: null, to: temporaryFolder() };
  const saved = await scene.client.call('migration.passport', folder);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(saved.folder, name), 'utf8'));
  const [project] = passportIndexSchema.parse(read('index.json')).projects;
  return passportSchema.parse(read(project?.json ?? ''));
}

/** Requests for one record: its notes, or the files that a merge request changes. */
const oneByOne = ({ requests }: Sandbox): string[] =>
  requests.map(({ path: url }) => url).filter((url) => /\/discussions|\/merge_requests\/\d+(\?|$)/.test(url));

const comparedAgain = async (scene: MigrationScene, id: string, compare?: ChosenDepth) =>
  (await scene.client.call('migration.reconcile', { migration: id, project: path, compare })).reconciliation;

it.each<[ChosenDepth, Reconciliation['depth'], string]>([
  ['counts', 'numbers', 'Only the numbers of records were compared'],
  ['keys', 'names', 'Only the numbers and names of records were compared'],
])(
  'a project compared by %s is no arrived project and no proof, until its contents are compared',
  async (compare, depth, sentence) => {
    const scene = await openFastScene(16);
    const id = await migrated(scene, compare);
    const compared = comparisonOf(scene, path);
    expect(compared).toMatchObject({ depth, reconciled: false, missing: [], settings: [] });
    expect(lostRows(compared)).toEqual([]);
    expect(compared.declared.join()).toContain(sentence);
    expect(wrongSections(await passportOf(scene, id))).toEqual([]);
    expect(rowOf(compared, 'boards')).toMatchObject({ archive: 1, target: 1, verdict: 'equal' });
    expect(await stateOf(scene, id)).toBe('uncompared');
    expect([...oneByOne(scene.source), ...oneByOne(scene.target)]).toEqual([]);
    const finish = { migration: id, project: path, markSource: true, noteNewPlace: false };
    await expect(
      scene.client.call('migration.finish', { ...finish, despiteDifferences: false }),
    ).rejects.toMatchObject({ code: 'migration-differs' });

    expect(await comparedAgain(scene, id, 'contents')).toMatchObject({ depth: 'fields', reconciled: true });
    expect(wrongSections(await passportOf(scene, id), { asked: 'contents' })).toEqual([]);
    expect(await stateOf(scene, id)).toBe('arrived');
    expect(oneByOne(scene.target)).not.toEqual([]);
    // A comparison of less would forget what was compared.
    expect(await comparedAgain(scene, id, 'counts')).toMatchObject({ depth: 'fields', reconciled: true });
    const { archives } = await scene.client.call('archive.list', archiveFilter({ limit: 10 }));
    expect(archives.map(({ proof }) => proof?.level)).toEqual(['L2']);
  },
  60_000,
);

it('a project whose every part is compared reaches the depth of contents, and proves its archive', async () => {
  const scene = await openMigrationScene(temporaryFolder());
  onTestFinished(() => scene.close());
  const calls = new SandboxCalls(scene.source, scene.source.tokens.administrator);
  await calls.call('/projects', 'POST', { name: 'Plain', path: 'plain', initialize_with_readme: true });
  const plain = scene.source.state.paths.find((each) => each.endsWith('/plain')) ?? '';
  const times = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' };
  const issue = {
    title: 'One',
    iid: 1,
    state: 'opened',
    author_id: 1,
    work_item_type: { base_type: 'issue' },
  };
  scene.source.state.append(plain, 'issues', { ...issue, ...times });
  const longAgo = Date.now() - 86_400_000;
  scene.source.state.change(plain, { lastActivityAt: longAgo, updatedAt: longAgo });
  const id = await migrated(scene, 'contents', [plain]);
  const compared = comparisonOf(scene, plain);
  expect(compared).toMatchObject({ depth: 'contents', reconciled: true });
  expect(await stateOf(scene, id)).toBe('arrived');
  const { archives } = await scene.client.call('archive.list', archiveFilter({ limit: 10 }));
  expect(archives.map(({ proof }) => proof?.level)).toEqual(['L3']);
});

it('a lost record is found by its number with counts, and by its name with keys, on both sides', async () => {
  for (const compare of ['counts', 'keys'] as const) {
    const scene = await openFastScene(16);
    drop(scene.source, path, 'issues');
    drop(scene.target, path, 'milestones');
    const id = await migrated(scene, compare);
    const compared = comparisonOf(scene, path);
    expect(await stateOf(scene, id)).toBe('differs');
    expect(rowOf(compared, 'issues')?.verdict).toBe('lost-on-export');
    expect(rowOf(compared, 'milestones')?.verdict).toBe('lost-on-import');
    const named = compared.missing.filter(({ part }) => part === null).map(({ relation }) => relation);
    expect([...new Set(named)].sort()).toEqual(compare === 'counts' ? [] : ['issues', 'milestones']);
  }
}, 60_000);

it.each([
  { lost: false, verdict: 'unknown' },
  { lost: true, verdict: 'lost-on-import' },
])(
  'milestones that an import took from groups are no loss with counts (lost another one: $lost)',
  async ({ lost, verdict }) => {
    const scene = await openFastScene(16);
    const { relations } = await scene.source.state.project(path);
    scene.target.state.addGroupMilestone('atlas', String(relations['milestones']?.[0]?.['title']));
    if (lost) drop(scene.target, path, 'milestones');
    const id = await migrated(scene, 'counts');
    const compared = comparisonOf(scene, path);
    expect(rowOf(compared, 'milestones')?.verdict).toBe(verdict);
    const isDeclared = compared.declared.some((sentence) =>
      sentence.startsWith('The target lacks 1 of the archived milestones, and its groups have 1.'),
    );
    expect(isDeclared).toBe(!lost);
    // Names show which milestone the group has.
    const named = await comparedAgain(scene, id, 'keys');
    expect(rowOf(named, 'milestones')?.verdict).toBe(lost ? 'lost-on-import' : 'equal');
  },
  60_000,
);

describe('with counts, a total', () => {
  it.each<['source' | 'target', typeof hiddenRow]>([
    ['target', hiddenRow],
    ['target', largerTotal],
  ])(
    'of the %s that its list contradicts is declared, and is neither a loss nor an agreement',
    async (side, fault) => {
      const scene = await openFastScene(16);
      falsify(scene[side], path, '/milestones\\?', fault);
      const id = await migrated(scene, 'counts');
      const compared = comparisonOf(scene, path);
      expect(rowOf(compared, 'milestones')).toMatchObject({ [side]: null });
      expect(compared.declared.join()).toContain(`The list of milestones on "${side}" contradicts itself`);
      expect(compared.unproven).toContain('milestones');
      expect(lostRows(compared)).toEqual([]);
      expect(await stateOf(scene, id)).toBe('differs');
    },
  );

  it('of the source around the export that its list does not confirm is not used', async () => {
    const scene = await openFastScene(16);
    falsify(scene.source, path, '/milestones\\?.*per_page=1(&|$)', largerTotal);
    await migrated(scene, 'counts');
    const compared = comparisonOf(scene, path);
    expect(rowOf(compared, 'milestones')).toMatchObject({ source: null, verdict: 'equal' });
    expect(compared.declared.join()).toContain('"source" counted');
    expect(lostRows(compared)).toEqual([]);
  });
});

it('the depth of a migration is stored, and stays when other settings change', async () => {
  const scene = await openFastScene(1);
  const { id, compare } = await scene.migration([scene.source.state.paths[0] ?? '']);
  expect(compare).toBe('contents');
  const changed = await scene.client.call('migration.change', {
    migration: id,
    changes: { compare: 'keys' },
  });
  expect(changed.compare).toBe('keys');
  await scene.client.call('migration.change', { migration: id, changes: { freeze: true } });
  expect(await scene.client.call('migration.show', { migration: id })).toMatchObject({
    ...{ compare: 'keys', freeze: true },
  });
});
