/** @file Counts that their lists contradict, and records that an account may not see, are declared instead of lost. */
import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { relationText } from '../../../src-contract/words/relations.ts';
import {
  comparisonOf,
  countedList,
  drop,
  falsify,
  largerTotal,
  migrate,
  openFastScene,
  rowOf,
} from '../../support/migrations/false-lists.ts';

describe('a count around the export that is one too large', () => {
  // Pipelines are counted with their sources, so that a false total is noticed.
  const counted = ['milestones', 'releases', 'branches', 'tags'] as const;

  it('and agrees with neither the archive nor the list is declared, and is no loss', async () => {
    const scene = await openFastScene(16);
    const path = 'atlas/tools/caravan-2';
    for (const relation of counted) falsify(scene.source, path, countedList(relation), largerTotal);
    await migrate(scene, path);
    const result = comparisonOf(scene, path);
    expect(result).toMatchObject({ reconciled: true, missing: [] });
    for (const relation of counted) {
      expect(rowOf(result, relation), relation).toMatchObject({ source: null, verdict: 'equal' });
      const { archive = 0 } = rowOf(result, relation) ?? {};
      expect(result.declared).toContain(
        `"source" counted ${(archive ?? 0) + 1} ${relationText(relation)} around the export, but its list and the archive show only ${archive} from that time. The count was not used, so it is not known whether the export lost records that are not named.`,
      );
    }
  });

  it('and belongs to a list that is as wrong later is no loss, because the list contradicts itself', async () => {
    const scene = await openFastScene(16);
    const path = 'atlas/tools/caravan-2';
    falsify(scene.source, path, '/milestones', largerTotal);
    await migrate(scene, path);
    const result = comparisonOf(scene, path);
    expect(result).toMatchObject({ reconciled: true, missing: [] });
    expect(rowOf(result, 'milestones')).toMatchObject({
      source: null,
      archive: 3,
      target: 3,
      verdict: 'equal',
    });
    expect(result.declared).toContainEqual(
      expect.stringMatching(/^The list of milestones on "source" contradicts itself/),
    );
    expect(result.unproven).toContain('milestones');
  });

  it('beside a loss of the export still shows that loss, by name and number', async () => {
    const scene = await openFastScene(16);
    const path = 'atlas/tools/caravan-2';
    falsify(scene.source, path, countedList('milestones'), largerTotal);
    drop(scene.source, path, 'milestones');
    await migrate(scene, path);
    const result = comparisonOf(scene, path);
    expect(result).toMatchObject({
      reconciled: false,
      missing: [{ relation: 'milestones', lost: 'on-export' }],
    });
    expect(rowOf(result, 'milestones')).toMatchObject({
      ...{ source: 3, archive: 2, target: 2 },
      verdict: 'lost-on-export',
    });
  });

  it('is believed if the list confirms it', async () => {
    const scene = await openFastScene(16);
    const path = 'atlas/tools/caravan-2';
    drop(scene.source, path, 'milestones');
    await migrate(scene, path);
    const result = comparisonOf(scene, path);
    expect(result.declared.join(' ')).not.toMatch(/The count was not used/);
    expect(rowOf(result, 'milestones')).toMatchObject({ source: 3, verdict: 'lost-on-export' });
  });
});

it('confidential issues that the account may not see on the target are declared, unless they are known to be lost', async () => {
  const scene = await openFastScene(1, { areProjectsLight: false });
  const path = 'atlas/compass';
  // The last three issues are #22, which is confidential, #23 and #24. #11 is confidential, too.
  drop(scene.target, path, 'issues', 3);
  const id = await migrate(scene, path);
  const lostIids = ({ missing }: Reconciliation) => missing.map(({ iid }) => iid);
  const first = comparisonOf(scene, path);
  expect(lostIids(first)).toEqual([22, 23, 24]);
  expect(first.declared.join(' ')).not.toMatch(/confidential/);

  const setTarget = async (token: string) =>
    scene.client.call('instance.setToken', { name: 'target', token, keep: 'session' });
  const reconcile = async () =>
    (await scene.client.call('migration.reconcile', { migration: id, project: path })).reconciliation;
  await setTarget(scene.target.tokens.developer);
  expect(lostIids(await reconcile())).toEqual([22, 23, 24]);

  await setTarget(scene.target.tokens.guest);
  const asGuest = await reconcile();
  expect(lostIids(asGuest).toSorted()).toEqual([22, 23, 24]);
  expect(rowOf(asGuest, 'issues')).toMatchObject({ archive: 24, target: null, verdict: 'unknown' });
  expect(asGuest.declared).toContain(
    '"target" does not list these confidential issues, and the account\'s role there may not suffice to see them, so it is not known whether they arrived: #11, #22.',
  );
  expect(asGuest.unproven).toContain('issues');
});
