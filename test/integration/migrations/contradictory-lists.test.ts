/**
 * @file Lists that contradict themselves are read again, and then declared: never taken for a loss, and never for an
 * agreement. Losses elsewhere are still found.
 *
 * Slow, because each list needs a project of its own, and a list of two pages needs 101 records.
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
  const scene = await openFastScene(8 * (comparedLists.length + 1));
  // The projects of this kind have records of every relation, and few of them.
  const free = scene.source.state.paths.filter((path) => path.includes('/caravan-'));
  // Each project has one false list on each side, of different relations.
  const projects = comparedLists.map((source, index) => {
    const path = free.pop() ?? '';
    const target = comparedLists.at(index - 1) ?? source;
    const [fault, otherFault] = index % 2 === 0 ? [hiddenRow, largerTotal] : [largerTotal, hiddenRow];
    falsify(scene.source, path, fullList(source), fault);
    falsify(scene.target, path, fullList(target), otherFault);
    return { path, source, target };
  });
  await migrate(scene, ...projects.map(({ path }) => path));

  for (const { path, source, target } of projects) {
    const result = comparisonOf(scene, path);
    const what = `${source} on the source, ${target} on the target`;
    expect(contradictionsIn(result).toSorted(), what).toEqual(
      [contradictionOf(source, 'source'), contradictionOf(target, 'target')]
        .toSorted()
        .map((sentence) => expect.stringMatching(sentence) as string),
    );
    expect(result, what).toMatchObject({ missing: [], missingCount: 0, settings: [] });
    expect(lostRows(result), what).toEqual([]);
    expect(result.unproven, what).toEqual(expect.arrayContaining([source, target]));
    expect(rowOf(result, source)?.source ?? null, what).toBeNull();
    expect(rowOf(result, target)?.target ?? null, what).toBeNull();
    if (target === 'issues')
      expect(rowOf(result, 'issue_notes'), what).toMatchObject({ target: null, verdict: 'unknown' });
    // The other lists are still used.
    const others = result.rows.filter(
      (other) => ![source, target, 'issue_notes', 'merge_request_notes'].includes(other.relation),
    );
    expect(
      others.filter(({ verdict }) => verdict !== 'equal'),
      what,
    ).toEqual([]);
  }
}, 120_000);

describe('a migrated project with 101 milestones', () => {
  const path = 'borealis/blank-slate';
  const compared = (scene: MigrationScene): Reconciliation => comparisonOf(scene, path);
  /** Milestones, because a comparison reads each of them with its list alone. */
  async function openWithMilestones(): Promise<MigrationScene> {
    const scene = await openFastScene(5);
    const times = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' };
    for (let iid = 1; iid <= 101; iid += 1)
      scene.source.state.append(path, 'milestones', {
        title: `Milestone ${iid}`,
        iid,
        state: 'active',
        ...times,
      });
    return scene;
  }
  const faults: [ListFault, string][] = [
    [{ kind: 'false-list', as: 'repeated-page', page: 2 }, '101 records and has 100 different ones'],
    [{ kind: 'false-list', as: 'empty-page', page: 2 }, '101 records and has 100 different ones'],
    [{ kind: 'false-list', as: 'total', by: 1 }, '102 records and has 101 different ones'],
    [{ kind: 'false-list', as: 'total', by: -1 }, '100 records and has 101 different ones'],
    [{ kind: 'false-list', as: 'hidden-rows', count: 1 }, '101 records and has 100 different ones'],
  ];

  it('and a target list that contradicts itself in any way has no lost milestone, but an unknown number', async () => {
    const scene = await openWithMilestones();
    const id = await migrate(scene, path);
    expect(compared(scene)).toMatchObject({ reconciled: true, missing: [] });
    for (const [fault, numbers] of faults) {
      falsify(scene.target, path, fullList('milestones'), fault);
      await scene.client.call('migration.reconcile', { migration: id, project: path });
      const result = compared(scene);
      expect(contradictionsIn(result)).toEqual([
        expect.stringContaining(`it announces ${numbers}.`) as string,
      ]);
      expect(result).toMatchObject({ reconciled: false, missing: [] });
      expect(result.unproven).toContain('milestones');
      expect(lostRows(result)).toEqual([]);
      expect(rowOf(result, 'milestones')).toMatchObject({ archive: 101, target: null, verdict: 'unknown' });
      scene.target.faults.clear();
    }
  });

  it('and a list that contradicts itself only once is used, after exactly one more reading', async () => {
    const scene = await openWithMilestones();
    const id = await migrate(scene, path);
    expect(compared(scene)).toMatchObject({ reconciled: true, missing: [] });
    const pagesOf = (sandbox: Sandbox, from: number): number =>
      sandbox.requests.slice(from).filter((request) => /\/milestones\?.*per_page=100/.test(request.path))
        .length;
    const reconcile = async (): Promise<number[]> => {
      const counts = [scene.source.requests.length, scene.target.requests.length] as const;
      await scene.client.call('migration.reconcile', { migration: id, project: path });
      return [pagesOf(scene.source, counts[0]), pagesOf(scene.target, counts[1])];
    };
    expect(await reconcile()).toEqual([2, 2]);

    falsify(scene.target, path, fullList('milestones'), hiddenRow, 2);
    expect(await reconcile()).toEqual([2, 4]);
    expect(compared(scene)).toMatchObject({ reconciled: true, missing: [] });
    expect(contradictionsIn(compared(scene))).toEqual([]);

    falsify(scene.target, path, fullList('milestones'), hiddenRow);
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

  it('whose list on one side is refused declares it as unproven', async () => {
    const refused = [
      { side: 'source', below: 'members', relation: 'project_members' },
      { side: 'source', below: 'protected_tags', relation: 'protected_tags' },
      { side: 'target', below: 'members', relation: 'project_members' },
      { side: 'target', below: 'protected_branches', relation: 'protected_branches' },
    ] as const;
    const scene = await openFastScene(8 * (refused.length + 1));
    const projects = refused.map((each, index) => ({ ...each, project: `atlas/tools/caravan-${index + 2}` }));
    for (const { side, below, relation, project } of projects) {
      if (side === 'target') drop(scene.target, project, relation);
      scene[side].faults.add({
        match: { method: 'GET', project, path: `/${below}\\b` },
        action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
      });
    }
    await migrate(scene, ...projects.map(({ project }) => project));
    for (const { side, relation, project } of projects) {
      const result = comparisonOf(scene, project);
      const what = `${relation} on the ${side}`;
      expect(result.missing, what).toEqual([]);
      expect(result.unproven, what).toContain(relation);
      expect(result.declared, what).toContainEqual(
        expect.stringMatching(
          side === 'source'
            ? `^These could not be counted or listed on the source, .*: ${relationText(relation)}\\.$`
            : `^The ${relationText(relation)} of the target could not be listed, so it is not known whether`,
        ),
      );
    }
  });
});
