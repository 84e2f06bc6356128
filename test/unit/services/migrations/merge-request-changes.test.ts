import { expect, it } from 'vitest';
import {
  describeUnchecked,
  changesLostOnExport,
  changesLostOnImport,
  type ChangesSide,
} from '../../../../src-main/services/migrations/comparing/merge-request-changes.ts';
import type { ArchivedRecord } from '../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';

const exportedAt = 1000;
const record = (iid: number, updatedAt = 500): ArchivedRecord => ({
  line: iid - 1,
  key: String(iid),
  iid,
  title: `Change ${iid}`,
  notes: 0,
  createdAt: 100,
  updatedAt,
});
const records = (count: number): ArchivedRecord[] => Array.from({ length: count }, (_, at) => record(at + 1));

/** Creates a side that lists these merge requests and reports how many files each one changes. */
function side(listed: ArchivedRecord[] | null, counts: (iid: number) => string | null) {
  const requested: number[] = [];
  const answering: ChangesSide = {
    mergeRequests: listed,
    count: (iid) => {
      requested.push(iid);
      return Promise.resolve(counts(iid));
    },
  };
  return { ...answering, requested };
}
const archived = (listed: ArchivedRecord[], files: [number, number][], hasChangesCount = true) => ({
  records: listed,
  changedFileCounts: new Map(files),
  hasChangesCount: () => Promise.resolve(hasChangesCount),
});
const three: [number, number][] = [
  [0, 4],
  [1, 4],
  [2, 4],
];

it('a merge request without changes on the target lost them on import, and the source is not queried', async () => {
  const target = side(records(3), (iid) => (iid === 2 ? null : '4'));
  const source = side(records(3), () => '4');
  const archive = archived(records(3), three);
  const { missing, uncheckedCount } = await changesLostOnImport(archive, target);
  await changesLostOnExport(source, archive, exportedAt);
  expect(missing).toMatchObject([
    { lost: 'on-import', line: 1, iid: 2, part: { name: 'changes', expected: 4, found: 0 } },
  ]);
  expect(describeUnchecked(uncheckedCount)).toEqual([]);
  expect(source.requested).toEqual([]);
});

it('a merge request without changes in the archive lost them on export, if its source has any', async () => {
  const archive = archived(records(3), [[0, 4]]);
  const source = side(records(3), (iid) => (iid === 2 ? '1000+' : null));
  const target = side(records(3), () => '4');
  await changesLostOnImport(archive, target);
  const { missing } = await changesLostOnExport(source, archive, exportedAt);
  expect(missing).toMatchObject([{ lost: 'on-export', iid: 2, part: { expected: 1000, found: 0 } }]);
  expect(target.requested).toEqual([1]);
});

it('a merge request that changes no file on the target lost its changes on import', async () => {
  const target = side(records(3), (iid) => (iid === 3 ? '0' : '4'));
  const { missing } = await changesLostOnImport(archived(records(3), three), target);
  expect(missing.map(({ iid }) => iid)).toEqual([3]);
});

const unreported: [string, { hasChangesCount?: boolean; listed?: ArchivedRecord[] | null }][] = [
  ['whose number of changed files GitLab never recorded', { hasChangesCount: false }],
  ['that the target does not list', { listed: null }],
];
it.each(unreported)(
  'no loss is reported for a merge request %s',
  async (_, { hasChangesCount = true, listed = records(3) }) => {
    const archive = archived(records(3), three, hasChangesCount);
    const { missing } = await changesLostOnImport(
      archive,
      side(listed, () => null),
    );
    expect(missing).toEqual([]);
  },
);

it('no loss is reported for a merge request that was updated on the source after its export', async () => {
  const source = side([record(1, 2000)], () => '4');
  const { missing } = await changesLostOnExport(source, archived(records(1), []), exportedAt);
  expect(missing).toEqual([]);
});

it('twenty of many merge requests are requested, from the first to the last, and the number of the others is reported', async () => {
  const archive = archived(
    records(45),
    records(45).map(({ line }) => [line, 1]),
  );
  const target = side(records(45), () => '1');
  const { uncheckedCount } = await changesLostOnImport(archive, target);
  expect(target.requested).toHaveLength(20);
  expect(target.requested.at(0)).toBe(1);
  expect(target.requested.at(-1)).toBeGreaterThan(42);
  expect(describeUnchecked(uncheckedCount)).toEqual([expect.stringContaining('25 more were not checked')]);
});
