/**
 * @file Lists that contradict themselves are read again, and then declared: never taken for a loss, and never for an
 * agreement. Losses elsewhere are still found.
 *
 * Slow, because each list of each side needs a project of its own, and a list of two pages needs 101 issues.
 */
import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { relationText } from '../../../src-contract/words/relations.ts';
import type { ListFault } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import {
  comparedLists,
  comparisonOf,
  drop,
  falsify,
  fullList,
  hiddenRow,
  largerTotal,
  lostRows,
  migrate,
  openFastScene,
  rowOf,
  type ComparedList,
} from '../../support/migrations/false-lists.ts';
import type { MigrationScene } from '../../support/migrations/migration-scene.ts';

const contradictionOf = (relation: ComparedList, instance: string) =>
  new RegExp(
    `^The list of ${relationText(relation)} on "${instance}" contradicts itself, also in a second reading: it announces \\d+ records and has \\d+ different ones\\. It was not used\\.$`,
  );
const contradictionsIn = ({ declared }: Reconciliation): string[] =>
  declared.filter((sentence) => sentence.includes('contradicts itself'));

it('without a loss, no contradictory list of either side is a false alarm, and each is declared', async () => {
  const scene = await openFastScene(8 * (2 * comparedLists.length + 1));
  // The projects of this kind have records of every relation, and few of them.
  const free = scene.source.state.paths.filter((path) => path.includes('/caravan-'));
  const projects = (['source', 'target'] as const).flatMap((side) =>
    comparedLists.map((relation, index) => {
      const path = free.pop() ?? '';
      falsify(scene[side], path, fullList(relation), index % 2 === 0 ? hiddenRow : largerTotal);
      return { path, side, relation };
    }),
  );
  await migrate(scene, ...projects.map(({ path }) => path));

  for (const { path, side, relation } of projects) {
    const result = comparisonOf(scene, path);
    const what = `${relation} on ${side}`;
    expect(contradictionsIn(result), what).toEqual([
      expect.stringMatching(contradictionOf(relation, side)) as string,
    ]);
    expect(result, what).toMatchObject({ missing: [], missingCount: 0, settings: [] });
    expect(lostRows(result), what).toEqual([]);
    expect(result.unproven, what).toContain(relation);
    const row = rowOf(result, relation);
    expect(row === undefined ? null : row[side], what).toBeNull();
    // The other lists are still used.
    const others = result.rows.filter(
      (other) => ![relation, 'issue_notes', 'merge_request_notes'].includes(other.relation),
    );
    expect(
      others.filter(({ verdict }) => verdict !== 'equal'),
      what,
    ).toEqual([]);
  }
}, 120_000);

describe('a migrated project with 101 issues', () => {
  const path = 'borealis/blank-slate';
  const compared = (scene: MigrationScene): Reconciliation => comparisonOf(scene, path);
  async function openWithIssues(): Promise<MigrationScene> {
    const scene = await openFastScene(5);
    const times = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' };
    // The project has three issues.
    for (let iid = 4; iid <= 101; iid += 1)
      scene.source.state.append(path, 'issues', { title: `Issue ${iid}`, iid, state: 'opened', ...times });
    return scene;
  }
  const faults: [ListFault, string][] = [
    [{ kind: 'false-list', as: 'repeated-page', page: 2 }, '101 records and has 100 different ones'],
    [{ kind: 'false-list', as: 'empty-page', page: 2 }, '101 records and has 100 different ones'],
    [{ kind: 'false-list', as: 'total', by: 1 }, '102 records and has 101 different ones'],
    [{ kind: 'false-list', as: 'total', by: -1 }, '100 records and has 101 different ones'],
    [{ kind: 'false-list', as: 'hidden-rows', count: 1 }, '101 records and has 100 different ones'],
  ];

  it('and a target list that contradicts itself in any way has no lost issue, but an unknown number', async () => {
    const scene = await openWithIssues();
    const id = await migrate(scene, path);
    expect(compared(scene)).toMatchObject({ reconciled: true, missing: [] });
    for (const [fault, numbers] of faults) {
      falsify(scene.target, path, fullList('issues'), fault);
      await scene.client.call('migration.reconcile', { migration: id, project: path });
      const result = compared(scene);
      expect(contradictionsIn(result)).toEqual([
        expect.stringContaining(`it announces ${numbers}.`) as string,
      ]);
      expect(result).toMatchObject({ reconciled: false, missing: [] });
      expect(result.unproven).toContain('issues');
      expect(lostRows(result)).toEqual([]);
      expect(rowOf(result, 'issues')).toMatchObject({ archive: 101, target: null, verdict: 'unknown' });
      expect(rowOf(result, 'issue_notes')).toMatchObject({ target: null, verdict: 'unknown' });
      scene.target.faults.clear();
    }
  });

  it('and a list that contradicts itself only once is used, after exactly one more reading', async () => {
    const scene = await openWithIssues();
    const id = await migrate(scene, path);
    expect(compared(scene)).toMatchObject({ reconciled: true, missing: [] });
    const pagesOf = (sandbox: Sandbox, from: number): number =>
      sandbox.requests.slice(from).filter((request) => /\/issues\?.*per_page=100/.test(request.path)).length;
    const reconcile = async (): Promise<number[]> => {
      const counts = [scene.source.requests.length, scene.target.requests.length] as const;
      await scene.client.call('migration.reconcile', { migration: id, project: path });
      return [pagesOf(scene.source, counts[0]), pagesOf(scene.target, counts[1])];
    };
    expect(await reconcile()).toEqual([2, 2]);

    falsify(scene.target, path, fullList('issues'), hiddenRow, 2);
    expect(await reconcile()).toEqual([2, 4]);
    expect(compared(scene)).toMatchObject({ reconciled: true, missing: [] });
    expect(contradictionsIn(compared(scene))).toEqual([]);

    falsify(scene.target, path, fullList('issues'), hiddenRow);
    expect(await reconcile()).toEqual([2, 4]);
    expect(contradictionsIn(compared(scene))).toHaveLength(1);
  });
});

