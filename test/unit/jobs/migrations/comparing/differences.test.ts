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
import { hasOnlyAcceptedDifferences } from '../../../../../src-main/jobs/migrations/settled.ts';

const lost = (change: Partial<MissingRecord>): MissingRecord => ({
  ...{ relation: 'issues', lost: 'on-import', line: 0, iid: 1, title: 'One', part: null },
  ...change,
});
const row = (relation: string, archive: number, target: number | null): Comparison => ({
  ...{ relation, source: archive, archive, target },
  verdict: target === null ? 'unknown' : target < archive ? 'lost-on-import' : 'equal',
});
const compared = (change: Partial<Reconciliation>): Reconciliation => ({
  ...{ at: '2026-11-20T00:00:00.000Z', reconciled: false, rows: [], missing: [], settings: [], declared: [] },
  missingCount: change.missing?.length ?? 0,
  ...change,
});
const notes = (found: number) => ({ name: 'notes', expected: 5, found });
const setting = { attribute: 'visibility', expected: 'private', found: 'public', lost: null };
const judged = (
  found: Partial<Reconciliation>,
  acceptances: StoredAcceptance[] = [],
  failures: ListedFailure[] = [],
): AssessedDifference[] => assessDifferences(compared(found), failures, acceptances);
/** Acceptances of everything that a comparison shows. */
const acceptedAll = (found: Partial<Reconciliation>): StoredAcceptance[] =>
  judged(found).map(({ key, missing }) => ({ difference: key, missing, note: 'known', at: 1 }));
const opens = (found: Partial<Reconciliation>, acceptances: StoredAcceptance[]) =>
  judged(found, acceptances).map(({ kind, relation, lost: side, missing, open }) => [
    ...[kind, relation, side],
    `${open} of ${missing}`,
  ]);
const failed = (change: Partial<ListedFailure>): ListedFailure => ({
  ...{ ref: '1', relation: 'issues', line: 0, state: 'accepted', note: 'known', changedAt: 1 },
  ...change,
});

