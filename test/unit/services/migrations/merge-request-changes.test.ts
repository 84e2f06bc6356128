import { expect, it } from 'vitest';
import {
  describeUnchecked,
  changesLostOnExport,
  changesLostOnImport,
  type ChangesSide,
} from '../../../../src-main/services/migrations/comparing/merge-request-changes.ts';
import type { ArchivedRecord } from '../../../../src-main/jobs/migrations/comparing/naming-losses.ts';

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

/** A side that lists these, and tells of each how many files it changes. */
function side(listed: ArchivedRecord[] | null, counts: (iid: number) => string | null) {
  const asked: number[] = [];
  const answering: ChangesSide = {
    listed,
    count: (iid) => {
      asked.push(iid);
      return Promise.resolve(counts(iid));
    },
  };
  return { ...answering, asked };
}
const archived = (held: ArchivedRecord[], files: [number, number][], hasChangesCount = true) => ({
  records: held,
  changedFileCounts: new Map(files),
  hasChangesCount: () => Promise.resolve(hasChangesCount),
});
const three: [number, number][] = [
  [0, 4],
  [1, 4],
  [2, 4],
];

it('a merge request without changes on the target lost them on import', async () => {
  const target = side(records(3), (iid) => (iid === 2 ? null : '4'));
  const source = side(records(3), () => '4');
  const held = archived(records(3), three);
  const { missing, uncheckedCount } = await changesLostOnImport(held, target);
  await changesLostOnExport(source, held, exportedAt);
  expect(missing).toMatchObject([
    { lost: 'on-import', line: 1, iid: 2, part: { name: 'changes', expected: 4, found: 0 } },
  ]);
  expect(describeUnchecked(uncheckedCount)).toEqual([]);
  expect(source.asked).toEqual([]);
});

it('one without changes in the archive lost them on export, if its source has any', async () => {
  const held = archived(records(3), [[0, 4]]);
  const source = side(records(3), (iid) => (iid === 2 ? '1000+' : null));
  const target = side(records(3), () => '4');
  await changesLostOnImport(held, target);
  const { missing } = await changesLostOnExport(source, held, exportedAt);
  expect(missing).toMatchObject([{ lost: 'on-export', iid: 2, part: { expected: 1000, found: 0 } }]);
  expect(target.asked).toEqual([1]);
});

const silent: [string, { hasChangesCount?: boolean; listed?: ArchivedRecord[] | null }][] = [
  ['of which GitLab never put down how many files it changes', { hasChangesCount: false }],
  ['that the target does not list', { listed: null }],
];
it.each(silent)('nothing is said of one %s', async (_, { hasChangesCount = true, listed = records(3) }) => {
  const held = archived(records(3), three, hasChangesCount);
  const { missing } = await changesLostOnImport(
    held,
    side(listed, () => null),
  );
  expect(missing).toEqual([]);
});

it('one that was touched on the source since its export accuses nobody', async () => {
  const source = side([record(1, 2000)], () => '4');
  const { missing } = await changesLostOnExport(source, archived(records(1), []), exportedAt);
  expect(missing).toEqual([]);
});

it('of many, twenty are asked from the first to the last, and it is said that others were not', async () => {
  const held = archived(
    records(45),
    records(45).map(({ line }) => [line, 1]),
  );
  const target = side(records(45), () => '1');
  const { uncheckedCount } = await changesLostOnImport(held, target);
  expect(target.asked).toHaveLength(20);
  expect(target.asked.at(0)).toBe(1);
  expect(target.asked.at(-1)).toBeGreaterThan(42);
  expect(describeUnchecked(uncheckedCount)).toEqual([expect.stringContaining('25 more were not checked')]);
});