describe('a migrated project', () => {
  const path = 'atlas/tools/caravan-2';
  const compared = (scene: MigrationScene): Reconciliation => comparisonOf(scene, path);

  it('with a loss beside a contradictory list of another relation names the loss', async () => {
    const scene = await openFastScene(16);
    falsify(scene.target, path, fullList('issues'), hiddenRow);
    falsify(scene.source, path, fullList('labels'), largerTotal);
    drop(scene.target, path, 'milestones');
    drop(scene.source, path, 'releases');
    await migrate(scene, path);
    const result = compared(scene);
    expect(contradictionsIn(result)).toHaveLength(2);
    expect(result.reconciled).toBe(false);
    expect(result.missing.map(({ relation, lost }) => [relation, lost])).toEqual([
      ['milestones', 'on-import'],
      ['releases', 'on-export'],
    ]);
  });

  it.each(['import', 'export'] as const)(
    'with a loss of the %s in a list whose total hides it is unproven in that relation, and nothing is lost',
    async (side) => {
      const scene = await openFastScene(16);
      for (const relation of ['issues', 'uploads', 'protected_branches'] as const) {
        const sandbox = side === 'import' ? scene.target : scene.source;
        falsify(sandbox, path, fullList(relation), largerTotal);
        drop(sandbox, path, relation);
      }
      await migrate(scene, path);
      const result = compared(scene);
      expect(contradictionsIn(result)).toHaveLength(3);
      expect(result.missing).toEqual([]);
      expect(lostRows(result)).toEqual([]);
      expect(result.unproven).toEqual(expect.arrayContaining(['issues', 'uploads', 'protected_branches']));
      const shownSide = side === 'import' ? 'target' : 'source';
      for (const relation of ['issues', 'uploads']) expect(rowOf(result, relation)?.[shownSide]).toBeNull();
      expect(result.reconciled).toBe(side === 'export');
    },
  );

  it('whose lists of notes hide some of them has no lost notes, and declares how many were not compared', async () => {
    const scene = await openFastScene(16);
    falsify(scene.target, path, '/issues/.*/discussions', {
      kind: 'false-list',
      as: 'hidden-rows',
      count: 2,
    });
    await migrate(scene, path);
    const result = compared(scene);
    expect(result).toMatchObject({ reconciled: true, missing: [] });
    expect(result.declared).toContainEqual(
      expect.stringMatching(/^The notes of \d+ issues, .* were not compared: .* may not see all of them/),
    );
  });

  it('whose lists of notes hide notes of the system is compared completely, and says how many are hidden', async () => {
    const scene = await openFastScene(16);
    falsify(scene.target, path, '/issues/.*/discussions', hiddenRow);
    await migrate(scene, path);
    const result = compared(scene);
    expect(result).toMatchObject({ reconciled: true, missing: [] });
    expect(result.declared.filter((sentence) => sentence.startsWith('The notes of'))).toEqual([]);
    expect(result.declared.join()).toContain('The target does not show 6 system notes of the archive.');
  });

  it('keeps a loss that was found if its list contradicts itself later', async () => {
    const scene = await openFastScene(16);
    drop(scene.target, path, 'protected_branches');
    const id = await migrate(scene, path);
    const lost = [
      expect.objectContaining({ relation: 'protected_branches', lost: 'on-import' }),
    ] as unknown[];
    expect(compared(scene)).toMatchObject({ reconciled: false, missing: lost });
    falsify(scene.target, path, fullList('protected_branches'), largerTotal);
    await scene.client.call('migration.reconcile', { migration: id, project: path });
    expect(compared(scene)).toMatchObject({ reconciled: false, missing: lost });
    expect(contradictionsIn(compared(scene))).toHaveLength(1);
  });

  it.each([
    ['source', 'members', 'project_members'],
    ['source', 'protected_tags', 'protected_tags'],
    ['target', 'members', 'project_members'],
    ['target', 'protected_branches', 'protected_branches'],
  ] as const)(
    'whose list on the %s is refused (%s) declares it as unproven',
    async (side, below, relation) => {
      const scene = await openFastScene(16);
      if (side === 'target') drop(scene.target, path, relation);
      scene[side].faults.add({
        match: { method: 'GET', project: path, path: `/${below}\\b` },
        action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
      });
      await migrate(scene, path);
      const result = compared(scene);
      expect(result.missing).toEqual([]);
      expect(result.unproven).toContain(relation);
      expect(result.declared).toContainEqual(
        expect.stringMatching(
          side === 'source'
            ? `^These could not be counted or listed on the source, .*: ${relationText(relation)}\\.$`
            : `^The ${relationText(relation)} of the target could not be listed, so it is not known whether`,
        ),
      );
    },
  );
});
