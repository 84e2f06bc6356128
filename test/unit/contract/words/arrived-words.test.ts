/** @file The words for arrived projects say how far their contents were compared, and sums never say more than their projects. */
import { describe, expect, it } from 'vitest';
import {
  comparisonDepths,
  type ComparisonDepth,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';
import { countProjects, migratingStates } from '../../../../src-contract/migrations/migration.ts';
import { agreementText, declaredBesidesGaps, gapsOf } from '../../../../src-contract/words/depths.ts';
import {
  acceptedStateText,
  migratingStateText,
  projectStateText,
  stateCountText,
} from '../../../../src-contract/words/migrations.ts';

describe('an arrived project', () => {
  it.each([...comparisonDepths, null])('compared to the depth %s has arrived only with contents', (depth) => {
    const { text, hint } = projectStateText({ state: 'arrived', depth });
    expect(text).toBe(agreementText[depth === 'contents' ? 'contents' : 'fields'].title);
    expect(hint.endsWith('Contents were compared in part.')).toBe(depth !== 'contents');
  });

  it('with accepted losses says both', () => {
    expect(acceptedStateText({ state: 'arrived', depth: 'fields' })).toBe(
      'Arrived, contents compared in part, with losses that were accepted',
    );
  });
});

it.each(migratingStates.filter((state) => state !== 'arrived'))(
  'the words for the state %s do not depend on a depth',
  (state) => {
    for (const depth of comparisonDepths)
      expect(projectStateText({ state, depth })).toEqual(migratingStateText[state]);
  },
);

it.each([
  [3, 0, 'Arrived'],
  [3, 3, 'Arrived, contents compared in part'],
  [3, 1, 'Arrived, 1 of them with contents compared in part'],
])('%i arrived projects, %i of them compared in part are "%s"', (arrived, comparedInPart, text) => {
  const none = Object.fromEntries(migratingStates.map((state) => [state, 0]));
  const projects = { ...none, arrived, failed: 2 } as Parameters<typeof stateCountText>[1]['projects'];
  expect(stateCountText('arrived', { projects, comparedInPart })).toBe(text);
  expect(stateCountText('failed', { projects, comparedInPart })).toBe('Failed');
});

it('projects are counted by state, and arrived ones also by what is not known about them', () => {
  const project = (
    state: 'arrived' | 'differs',
    depth: 'contents' | 'fields' | null,
    hasUnlisted: boolean,
  ) => ({ state, depth, failures: { open: 0, total: 100, hasUnlisted } });
  const counted = countProjects([
    project('arrived', 'contents', false),
    project('arrived', 'contents', true),
    project('arrived', 'fields', true),
    project('arrived', null, false),
    project('differs', 'fields', true),
  ]);
  expect(counted).toMatchObject({
    projects: { arrived: 4, differs: 1, planned: 0 },
    ...{ comparedInPart: 2, arrivedWithUnlistedFailures: 2 },
  });
});

describe('the reasons why contents were compared in part', () => {
  const compared = (depth: ComparisonDepth, change: Partial<Reconciliation> = {}): Reconciliation => ({
    ...{ at: '2026-11-20T10:00:00.000Z', reconciled: true, depth, rows: [], missing: [], missingCount: 0 },
    ...{ settings: [], declared: ['A list was not read.', 'A user has another name.'], notCompared: [] },
    ...change,
  });

  it('are those stored with the comparison, and are not declared again', () => {
    const inPart = compared('fields', { gaps: ['A list was not read.'], unproven: ['boards'] });
    expect(gapsOf(inPart)).toEqual(['A list was not read.']);
    expect(declaredBesidesGaps(inPart)).toEqual(['A user has another name.']);
  });

  it('are unknown for a comparison of an older version, which still says what was not confirmed', () => {
    expect(gapsOf(compared('fields', { unproven: ['boards'] }))).toEqual([
      expect.stringContaining('An older version of Packhorse'),
      'Not confirmed: boards.',
    ]);
  });

  it.each(['numbers', 'names', 'contents'] as const)('do not exist for the depth %s', (depth) => {
    expect(gapsOf(compared(depth))).toEqual([]);
    expect(declaredBesidesGaps(compared(depth))).toHaveLength(2);
  });
});
