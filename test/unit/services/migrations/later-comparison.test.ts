/** @file Losses of an earlier comparison, if a later one could not read all lists. */
import { expect, it } from 'vitest';
import type { MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { withKnownLosses } from '../../../../src-main/jobs/migrations/comparing/losses/known-losses.ts';
import type { Sides } from '../../../../src-main/services/migrations/comparing/sides/compared-sides.ts';
import { toLaterComparison } from '../../../../src-main/services/migrations/comparing/sides/later-comparison.ts';

const loss = (title: string, lost: MissingRecord['lost']): MissingRecord => ({
  ...{ relation: 'project_members', lost, line: 1, iid: null, title, part: null },
});
const without: Reconciliation = {
  ...{ at: '2026-11-20T01:00:00.000Z', depth: 'names', reconciled: true, rows: [], settings: [] },
  ...{ missing: [], missingCount: 0, declared: [], notCompared: [] },
};

/** Returns the titles of the earlier losses that a later comparison still counts, which found none itself. */
function keptTitles(lists: { members: [] | null; invitations: [] | null }): (string | null)[] {
  const missing = (['on-export', 'on-import'] as const).flatMap((lost) => [
    loss(`mia ${lost}`, lost),
    loss(`invitation of ada@example.com ${lost}`, lost),
  ]);
  const unnamed = [{ relation: 'invitations', lost: 'on-export', count: 2, lines: [] as number[] }] as const;
  const earlier: Reconciliation = { ...without, missing, missingCount: 6, unnamed: [...unnamed] };
  const side = { listed: { issues: null }, protectedRefs: {}, uploads: [], wikiPages: [], ...lists };
  const sides = {
    source: side,
    target: { ...side, details: { attributes: {}, project: {} } },
    archiveRecords: null,
  };
  const kept = withKnownLosses(without, earlier, toLaterComparison(sides as unknown as Sides));
  return [
    ...kept.missing.map(({ title }) => title),
    ...(kept.unnamed ?? []).map(({ relation, count }) => `${count} ${relation}`),
  ];
}

it('lost members and invitations are checked again unless their own list may not be read', () => {
  expect(keptTitles({ members: [], invitations: [] })).toEqual([]);
  expect(keptTitles({ members: [], invitations: null })).toEqual([
    'invitation of ada@example.com on-export',
    'invitation of ada@example.com on-import',
    '2 invitations',
  ]);
  expect(keptTitles({ members: null, invitations: [] })).toEqual(['mia on-export', 'mia on-import']);
});
