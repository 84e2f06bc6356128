import { countedRelations } from '../../../../src-contract/relations.ts';
import { describe, expect, it } from 'vitest';
import {
  exportMoment,
  changeAfterExport,
  sourceChange,
} from '../../../../src-main/services/migrations/comparing/export-moment.ts';

const hour = 3_600_000;
const exportedAt = Date.UTC(2026, 0, 1, 12);
const counted = (value: number) => ({
  at: '',
  counts: Object.fromEntries(countedRelations.map((name) => [name, value])),
  lastActivityAt: null,
});
const outputs = (clockSkewMs: number) => ({
  prepare: {
    ...{ projectName: 'p', serverVersion: null, clockSkewMs, foreignExport: false },
    before: counted(2),
  },
  request: { at: exportedAt },
  count: counted(3),
});

describe('the moment of an export', () => {
  it('is a time of the clock of the source', () => {
    expect(exportMoment(outputs(0)).requestedAt).toBe(exportedAt);
    // A server that is ahead wrote later times.
    expect(exportMoment(outputs(600_000)).requestedAt).toBe(exportedAt + 600_000);
    expect(exportMoment(outputs(-600_000)).requestedAt).toBe(exportedAt - 600_000);
  });

  it('is a time of our clock if the source is less than a second behind, because servers report whole seconds', () => {
    expect(exportMoment(outputs(-999)).requestedAt).toBe(exportedAt);
    expect(exportMoment(outputs(-1_500)).requestedAt).toBe(exportedAt - 1_500);
    expect(exportMoment(outputs(1)).requestedAt).toBe(exportedAt + 1);
  });

  it('has the counts of the source before and after the export', () => {
    expect(exportMoment(outputs(0)).countsAround('labels')).toEqual({ before: 2, after: 3 });
    expect(exportMoment(outputs(0)).countsAround('uploads')).toEqual({ before: null, after: null });
  });
});

describe('a source', () => {
  const changeWithActivity = (at: number) => changeAfterExport(new Date(at).toISOString(), exportedAt);

  it('with activity after its export has changed since', () => {
    expect(changeWithActivity(exportedAt + 1)).toEqual({ changedSince: exportedAt + 1, declared: [] });
  });

  it('with activity in the hour before its export may have changed, because GitLab would not record another activity, and this is declared', () => {
    const unknownChange = { changedSince: null, declared: [expect.stringContaining('is not known')] };
    expect(changeWithActivity(exportedAt)).toEqual(unknownChange);
    expect(changeWithActivity(exportedAt - hour + 1)).toEqual(unknownChange);
  });

  it('without activity in the hour before its export has not changed', () => {
    expect(changeWithActivity(exportedAt - hour)).toEqual({ changedSince: null, declared: [] });
  });

  it.each([null, 'yesterday'])(
    'that reports no time of its activity (%s) may have changed, and this is declared',
    (at) => {
      expect(changeAfterExport(at, exportedAt)).toEqual({
        changedSince: null,
        declared: [expect.stringContaining('is not known')],
      });
    },
  );
});

describe('the newest label before an export', () => {
  const newest = (before: object) =>
    exportMoment({ ...outputs(0), prepare: { ...outputs(0).prepare, before } }).newestLabelId;

  it('is known if labels were counted by a version that stores it', () => {
    expect(newest({ ...counted(2), newestLabelId: 7 })).toBe(7);
    expect(newest(counted(2))).toBe(null);
    const withoutLabels = { ...counted(2).counts, labels: null };
    expect(newest({ ...counted(2), counts: withoutLabels, newestLabelId: 0 })).toBe(null);
  });
});

it('the change that an earlier comparison found counts if the source was not read, and no sentence describes its activity', () => {
  const change = (knownChange: number | null) => sourceChange(null, { requestedAt: exportedAt }, knownChange);
  expect(change(exportedAt + 1)).toMatchObject({ changedSince: exportedAt + 1, declared: [] });
  // The change of the source before an earlier export does not count.
  expect(change(exportedAt)).toMatchObject({ changedSince: null, declared: [] });
  expect(change(null)).toMatchObject({ changedSince: null, declared: [] });
});

it('the change that an earlier comparison found also counts if the source no longer shows its activity', () => {
  const source = { details: { project: { lastActivityAt: null }, attributes: {} } } as unknown as Parameters<
    typeof sourceChange
  >[0];
  const change = (known: number | null) => sourceChange(source, { requestedAt: exportedAt }, known);
  expect(change(exportedAt + 1)).toMatchObject({ changedSince: exportedAt + 1, declared: [] });
  expect(change(exportedAt)).toMatchObject({ changedSince: null, declared: [expect.any(String)] });
});
