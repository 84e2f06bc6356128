import { describe, expect, it } from 'vitest';
import type { StoredAcceptance } from '../../../../../src-main/catalogue/migrations/accepted-differences.ts';
import type {
  Comparison,
  MissingRecord,
  Reconciliation,
} from '../../../../../src-contract/transfers/import.ts';
import {
  assessDifferences,
  differenceIdOf,
  type AssessedDifference,
  type ListedFailure,
} from '../../../../../src-main/jobs/migrations/comparing/differences.ts';
import { agreementOf } from '../../../../../src-main/jobs/migrations/settled.ts';

const lost = (change: Partial<MissingRecord>): MissingRecord => ({
  ...{ relation: 'issues', lost: 'on-import', line: 0, iid: 1, title: 'One', part: null },
  ...change,
});
const row = (relation: string, archive: number, target: number | null): Comparison => ({
  ...{ relation, source: archive, archive, target },
  verdict: target === null ? 'unknown' : target < archive ? 'lost-on-import' : 'equal',
});
const comparisonOf = (change: Partial<Reconciliation>): Reconciliation => ({
  ...{
    at: '2026-11-20T00:00:00.000Z',
    depth: 'fields',
    reconciled: false,
    rows: [],
    missing: [],
    settings: [],
    declared: [],
    notCompared: [],
  },
  missingCount: change.missing?.length ?? 0,
  ...change,
});
const notes = (found: number) => ({ name: 'notes', expected: 5, found });
const setting = { attribute: 'visibility', expected: 'private', found: 'public', lost: null };
const assess = (
  found: Partial<Reconciliation>,
  acceptances: StoredAcceptance[] = [],
  failures: ListedFailure[] = [],
): AssessedDifference[] => assessDifferences(comparisonOf(found), failures, acceptances);
/** Returns acceptances of all differences of a comparison. */
const acceptAll = (found: Partial<Reconciliation>): StoredAcceptance[] =>
  assess(found).map(({ key, missing }) => ({ difference: key, missing, note: 'known', at: 1 }));
const openDifferences = (found: Partial<Reconciliation>, acceptances: StoredAcceptance[]) =>
  assess(found, acceptances).map(({ kind, relation, lost: side, missing, open }) => [
    ...[kind, relation, side],
    `${open} of ${missing}`,
  ]);
const failed = (change: Partial<ListedFailure>): ListedFailure => ({
  ...{ ref: '1', relation: 'issues', line: 0, state: 'accepted', note: 'known', changedAt: 1 },
  ...change,
});

describe('a difference is recognized in a later comparison', () => {
  it.for<[label: string, before: Partial<Reconciliation>, later: Partial<Reconciliation>, same: boolean]>([
    [
      'by the number of its record',
      { missing: [lost({})] },
      { missing: [lost({ title: 'Renamed', line: 7 })] },
      true,
    ],
    [
      'but not if its record has another number',
      { missing: [lost({})] },
      { missing: [lost({ iid: 2 })] },
      false,
    ],
    [
      'by the name of its record',
      { missing: [lost({ iid: null })] },
      { missing: [lost({ iid: null, line: 7 })] },
      true,
    ],
    ['but not on the other side', { missing: [lost({})] }, { missing: [lost({ lost: 'on-export' })] }, false],
    [
      'but not in another relation',
      { missing: [lost({})] },
      { missing: [lost({ relation: 'labels' })] },
      false,
    ],
    [
      'by the part of its record',
      { missing: [lost({ part: notes(3) })] },
      { missing: [lost({ part: notes(4) })] },
      true,
    ],
    [
      'but not if first a part and then the complete record is missing',
      { missing: [lost({ part: notes(3) })] },
      { missing: [lost({})] },
      false,
    ],
    [
      'by number in the same relation and on the same side',
      { rows: [row('uploads', 5, 3)] },
      { rows: [row('uploads', 9, 8)] },
      true,
    ],
    [
      'but not by number in another relation',
      { rows: [row('uploads', 5, 3)] },
      { rows: [row('tags', 5, 3)] },
      false,
    ],
    ['by its setting and values', { settings: [setting] }, { settings: [setting] }, true],
    [
      'but not if its setting has another value',
      { settings: [setting] },
      { settings: [{ ...setting, found: 'internal' }] },
      false,
    ],
  ])('%s', ([, before, later, same]) => {
    const [first, second] = [assess(before), assess(later)];
    expect([first, second].map(({ length }) => length)).toEqual([1, 1]);
    expect(first[0]?.key === second[0]?.key).toBe(same);
  });

  it('and has an id that changes with its migration, its project and the amount that is missing', () => {
    const [before] = assess({ rows: [row('uploads', 5, 3)] });
    const [grown] = assess({ rows: [row('uploads', 5, 2)] });
    if (before === undefined || grown === undefined) throw new Error('Nothing differs.');
    const refs = [
      differenceIdOf('m1', 4, before),
      differenceIdOf('m1', 4, grown),
      differenceIdOf('m2', 4, before),
      differenceIdOf('m1', 5, before),
    ];
    expect(new Set(refs).size).toBe(4);
    expect(differenceIdOf('m1', 4, { ...before })).toBe(refs[0]);
    expect(refs[0]).toMatch(/^4-[0-9a-f]{10}$/);
  });
});