describe('a difference is known again', () => {
  it.for<[what: string, before: Partial<Reconciliation>, later: Partial<Reconciliation>, same: boolean]>([
    ['by its number', { missing: [lost({})] }, { missing: [lost({ title: 'Renamed', line: 7 })] }, true],
    ['not by another number', { missing: [lost({})] }, { missing: [lost({ iid: 2 })] }, false],
    ['by its name', { missing: [lost({ iid: null })] }, { missing: [lost({ iid: null, line: 7 })] }, true],
    ['not on the other side', { missing: [lost({})] }, { missing: [lost({ lost: 'on-export' })] }, false],
    ['not in another relation', { missing: [lost({})] }, { missing: [lost({ relation: 'labels' })] }, false],
    ['by its part', { missing: [lost({ part: notes(3) })] }, { missing: [lost({ part: notes(4) })] }, true],
    ['not as a whole by its part', { missing: [lost({ part: notes(3) })] }, { missing: [lost({})] }, false],
    ['by relation and side', { rows: [row('uploads', 5, 3)] }, { rows: [row('uploads', 9, 8)] }, true],
    ['not by relation alone', { rows: [row('uploads', 5, 3)] }, { rows: [row('tags', 5, 3)] }, false],
    ['as a setting', { settings: [setting] }, { settings: [setting] }, true],
    [
      'not as a setting of another value',
      { settings: [setting] },
      { settings: [{ ...setting, found: 'internal' }] },
      false,
    ],
  ])('%s', ([, before, later, same]) => {
    const [first, second] = [judged(before), judged(later)];
    expect([first, second].map(({ length }) => length)).toEqual([1, 1]);
    expect(first[0]?.key === second[0]?.key).toBe(same);
  });

  it('and named by a ref that changes with its project and with how much is missing', () => {
    const [before] = judged({ rows: [row('uploads', 5, 3)] });
    const [grown] = judged({ rows: [row('uploads', 5, 2)] });
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

  it('of each difference lets the comparison agree, and of all but one does not', () => {
    const all = acceptedAll(found);
    expect(all).toHaveLength(5);
    const agrees = (acceptances: StoredAcceptance[]) =>
      hasOnlyAcceptedDifferences(compared(found), judged(found, acceptances));
    expect(agrees(all)).toBe(true);
    for (const left of all) expect(agrees(all.filter((one) => one !== left))).toBe(false);
  });

  it('leaves open what a later comparison finds to be missing besides', () => {
    const accepted = acceptedAll({ missing: [lost({ part: notes(3) })], rows: [row('uploads', 5, 3)] });
    const grown = { missing: [lost({ part: notes(1) })], rows: [row('uploads', 5, 0)] };
    expect(opens(grown, accepted)).toEqual([
      ['part', 'issues', 'on-import', '2 of 4'],
      ['number', 'uploads', 'on-import', '3 of 5'],
    ]);
    const another = { missing: [lost({ part: notes(3) }), lost({ iid: 2 })] };
    expect(opens(another, accepted).map(([, , , open]) => open)).toEqual(['0 of 2', '1 of 1']);
  });

  it('holds where less is missing than was accepted, and does not show where nothing is', () => {
    const accepted = acceptedAll({ rows: [row('uploads', 5, 3)] });
    expect(opens({ rows: [row('uploads', 5, 4)] }, accepted)).toEqual([
      ['number', 'uploads', 'on-import', '0 of 1'],
    ]);
    expect(judged({ rows: [row('uploads', 5, 5)] }, accepted)).toEqual([]);
  });

  it('of what could not be counted there is none, and it does not agree', () => {
    const uncounted = { rows: [row('issues', 4, null)] };
    expect(judged(uncounted)).toEqual([]);
    expect(hasOnlyAcceptedDifferences(compared(uncounted), [])).toBe(false);
    // Files that no list reports do not prevent agreement.
    expect(hasOnlyAcceptedDifferences(compared({ rows: [row('uploads', 4, null)] }), [])).toBe(true);
  });
});

describe('numbers', () => {
  it('that names account for are no difference of their own', () => {
    expect(opens({ missing: [lost({})], rows: [row('issues', 5, 4)] }, [])).toEqual([
      ['record', 'issues', 'on-import', '1 of 1'],
    ]);
    expect(opens({ missing: [lost({})], rows: [row('issues', 5, 2)] }, [])).toEqual([
      ['record', 'issues', 'on-import', '1 of 1'],
      ['number', 'issues', 'on-import', '2 of 2'],
    ]);
  });

  it('of notes are accounted for by notes that are named, and by records that are lost with theirs', () => {
    const part = lost({ part: notes(3) });
    expect(opens({ missing: [part], rows: [row('issue_notes', 9, 7)] }, [])).toHaveLength(1);
    expect(opens({ missing: [part], rows: [row('issue_notes', 9, 6)] }, [])).toEqual([
      ['part', 'issues', 'on-import', '2 of 2'],
      ['number', 'issue_notes', 'on-import', '1 of 1'],
    ]);
    const whole = { missing: [lost({ iid: 2 })], rows: [row('issues', 3, 2), row('issue_notes', 9, 2)] };
    expect(opens(whole, [])).toEqual([['record', 'issues', 'on-import', '1 of 1']]);
  });

  it('tell both sides apart', () => {
    const both: Comparison = { ...row('uploads', 5, 3), source: 9, verdict: 'lost-on-both' };
    expect(opens({ rows: [both] }, [])).toEqual([
      ['number', 'uploads', 'on-export', '4 of 4'],
      ['number', 'uploads', 'on-import', '2 of 2'],
    ]);
  });

  it('beyond what is kept by name are one difference', () => {
    expect(opens({ missing: [lost({})], missingCount: 3 }, [])).toEqual([
      ['record', 'issues', 'on-import', '1 of 1'],
      ['unnamed', '', null, '2 of 2'],
    ]);
  });
});

describe('a listed failure', () => {
  const found = { missing: [lost({})], rows: [row('issues', 5, 4)] };

  it('that was accepted is the acceptance of its record', () => {
    const [difference] = judged(found, [], [failed({})]);
    expect(difference).toMatchObject({ open: 0, byItself: false, accepted: { note: 'known', at: 1 } });
    expect(difference?.failures).toHaveLength(1);
  });

  it('of another line, or that is resolved, tells nothing of it', () => {
    const others = [failed({ line: 3 }), failed({ state: 'resolved' }), failed({ relation: 'labels' })];
    expect(judged(found, [], others)).toMatchObject([{ open: 1, failures: [], accepted: null }]);
  });

  it('that was accepted accounts for a number where no record is named', () => {
    const unnamed = { rows: [row('issues', 5, 3)] };
    expect(judged(unnamed, [], [failed({ line: null }), failed({ ref: '2', line: null })])).toEqual([]);
    expect(judged(unnamed, [], [failed({ line: null }), failed({ state: 'open' })])).toMatchObject([
      { kind: 'number', open: 1 },
    ]);
  });
});
