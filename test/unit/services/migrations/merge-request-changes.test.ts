import { expect, it } from 'vitest';
import {
  archivedDiff,
  describeUnchecked,
  changesLostOnExport,
  changesLostOnImport,
  type ArchivedDiff,
  type ChangesSide,
} from '../../../../src-main/services/migrations/comparing/one-by-one/merge-request-changes.ts';
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
const archived = (listed: ArchivedRecord[], diffs: [number, ArchivedDiff][]) => ({
  records: listed,
  diffs: new Map(diffs),
});
const complete: ArchivedDiff = { files: 4, recorded: 4 };
const three: [number, ArchivedDiff][] = [
  [0, complete],
  [1, complete],
  [2, complete],
];

it('a merge request without changes on the target lost them on import, and the source is not queried', async () => {
  const target = side(records(3), (iid) => (iid === 2 ? null : '4'));
  const source = side(records(3), () => '4');
  const archive = archived(records(3), three);
  const { missing, uncheckedCount } = await changesLostOnImport(archive, target, null);
  await changesLostOnExport(source, archive, exportedAt);
  expect(missing).toMatchObject([
    { lost: 'on-import', line: 1, iid: 2, part: { name: 'changes', expected: 4, found: 0 } },
  ]);
  expect(describeUnchecked(uncheckedCount)).toEqual([]);
  expect(source.requested).toEqual([]);
});

it('a merge request without a diff in the archive lost its changes on export, if its source has any', async () => {
  const archive = archived(records(3), [[0, complete]]);
  const source = side(records(3), (iid) => (iid === 2 ? '1000+' : null));
  const target = side(records(3), () => '4');
  await changesLostOnImport(archive, target, null);
  const { missing } = await changesLostOnExport(source, archive, exportedAt);
  expect(missing).toMatchObject([{ lost: 'on-export', iid: 2, part: { expected: 1000, found: 0 } }]);
  expect(target.requested).toEqual([1]);
});

it('a merge request that changes fewer files on the target lost the others on import', async () => {
  const target = side(records(3), (iid) => ({ 1: '5', 2: '3' })[iid] ?? '4');
  const { missing } = await changesLostOnImport(archived(records(3), three), target, null);
  expect(missing).toMatchObject([{ iid: 2, part: { expected: 4, found: 3 } }]);
});

it('a merge request with fewer files in the archive than GitLab recorded with them lost the others on export', async () => {
  const archive = archived(records(1), [[0, { files: 3, recorded: 4 }]]);
  const lost = await changesLostOnExport(
    side(records(1), () => '4'),
    archive,
    exportedAt,
  );
  expect(lost.missing).toMatchObject([{ lost: 'on-export', iid: 1, part: { expected: 4, found: 3 } }]);
  const arrived = await changesLostOnImport(
    archive,
    side(records(1), () => '4'),
    null,
  );
  expect(arrived.missing).toEqual([]);
});

it('a difference on a merge request that was edited after the import is named, but is no loss', async () => {
  const archive = archived(records(1), three);
  const target = side([record(1, 9000)], () => '1');
  const { missing, uncertain } = await changesLostOnImport(archive, target, 8000);
  expect(missing).toEqual([]);
  expect(uncertain).toMatchObject([{ name: 'changes', expected: '4', found: '1', isCertain: false }]);
  const prompt = await changesLostOnImport(archive, target, null);
  expect(prompt.missing).toHaveLength(1);
});

it('nothing is requested for merge requests without files that GitLab could show', async () => {
  const archive = archived(records(2), [
    [0, { files: 4, recorded: 0 }],
    [1, { files: 0, recorded: 0 }],
  ]);
  const [source, target] = [side(records(2), () => '4'), side(records(2), () => null)];
  expect(await changesLostOnImport(archive, target, null)).toMatchObject({ missing: [] });
  expect(await changesLostOnExport(source, archive, exportedAt)).toMatchObject({ missing: [] });
  expect([...source.requested, ...target.requested]).toEqual([]);
});

it('no loss is reported for a merge request that the target does not list', async () => {
  const target = side(null, () => null);
  const { missing } = await changesLostOnImport(archived(records(3), three), target, null);
  expect(missing).toEqual([]);
});

it('no loss is reported for a merge request that was updated on the source after its export', async () => {
  const source = side([record(1, 2000)], () => '4');
  const { missing } = await changesLostOnExport(source, archived(records(1), []), exportedAt);
  expect(missing).toEqual([]);
});

it('at most 2000 merge requests are requested, and the number of the others is reported', async () => {
  const all = records(2025);
  const archive = archived(
    all,
    all.map(({ line }) => [line, complete]),
  );
  const target = side(all, () => '4');
  const { uncheckedCount } = await changesLostOnImport(archive, target, null);
  expect(target.requested).toHaveLength(2000);
  expect(describeUnchecked(uncheckedCount)).toEqual([expect.stringContaining('25 more were not checked')]);
});

const diffs: [string, Record<string, unknown> | null, number, ArchivedDiff | null][] = [
  ['no diff', {}, 0, null],
  ['a diff', { merge_request_diff: { real_size: '4' } }, 3, { files: 3, recorded: 4 }],
  [
    'more files than GitLab shows',
    { merge_request_diff: { real_size: '1000+' } },
    1000,
    { files: 1000, recorded: 1000 },
  ],
  ['no recorded number', { merge_request_diff: { real_size: null } }, 4, { files: 4, recorded: 0 }],
  [
    'files that GitLab deleted',
    { merge_request_diff: { real_size: '4', state: 'without_files' } },
    0,
    { files: 0, recorded: 0 },
  ],
  ['a record that is too large', null, 4, complete],
];
it.each(diffs)(
  'the archived changes are read from a merge request with %s',
  (_, columns, files, expected) => {
    expect(archivedDiff(columns, files)).toEqual(expected);
  },
);