describe('an acceptance', () => {
  const found = {
    missing: [lost({}), lost({ iid: 2, part: notes(3) }), lost({ relation: 'tags', iid: null, title: 'v1' })],
    rows: [row('issues', 9, 8), row('uploads', 5, 3)],
    settings: [setting],
  };

  it('of every difference makes the comparison agree, and of all except one does not', () => {
    const all = acceptAll(found);
    expect(all).toHaveLength(5);
    const agrees = (acceptances: StoredAcceptance[]) =>
      agreementOf(comparisonOf(found), assess(found, acceptances)) === 'agrees';
    expect(agrees(all)).toBe(true);
    for (const omitted of all) expect(agrees(all.filter((acceptance) => acceptance !== omitted))).toBe(false);
  });

  it('does not cover further losses that a later comparison finds', () => {
    const accepted = acceptAll({ missing: [lost({ part: notes(3) })], rows: [row('uploads', 5, 3)] });
    const grown = { missing: [lost({ part: notes(1) })], rows: [row('uploads', 5, 0)] };
    expect(openDifferences(grown, accepted)).toEqual([
      ['part', 'issues', 'on-import', '2 of 4'],
      ['number', 'uploads', 'on-import', '3 of 5'],
    ]);
    const another = { missing: [lost({ part: notes(3) }), lost({ iid: 2 })] };
    expect(openDifferences(another, accepted).map(([, , , open]) => open)).toEqual(['0 of 2', '1 of 1']);
  });

  it('covers a smaller loss than the accepted one, and is not listed if nothing is missing', () => {
    const accepted = acceptAll({ rows: [row('uploads', 5, 3)] });
    expect(openDifferences({ rows: [row('uploads', 5, 4)] }, accepted)).toEqual([
      ['number', 'uploads', 'on-import', '0 of 1'],
    ]);
    expect(assess({ rows: [row('uploads', 5, 5)] }, accepted)).toEqual([]);
  });

  it('does not exist for records that could not be counted, and the comparison does not agree', () => {
    const uncounted = { rows: [row('issues', 4, null)] };
    expect(assess(uncounted)).toEqual([]);
    expect(agreementOf(comparisonOf(uncounted), [])).toBe('differs');
    // Files that no list reports do not prevent agreement.
    expect(agreementOf(comparisonOf({ rows: [row('uploads', 4, null)] }), [])).toBe('agrees');
  });
});

describe('numbers', () => {
  it('that named records explain are no separate difference', () => {
    expect(openDifferences({ missing: [lost({})], rows: [row('issues', 5, 4)] }, [])).toEqual([
      ['record', 'issues', 'on-import', '1 of 1'],
    ]);
    expect(openDifferences({ missing: [lost({})], rows: [row('issues', 5, 2)] }, [])).toEqual([
      ['record', 'issues', 'on-import', '1 of 1'],
      ['number', 'issues', 'on-import', '2 of 2'],
    ]);
  });

  it('of notes are explained by named notes, and by lost records with their notes', () => {
    const part = lost({ part: notes(3) });
    expect(openDifferences({ missing: [part], rows: [row('issue_notes', 9, 7)] }, [])).toHaveLength(1);
    expect(openDifferences({ missing: [part], rows: [row('issue_notes', 9, 6)] }, [])).toEqual([
      ['part', 'issues', 'on-import', '2 of 2'],
      ['number', 'issue_notes', 'on-import', '1 of 1'],
    ]);
    const withNotes = { missing: [lost({ iid: 2 })], rows: [row('issues', 3, 2), row('issue_notes', 9, 2)] };
    expect(openDifferences(withNotes, [])).toEqual([['record', 'issues', 'on-import', '1 of 1']]);
  });

  it('are reported separately for both sides', () => {
    const both: Comparison = { ...row('uploads', 5, 3), source: 9, verdict: 'lost-on-both' };
    expect(openDifferences({ rows: [both] }, [])).toEqual([
      ['number', 'uploads', 'on-export', '4 of 4'],
      ['number', 'uploads', 'on-import', '2 of 2'],
    ]);
  });

  it('beyond the stored names are one difference', () => {
    expect(openDifferences({ missing: [lost({})], missingCount: 3 }, [])).toEqual([
      ['record', 'issues', 'on-import', '1 of 1'],
      ['unnamed', '', null, '2 of 2'],
    ]);
  });
});

describe('a listed failure', () => {
  const found = { missing: [lost({})], rows: [row('issues', 5, 4)] };

  it('that was accepted counts as the acceptance of its record', () => {
    const [difference] = assess(found, [], [failed({})]);
    expect(difference).toMatchObject({
      open: 0,
      isAcceptedItself: false,
      accepted: { note: 'known', at: 1 },
    });
    expect(difference?.failures).toHaveLength(1);
  });

  it('of another line or relation, or that is resolved, has no effect on the record', () => {
    const others = [failed({ line: 3 }), failed({ state: 'resolved' }), failed({ relation: 'labels' })];
    expect(assess(found, [], others)).toMatchObject([{ open: 1, failures: [], accepted: null }]);
  });

  it('that was accepted explains one lost record, also if its line failed several times', () => {
    const unnamed = { rows: [row('issues', 5, 3)] };
    expect(assess(unnamed, [], [failed({ line: 2 }), failed({ ref: '2', line: 2 })])).toMatchObject([
      { kind: 'number', open: 1 },
    ]);
    expect(assess(unnamed, [], [failed({ line: 2 }), failed({ ref: '2', line: 3 })])).toEqual([]);
  });

  it('that was accepted explains a number if no record is named', () => {
    const unnamed = { rows: [row('issues', 5, 3)] };
    expect(assess(unnamed, [], [failed({ line: null }), failed({ ref: '2', line: null })])).toEqual([]);
    expect(assess(unnamed, [], [failed({ line: null }), failed({ state: 'open' })])).toMatchObject([
      { kind: 'number', open: 1 },
    ]);
  });
});
