/** @file The comparison of the changes of labels and milestones of an issue, by time, kind and title. */
import { describe, expect, it } from 'vitest';
import {
  archivedContents,
  listedContents,
} from '../../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import { assessContents } from '../../../../../src-main/jobs/migrations/comparing/contents/content-differences.ts';
import {
  differingFields,
  recordRelations,
  type ContentSides,
} from '../../../../../src-main/jobs/migrations/comparing/contents/differing-fields.ts';
import { pairPeople } from '../../../../../src-main/jobs/migrations/comparing/people/paired-people.ts';
import {
  archivedPeople,
  listedPeople,
} from '../../../../../src-main/jobs/migrations/comparing/people/record-people.ts';
import { comparedRelations, type RecordRelation } from '../../../../../src-contract/relations.ts';
import type {
  ArchivedRecord,
  ArchivedRecords,
  ListedRecord,
  ListedRecords,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';

const exportedAt = Date.parse('2026-11-20T12:00:00Z');
const importedAt = exportedAt + 3_600_000;
const at = '2026-11-01T10:00:00Z';
const identity = { key: '7', iid: 7, title: 'Anchor', notes: null, createdAt: 1, updatedAt: 1 };

type Kind = 'label' | 'milestone';
const column = (kind: Kind): string => `resource_${kind}_events`;
const added = { action: 'add', created_at: at };
const archivedEvents = (kind: Kind, titles: readonly string[]) => ({
  [column(kind)]: titles.map((title) => ({ ...added, user_id: 5, [kind]: { title } })),
});
/** GitLab shows the title of a label as its name. */
const listedEvents = (kind: Kind, titles: readonly string[]) => ({
  [column(kind)]: titles.map((title) => ({
    ...{ ...added, user: { id: 5, username: 'ann' } },
    [kind]: kind === 'label' ? { name: title } : { title },
  })),
});

const sideOf = <T>(records: T): Record<RecordRelation, T> =>
  Object.fromEntries(recordRelations.map((name) => [name, records])) as Record<RecordRelation, T>;
const label = { ...identity, key: 'bug', iid: null, title: 'bug', line: 0 } as ArchivedRecord;

/** Returns what the comparison says about the events of the target. */
function compare(
  kind: Kind,
  archived: readonly string[],
  target: readonly string[],
  renames: ContentSides['renames'] = [],
) {
  const contents = archivedContents('issues', archivedEvents(kind, archived));
  const row = { ...identity, id: 1, contents: listedContents('issues', listedEvents(kind, target)) };
  const { differences } = differingFields({
    ...{ source: null, exportedAt, importedAt, isPrompt: true, renames },
    archive: { ...sideOf([]), issues: [{ ...identity, line: 0, contents }] },
    target: { ...sideOf(null), issues: [row] },
  });
  const { missing, declared } = assessContents(differences, []);
  return { lost: missing.map(({ part }) => part), declared };
}

describe.each(['label', 'milestone'] as const)('a change of the %s', (kind) => {
  it('that has another title on the target was lost, and both titles are named', () => {
    expect(compare(kind, ['bug'], ['wontfix'])).toEqual({
      lost: [
        {
          name: `${kind}_events`,
          values: { expected: '2026-11-01T10:00:00 add, bug', found: '2026-11-01T10:00:00 add, wontfix' },
        },
      ],
      declared: [],
    });
  });

  it('is lost if it does not arrive with the others of the same second', () => {
    expect(compare(kind, ['bug', 'urgent'], ['urgent', 'bug'])).toEqual({ lost: [], declared: [] });
    expect(compare(kind, ['bug', 'urgent'], ['bug']).lost).toMatchObject([{ name: `${kind}_events` }]);
    expect(compare(kind, ['bug', 'bug'], ['bug']).lost).toMatchObject([{ name: `${kind}_events` }]);
  });
});

it('a change of a label that was renamed on the target after the import is named, and is no loss', () => {
  const renames = [{ relation: 'labels' as const, archived: label, name: 'defect' }];
  const renamed = compare('label', ['bug'], ['defect'], renames);
  expect(renamed.lost).toEqual([]);
  expect(renamed.declared.join()).toContain('label_events of issues #7');
  expect(compare('label', ['bug', 'urgent'], ['defect'], renames).lost).toMatchObject([
    { name: 'label_events' },
  ]);
});

it('the users of changes are those of the same time and kind, also if the label was renamed', () => {
  const lists = Object.fromEntries(comparedRelations.map((name) => [name, []]));
  const userIds = archivedPeople('issues', archivedEvents('label', ['bug', 'urgent']));
  const users = listedPeople('issues', listedEvents('label', ['defect', 'urgent']));
  const archive = { ...lists, issues: [{ ...identity, line: 0, userIds } as ArchivedRecord] };
  const list = { ...lists, issues: [{ ...identity, id: 1, users } as ListedRecord] };
  const pairs = [...pairPeople(archive as unknown as ArchivedRecords, list as unknown as ListedRecords)];
  expect(pairs).toMatchObject([
    { name: 'label_event_users', archived: [5, 5], listed: [{ username: 'ann' }, { username: 'ann' }] },
  ]);
});
