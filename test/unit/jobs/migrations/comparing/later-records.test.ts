/** @file Records that look like losses, but were moved, renamed or created by people while the project migrated. */
import { describe, expect, it } from 'vitest';
import { comparedRelations } from '../../../../../src-contract/relations.ts';
import type { Comparison, MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import {
  namedLosses,
  withoutReplacements,
  type ArchivedRecord,
  type ArchivedRecords,
  type ListedRecord,
  type ListedRecords,
  type Sides,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import {
  describeRenames,
  possibleRenames,
} from '../../../../../src-main/jobs/migrations/comparing/losses/renamed-records.ts';
import { withComparedNotes } from '../../../../../src-main/jobs/migrations/comparing/notes/note-counts.ts';

const exportedAt = 1_000;
const none = (): ListedRecords =>
  Object.fromEntries(comparedRelations.map((name) => [name, []])) as unknown as ListedRecords;
const issue = (iid: number, more: Partial<ListedRecord> = {}): ListedRecord => ({
  ...{ id: iid, key: String(iid), iid, title: `Issue ${iid}`, notes: 0, createdAt: 10, updatedAt: 20 },
  ...more,
});
const label = (key: string, id: number, color = 'red'): ListedRecord => ({
  ...{ id, key, iid: null, title: key, notes: null, createdAt: null, updatedAt: null, contents: { color } },
});
const archived = (records: readonly ListedRecord[]): ArchivedRecord[] =>
  records.map((record, line) => ({ ...record, line }));

function compare(
  relation: 'issues' | 'labels',
  [source, archive]: [ListedRecord[], ListedRecord[]],
  { before, newestLabelId = null }: { before: number; newestLabelId?: number | null },
) {
  const sides: Sides = {
    source: { ...none(), [relation]: source },
    archive: { ...(none() as unknown as ArchivedRecords), [relation]: archived(archive) },
    target: { ...none(), [relation]: archive },
    ...{ exportedAt, newestLabelId, mayHaveChanged: false, failedLines: new Map() },
    countsAroundExport: () => ({ before, after: source.length }),
  };
  const { missing, uncertainLosses } = namedLosses(sides);
  return { missing: missing.map(({ lost, title }) => [lost, title]), uncertainLosses };
}

describe('an issue that the archive lacks', () => {
  const moved = issue(4, { updatedAt: exportedAt + 1 });

  it('and that GitLab moved to the source after the export, with its time of creation, is no loss', () => {
    expect(
      compare(
        'issues',
        [
          [issue(1), issue(2), moved],
          [issue(1), issue(2)],
        ],
        { before: 2 },
      ),
    ).toEqual({
      missing: [],
      uncertainLosses: [{ relation: 'issues', candidateCount: 1, lostCount: 0, namedCount: 0 }],
    });
  });

  it('was lost if the source counted it before the export', () => {
    const lists: [ListedRecord[], ListedRecord[]] = [
      [issue(1), issue(2), moved],
      [issue(1), issue(2)],
    ];
    expect(compare('issues', lists, { before: 3 }).missing).toEqual([['on-export', 'Issue 4']]);
  });

  it('is named beside a moved one', () => {
    const lists: [ListedRecord[], ListedRecord[]] = [
      [issue(1), issue(2), issue(3), moved],
      [issue(1), issue(3)],
    ];
    expect(compare('issues', lists, { before: 3 }).missing).toEqual([['on-export', 'Issue 2']]);
  });

  it('was lost if nobody changed it since, or if a later one was exported', () => {
    expect(compare('issues', [[issue(1), issue(2)], [issue(1)]], { before: 1 }).missing).toEqual([
      ['on-export', 'Issue 2'],
    ]);
    const edited = issue(1, { updatedAt: exportedAt + 1 });
    expect(compare('issues', [[edited, issue(2)], [issue(2)]], { before: 1 }).missing).toEqual([
      ['on-export', 'Issue 1'],
    ]);
  });
});

describe('a label that the archive lacks', () => {
  it('is newer if its id is higher than any before the export, whatever the counts say', () => {
    const lists: [ListedRecord[], ListedRecord[]] = [[label('a', 1), label('new', 9)], [label('a', 1)]];
    expect(compare('labels', lists, { before: 2, newestLabelId: 8 }).missing).toEqual([]);
    expect(compare('labels', lists, { before: 2, newestLabelId: 9 }).missing).toEqual([['on-export', 'new']]);
  });

  it('may be renamed if the source lacks one of the archive', () => {
    const lists: [ListedRecord[], ListedRecord[]] = [
      [label('a', 1), label('after', 2)],
      [label('a', 1), label('before', 2)],
    ];
    expect(compare('labels', lists, { before: 2, newestLabelId: 2 })).toMatchObject({
      ...{ missing: [], uncertainLosses: [{ candidateCount: 1, lostCount: 0 }] },
    });
  });
});

describe('a record of the target with the number of an archived one', () => {
  const projectCreatedAt = 2_000;
  const kept = (target: ListedRecord[]) =>
    withoutReplacements(archived([issue(1), issue(2)]), target, projectCreatedAt).map(({ title }) => title);

  it('is another record if it was created after the import', () => {
    const times = { createdAt: 3_000, updatedAt: 3_001 };
    expect(kept([issue(1), issue(2, { title: 'New', ...times })])).toEqual(['Issue 1']);
  });

  it('is the same if it has the same second of creation, or is older than the project', () => {
    expect(kept([issue(1), issue(2, { createdAt: 999 })])).toEqual(['Issue 1', 'Issue 2']);
    expect(kept([issue(1), issue(2, { createdAt: 1_999 })])).toEqual(['Issue 1', 'Issue 2']);
  });

  it('is the same, with a wrong time of creation, if it has the time of the last change', () => {
    expect(kept([issue(1), issue(2, { createdAt: 3_000 })])).toEqual(['Issue 1', 'Issue 2']);
  });

  it('is the same if the instance kept no times', () => {
    const times = { createdAt: 3_000, updatedAt: 3_001 };
    expect(kept([issue(1, times), issue(2, times)])).toEqual(['Issue 1', 'Issue 2']);
  });
});

describe('a label that the target lacks', () => {
  const archive = archived([label('a', 1), label('b', 2, 'blue'), label('c', 3)]);
  const renames = (target: ListedRecord[], knownLosses: readonly MissingRecord[] = []) =>
    possibleRenames(
      { ...(none() as unknown as ArchivedRecords), labels: archive },
      { ...none(), labels: target },
      knownLosses,
    );

  it('is no possible rename if it was lost before the other one was created', () => {
    const known: MissingRecord = {
      ...{ relation: 'labels', lost: 'on-import', line: 1, iid: null, title: 'b', part: null },
    };
    const target = [label('a', 11), label('new', 12, 'blue'), label('c', 13)];
    expect(renames(target, [known])).toEqual([]);
    expect(renames(target, [{ ...known, lost: 'on-export' }])).toHaveLength(1);
  });

  it('may be renamed if another one has its place in the order of ids, and its colour', () => {
    const found = renames([label('a', 11), label('new', 12, 'blue'), label('c', 13)]);
    expect(found).toMatchObject([{ relation: 'labels', archived: { key: 'b', line: 1 }, name: 'new' }]);
    expect(describeRenames(found)).toEqual([expect.stringMatching(/not known .* b to new \(labels\)\.$/)]);
    expect(describeRenames([])).toEqual([]);
  });

  it.each([
    ['is newer', label('new', 14, 'blue')],
    ['is older', label('new', 10, 'blue')],
    ['has another colour', label('new', 12)],
  ])('was lost if the other one %s', (_rule, other) => {
    expect(renames([label('a', 11), other, label('c', 13)])).toEqual([]);
  });
});

describe('a count of notes around an export that exceeds the archive', () => {
  const row: Comparison = {
    ...{ relation: 'issue_notes', source: 5, archive: 4, target: 4, verdict: 'lost-on-export' },
  };
  const sides = {
    source: { issues: [issue(1)] },
    archive: { issues: archived([issue(1)]) },
    ...{ incomplete: [], uncomparedCount: 0, exportedAt },
  };
  const lost: MissingRecord = {
    ...{ relation: 'issues', lost: 'on-export', line: 0, iid: 1, title: null },
    part: { name: 'notes', expected: 5, found: 4 },
  };

  it('is no loss if the archive has every note of the source', () => {
    expect(withComparedNotes([row], sides)).toEqual([{ ...row, source: 4, verdict: 'equal' }]);
  });

  it('is a loss if a note, a record or a comparison is missing', () => {
    expect(withComparedNotes([row], { ...sides, incomplete: [lost] })).toEqual([row]);
    expect(withComparedNotes([row], { ...sides, uncomparedCount: 1 })).toEqual([row]);
    expect(withComparedNotes([row], { ...sides, source: null })).toEqual([row]);
    expect(withComparedNotes([row], { ...sides, archive: {} })).toEqual([row]);
    const twice = { issues: archived([issue(1), issue(1)]) };
    expect(withComparedNotes([row], { ...sides, archive: twice })).toEqual([row]);
  });
});
