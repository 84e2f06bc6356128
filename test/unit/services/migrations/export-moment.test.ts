import { countedRelations } from '../../../../src-contract/relations.ts';
import { describe, expect, it } from 'vitest';
import {
  exportMoment,
  changeAfterExport,
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
  it('is told by the clock of the source', () => {
    expect(exportMoment(outputs(0)).requestedAt).toBe(exportedAt);
    // A server that is ahead wrote later times.
    expect(exportMoment(outputs(600_000)).requestedAt).toBe(exportedAt + 600_000);
    expect(exportMoment(outputs(-600_000)).requestedAt).toBe(exportedAt - 600_000);
  });

  it('is ours where both clocks may agree, as servers tell their time in whole seconds', () => {
    expect(exportMoment(outputs(-999)).requestedAt).toBe(exportedAt);
    expect(exportMoment(outputs(-1_500)).requestedAt).toBe(exportedAt - 1_500);
    expect(exportMoment(outputs(1)).requestedAt).toBe(exportedAt + 1);
  });

  it('has what the source counted before and after', () => {
    expect(exportMoment(outputs(0)).countsAround('labels')).toEqual({ before: 2, after: 3 });
    expect(exportMoment(outputs(0)).countsAround('uploads')).toEqual({ before: null, after: null });
  });
});

describe('a source', () => {
  const worked = (at: number) => changeAfterExport(new Date(at).toISOString(), exportedAt);

  it('with activity after its export was worked on since', () => {
    expect(worked(exportedAt + 1)).toEqual({ changedSince: exportedAt + 1, declared: [] });
  });

  it('with activity in the hour before may have been, as GitLab would not note another, and that is told', () => {
    const told = { changedSince: null, declared: [expect.stringContaining('is not known')] };
    expect(worked(exportedAt)).toEqual(told);
    expect(worked(exportedAt - hour + 1)).toEqual(told);
  });

  it('without any for an hour before was not', () => {
    expect(worked(exportedAt - hour)).toEqual({ changedSince: null, declared: [] });
  });

  it.each([null, 'yesterday'])(
    'that reports no time of its activity (%s) may have changed, which is told',
    (at) => {
      expect(changeAfterExport(at, exportedAt)).toEqual({
        changedSince: null,
        declared: [expect.stringContaining('is not known')],
      });
    },
  );
});
