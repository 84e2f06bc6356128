import { expect, it } from 'vitest';
import {
  archivedDiff,
  describeUnarchivedMessages,
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

const file = (name: string, change: object = {}) => ({
  ...{ old_path: name, new_path: name, a_mode: '0', b_mode: '100644' },
  ...{ new_file: true, renamed_file: false, deleted_file: false, too_large: false },
  ...{ diff: `@@ -0,0 +1 @@\n+${name}\n`, ...change },
});
const people = {
  ...{ author_name: 'Mia', author_email: 'mia@example.com', authored_date: '2026-11-20T09:00:00.000+01:00' },
  ...{ committer_name: 'Ada', committer_email: 'ada@example.com', committed_date: '2026-11-20T08:00:00Z' },
};
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at}.txt`);
/** A version of changes, as GitLab shows it. */
const version = (files: object[], commits: string[] = ['c0ffee']) => ({
  ...{ base_commit_sha: 'b0', start_commit_sha: 'b0', head_commit_sha: 'c0ffee' },
  created_at: '2026-11-20T08:00:00.500Z',
  commits: commits.map((id) => ({ id, message: `Change ${id}\n`, ...people })),
  diffs: files,
});
const shown = (count: number) => version(names(count).map((name) => file(name)));
/** The same changes in an archive. */
const columnsOf = ({ commits, diffs, ...shas }: ReturnType<typeof version>, recorded = diffs.length) => ({
  merge_request_diff: {
    ...{ ...shas, real_size: String(recorded), state: 'collected' },
    merge_request_diff_commits: commits.map(({ id: sha, ...details }) => ({ sha, ...details })),
    merge_request_diff_files: (diffs as Record<string, unknown>[]).map(({ diff, ...columns }) => ({
      ...columns,
      utf8_diff: diff,
    })),
  },
});
const diffIn = (shownVersion: ReturnType<typeof version>, recorded?: number): ArchivedDiff => {
  const diff = archivedDiff(columnsOf(shownVersion, recorded), shownVersion.diffs.length);
  if (diff === null) throw new Error('The merge request has a diff.');
  return diff;
};

/** Creates a side that lists these merge requests and shows these changes of each one; null if they may not be read. */
function side(listed: ArchivedRecord[] | null, diffs: (iid: number) => Record<string, unknown> | null) {
  const requested: number[] = [];
  const answering: ChangesSide = {
    mergeRequests: listed,
    diff: (iid) => {
      requested.push(iid);
      return Promise.resolve(diffs(iid));
    },
  };
  return { ...answering, requested };
}
const archived = (listed: ArchivedRecord[], diffs: [number, ArchivedDiff][]) => ({
  records: listed,
  diffs: new Map(diffs),
});
/** No record of the target changed later. */
const importedAt = Infinity;
const complete = diffIn(shown(4));
const three: [number, ArchivedDiff][] = [
  [0, complete],
  [1, complete],
  [2, complete],
];
const noLosses = {
  uncomparedLines: new Set(),
  ...{ missing: [], changed: [], uncheckedCount: 0, editedCount: 0, unreadCount: 0 },
  withoutMessagesCount: 0,
};

it('the same changes on all sides are no difference', async () => {
  const archive = archived(records(3), three);
  const all = side(records(3), () => shown(4));
  expect(await changesLostOnImport(archive, all, importedAt)).toEqual(noLosses);
  expect(await changesLostOnExport(all, archive, exportedAt)).toEqual(noLosses);
});

it('a merge request without changes on the target lost them on import', async () => {
  const target = side(records(3), (iid) => (iid === 2 ? {} : shown(4)));
  const { missing, changed } = await changesLostOnImport(archived(records(3), three), target, importedAt);
  expect(missing).toMatchObject([
    { lost: 'on-import', line: 1, iid: 2, part: { name: 'changes', expected: 4, found: 0 } },
  ]);
  expect(changed).toEqual([]);
});

it('a merge request without a diff in the archive lost its changes on export, if its source has any', async () => {
  const archive = archived(records(3), [[0, complete]]);
  const source = side(records(3), (iid) => (iid === 3 ? {} : shown(4)));
  const target = side(records(3), () => shown(4));
  await changesLostOnImport(archive, target, importedAt);
  const { missing } = await changesLostOnExport(source, archive, exportedAt);
  expect(missing).toMatchObject([{ lost: 'on-export', iid: 2, part: { expected: 4, found: 0 } }]);
  expect(target.requested).toEqual([1]);
});

it('a merge request that changes fewer files on the target lost the others on import', async () => {
  const target = side(records(3), (iid) => shown({ 1: 5, 2: 3 }[iid] ?? 4));
  const { missing, changed } = await changesLostOnImport(archived(records(3), three), target, importedAt);
  expect(missing).toMatchObject([{ iid: 2, part: { expected: 4, found: 3 } }]);
  expect(changed).toMatchObject([{ record: { iid: 1 }, name: 'diffs' }]);
});

it('a merge request with fewer files in the archive than on the source lost the others on export', async () => {
  const archive = archived(records(1), [[0, diffIn(shown(3), 4)]]);
  const lost = await changesLostOnExport(
    side(records(1), () => shown(4)),
    archive,
    exportedAt,
  );
  expect(lost.missing).toMatchObject([{ lost: 'on-export', iid: 1, part: { expected: 4, found: 3 } }]);
});

const others: [string, ReturnType<typeof version>, string][] = [
  ['text', version(names(4).map((name) => file(name, { diff: 'cut' }))), 'diffs'],
  ['path', version([...names(3), 'other.txt'].map((name) => file(name))), 'diffs'],
  ['mode', version(names(4).map((name) => file(name, { b_mode: '100755' }))), 'diffs'],
  ['commits', version(shown(4).diffs, ['c0ffee', 'decade']), 'commits'],
  ['base', { ...shown(4), base_commit_sha: 'b1' }, 'base_commit_sha'],
];
it.each(others)(
  'changes with another %s are a loss on the side where they differ',
  async (_, other, name) => {
    const archive = archived(records(1), [[0, complete]]);
    const differing = side(records(1), () => other);
    const imported = await changesLostOnImport(archive, differing, importedAt);
    expect(imported.changed).toMatchObject([{ lost: 'on-import', name, isCertain: true }]);
    const exported = await changesLostOnExport(differing, archive, exportedAt);
    expect(exported.changed).toMatchObject([{ lost: 'on-export', name, isCertain: true }]);
  },
);

it.each([
  ['are collapsed', { collapsed: true, diff: '' }],
  ['are too large', { too_large: true, diff: '' }],
  ['have replaced characters', { diff: '+\uFFFD' }],
])('texts that %s on the target are counted as not compared, and are no loss', async (_, change) => {
  const target = side(records(1), () => version(names(4).map((name) => file(name, change))));
  const result = await changesLostOnImport(archived(records(1), [[0, complete]]), target, importedAt);
  expect(result).toEqual({ ...noLosses, unreadCount: 1, uncomparedLines: new Set([0]) });
  expect(describeUnchecked(result, 'target')).toEqual([expect.stringContaining('1 merge request')]);
});

it('the sentence that GitLab shows in place of a binary file equals that file', async () => {
  const [name] = ['logo.png'];
  const sentence = version([file(name, { diff: `Binary files a/${name} and b/${name} differ\n` })]);
  const binary = diffIn(version([file(name, { diff: 'H4sI', binary: true })]));
  const target = side(records(1), () => sentence);
  expect(await changesLostOnImport(archived(records(1), [[0, binary]]), target, importedAt)).toEqual(
    noLosses,
  );
});

it('a difference on a merge request that was edited after the import is named, but is no loss', async () => {
  const archive = archived(records(1), three);
  const target = side([record(1, 9000)], () => shown(1));
  const { missing, changed } = await changesLostOnImport(archive, target, 8000);
  expect(missing).toEqual([]);
  expect(changed).toMatchObject([{ name: 'changes', expected: '4', found: '1', isCertain: false }]);
  const prompt = await changesLostOnImport(archive, target, importedAt);
  expect(prompt.missing).toHaveLength(1);
});

it('files of an old merge request that GitLab deleted are not requested from the target', async () => {
  const deleted = archivedDiff({ merge_request_diff: { real_size: '4', state: 'without_files' } }, 0);
  expect(deleted).toMatchObject({ files: 0, isComplete: true });
  const target = side(records(1), () => null);
  const archive = archived(records(1), [[0, deleted ?? complete]]);
  expect(await changesLostOnImport(archive, target, importedAt)).toEqual(noLosses);
  expect(target.requested).toEqual([]);
});

it('no loss is reported for a merge request that the target does not list', async () => {
  const target = side(null, () => null);
  const { missing } = await changesLostOnImport(archived(records(3), three), target, importedAt);
  expect(missing).toEqual([]);
});

it('no loss is reported for a merge request that was updated on the source after its export', async () => {
  const source = side([record(1, 2000)], () => shown(4));
  const { missing } = await changesLostOnExport(source, archived(records(1), []), exportedAt);
  expect(missing).toEqual([]);
});

it('at most 2000 merge requests are requested, and the number of the others is reported', async () => {
  const all = records(2025);
  const archive = archived(
    all,
    all.map(({ line }) => [line, complete]),
  );
  const target = side(all, () => shown(4));
  const lost = await changesLostOnImport(archive, target, importedAt);
  expect(target.requested).toHaveLength(2000);
  expect(describeUnchecked(lost, 'target')).toEqual([expect.stringContaining('25 more were not compared')]);
});

it('merge requests that lack files in the archive are requested from the source first', async () => {
  const archive = archived(records(3), [
    [0, complete],
    [1, diffIn(shown(3), 4)],
    [2, complete],
  ]);
  const source = side(records(3), () => shown(4));
  await changesLostOnExport(source, archive, exportedAt);
  expect(source.requested).toEqual([2, 1, 3]);
});

it('a merge request that is too large to be read is compared by its number of files', () => {
  expect(archivedDiff(null, 4)).toEqual({ files: 4, values: {}, isComplete: true });
  expect(archivedDiff(null, 0)).toEqual({ files: 0, values: {}, isComplete: true });
  expect(archivedDiff({}, 0)).toBeNull();
});

it('the people, times and messages of the commits and the time of the changes are compared', async () => {
  const inArchive = diffIn(shown(1));
  const changedOnTarget = async (change: Record<string, unknown>): Promise<string[]> => {
    const [commit] = shown(1).commits;
    const target = { ...shown(1), commits: [{ ...commit, ...change }], ...change };
    const listed = [record(1)];
    const { changed } = await changesLostOnImport(
      archived(listed, [[0, inArchive]]),
      side(listed, () => target),
      importedAt,
    );
    return changed.map(({ name }) => name);
  };
  expect(await changedOnTarget({})).toEqual([]);
  expect(await changedOnTarget({ authored_date: '2026-11-20T08:00:00Z' })).toEqual([]);
  for (const name of ['author_name', 'author_email', 'committer_name', 'committer_email'])
    expect(await changedOnTarget({ [name]: 'other' })).toEqual(['commit_details']);
  expect(await changedOnTarget({ committed_date: '2026-11-20T08:00:01Z' })).toEqual(['commit_details']);
  expect(await changedOnTarget({ message: 'other' })).toEqual(['commit_messages']);
  expect(await changedOnTarget({ created_at: '2026-11-20T08:00:02Z' })).toEqual(['diff_created_at']);
});

/** Compares two commits with these columns: those of the archive with those on the target and on the source. */
async function compareCommits(inArchive: object[], onInstance: object[]) {
  const versionWith = (changes: object[]) => {
    const [commit] = shown(1).commits;
    const commits = changes.map((change, at) => ({ ...commit, id: `c${at}`, ...change }));
    return { ...shown(1), commits } as ReturnType<typeof version>;
  };
  const archive = archived([record(1)], [[0, diffIn(versionWith(inArchive))]]);
  const instance = side([record(1)], () => versionWith(onInstance));
  const lost = {
    target: await changesLostOnImport(archive, instance, importedAt),
    source: await changesLostOnExport(instance, archive, Infinity),
  };
  const { changed, unreadCount, withoutMessagesCount } = lost.target;
  expect([lost.source.unreadCount, lost.source.withoutMessagesCount]).toEqual([
    unreadCount,
    withoutMessagesCount,
  ]);
  expect(lost.source.changed.map(({ name }) => name)).toEqual(changed.map(({ name }) => name));
  return { names: changed.map(({ name }) => name), unreadCount, withoutMessagesCount, ...lost };
}

it('messages that the archive lacks are not compared and counted, because newer versions of GitLab export none', async () => {
  const none = await compareCommits([{ message: '' }, {}], [{}, {}]);
  expect(none).toMatchObject({ names: [], unreadCount: 0, withoutMessagesCount: 1 });
  expect(describeUnarchivedMessages(none.source, 'source')).toEqual([
    expect.stringContaining('The messages of commits of 1 merge request were not compared with the source'),
  ]);
  const empty = await compareCommits([{ message: '' }], [{ message: '' }]);
  expect(empty).toMatchObject({ names: [], unreadCount: 0, withoutMessagesCount: 0 });
  expect(describeUnarchivedMessages(empty.source, 'source')).toEqual([]);
});

it('messages and details of commits that an instance does not show are counted as not compared', async () => {
  expect(await compareCommits([{}, {}], [{ message: '' }, {}])).toMatchObject({ names: [], unreadCount: 1 });
  for (const change of [{ author_name: undefined }, { message: 'a\uFFFD' }, { author_name: 'M\uFFFDa' }]) {
    expect(await compareCommits([{}, {}], [change, {}])).toMatchObject({ names: [], unreadCount: 1 });
    expect(await compareCommits([change, {}], [{}, {}])).toMatchObject({ names: [], unreadCount: 1 });
  }
});

it('a message or a detail that cannot be read leaves out those of its commit only', async () => {
  for (const message of ['', 'a\uFFFD'])
    expect((await compareCommits([{ message }, {}], [{}, { message: 'other' }])).names).toEqual([
      'commit_messages',
    ]);
  const unreadable = { author_name: 'M\uFFFDa' };
  expect((await compareCommits([unreadable, {}], [{}, { author_name: 'Eve' }])).names).toEqual([
    'commit_details',
  ]);
});

it('commits and details that only the archive lacks are counted as not compared, also on import', async () => {
  const { merge_request_diff: columns } = columnsOf(shown(1));
  for (const lacking of [{ merge_request_diff_commits: undefined }, { base_commit_sha: undefined }]) {
    const diff = archivedDiff({ merge_request_diff: { ...columns, ...lacking } }, 1) ?? complete;
    const archive = archived([record(1)], [[0, diff]]);
    const instance = side([record(1)], () => shown(1));
    const expected = { changed: [], unreadCount: 1 };
    expect(await changesLostOnImport(archive, instance, importedAt)).toMatchObject(expected);
    expect(await changesLostOnExport(instance, archive, Infinity)).toMatchObject(expected);
  }
});

it('commits without files are compared, too, and a detail that only one side shows is unread', async () => {
  const listed = [record(1)];
  const onTarget = (target: Record<string, unknown>) =>
    changesLostOnImport(
      archived(listed, [[0, diffIn(shown(0))]]),
      side(listed, () => target),
      importedAt,
    );
  const withoutVersion = await onTarget({});
  expect(withoutVersion.changed.map(({ name }) => name)).toContain('commits');
  const { base_commit_sha: _, ...withoutBase } = shown(0);
  expect(await onTarget(withoutBase)).toMatchObject({ changed: [], unreadCount: 1 });
  expect(await onTarget(shown(0))).toMatchObject({ changed: [], unreadCount: 0 });
  const withoutDiff = await changesLostOnExport(
    side(listed, () => shown(0)),
    archived(listed, []),
    Infinity,
  );
  expect(withoutDiff.changed.map(({ name }) => name)).toContain('commits');
});
