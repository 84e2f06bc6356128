import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { changedJobColumns, changedValues } from '../../../../support/migrations/changed-values.ts';
import {
  archivedContents,
  fieldsOf,
  listedContents,
  type RecordContents,
} from '../../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import { assessContents } from '../../../../../src-main/jobs/migrations/comparing/contents/content-differences.ts';
import {
  differingFields,
  recordRelations,
  type ContentSides,
} from '../../../../../src-main/jobs/migrations/comparing/contents/differing-fields.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type {
  ArchivedRecord,
  ListedRecord,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';

const exportedAt = Date.parse('2026-11-20T12:00:00Z');
const importedAt = Date.parse('2026-11-20T13:00:00Z');
const before = exportedAt - 86_400_000;

const archived = (contents: RecordContents, more: Partial<ArchivedRecord> = {}): ArchivedRecord => ({
  ...{ key: '7', iid: 7, title: 'Anchor', notes: null, createdAt: before, updatedAt: before, line: 3 },
  ...{ contents, ...more },
});
const listed = (contents: RecordContents, more: Partial<ListedRecord> = {}): ListedRecord => ({
  ...{ key: '7', iid: 7, title: 'Anchor', notes: null, createdAt: before, updatedAt: before, id: 1 },
  ...{ contents, ...more },
});

const sideOf = <T>(records: T): Record<RecordRelation, T> =>
  Object.fromEntries(recordRelations.map((name) => [name, records])) as Record<RecordRelation, T>;

const fieldNames = (relation: RecordRelation, { isArchived }: { isArchived: boolean }): string[] =>
  Object.entries(fieldsOf(relation)).flatMap(([name, { archived: read, isNeverCompared = false }]) =>
    !isNeverCompared && (read !== null) === isArchived ? [name] : [],
  );

function compare(
  relation: RecordRelation,
  archive: ArchivedRecord[],
  { source = null, target = null }: { source?: ListedRecord[] | null; target?: ListedRecord[] | null },
  { isPrompt = true, knownLosses = [] }: { isPrompt?: boolean; knownLosses?: readonly MissingRecord[] } = {},
) {
  return assess(
    {
      source: source === null ? null : { ...sideOf(null), [relation]: source },
      archive: { ...sideOf([]), [relation]: archive },
      target: { ...sideOf(null), [relation]: target },
      ...{ exportedAt, importedAt, isPrompt, renames: [] },
    },
    knownLosses,
  );
}

function assess(sides: ContentSides, knownLosses: readonly MissingRecord[] = []) {
  const { differences, declared } = differingFields(sides);
  const contents = assessContents(differences, knownLosses);
  return { missing: contents.missing, declared: [...contents.declared, ...declared] };
}

it('the fields of a record without a key are declared, because the record cannot be found on an instance', () => {
  const keyless = archived({ title: 'x' }, { key: null, iid: null });
  const sides = { source: [listed({ title: 'x' })], target: [listed({ title: 'broken' })] };
  expect(compare('issues', [keyless], sides)).toEqual({
    missing: [],
    declared: ['source', 'target'].map((side): unknown =>
      expect.stringMatching(`not compared with the ${side}.* or without one, .*: issues \\(1\\)\\.$`),
    ),
  });
});

describe('a field of a record', () => {
  it('that has another value on the target was lost on import, and both values are named', () => {
    const { missing, declared } = compare('issues', [archived({ confidential: 'true' })], {
      target: [listed({ confidential: 'false' })],
    });
    expect(missing).toEqual([
      {
        ...{ relation: 'issues', lost: 'on-import', line: 3, iid: 7, title: 'Anchor' },
        part: { name: 'confidential', values: { expected: 'true', found: 'false' } },
      },
    ]);
    expect(declared).toEqual([]);
  });

  it('that has another value in the archive was lost on export, unless the record was edited later', () => {
    const archive = [archived({ description: 'Cut' })];
    const edited = { updatedAt: exportedAt + 1 };
    const description = 'Cut off here';
    expect(compare('issues', archive, { source: [listed({ description })] }).missing).toMatchObject([
      { lost: 'on-export', part: { name: 'description', values: { expected: description, found: 'Cut' } } },
    ]);
    const later = compare('issues', archive, { source: [listed({ description }, edited)] });
    expect(later.missing).toEqual([]);
    expect(later.declared.join()).toContain(
      `description of issues #7 (source "${description}", archive "Cut")`,
    );
  });

  it('without a time of changes is lost on export if the archive has nothing of it, and all of it is older than the export', () => {
    const archive = [archived({ emoji: '' })];
    const withTime = (emoji?: number) =>
      listed({ emoji: 'eyes' }, { updatedAt: exportedAt + 1, ...(emoji && { partTimes: { emoji } }) });
    expect(compare('issues', archive, { source: [withTime(exportedAt - 1)] }).missing).toMatchObject([
      { lost: 'on-export', part: { name: 'emoji', values: { expected: 'eyes', found: '' } } },
    ]);
    for (const source of [withTime(exportedAt), withTime()]) {
      const later = compare('issues', archive, { source: [source] });
      expect(later.missing).toEqual([]);
      expect(later.declared.join()).toContain('emoji of issues #7');
    }
    // The archive has a reaction that somebody may have removed and replaced.
    const other = [archived({ emoji: 'tada' })];
    expect(compare('issues', other, { source: [withTime(exportedAt - 1)] }).missing).toEqual([]);
  });

  it('that costs a request and that no record of the archive has a column for is declared', () => {
    const { missing, declared } = compare('issues', [archived({})], {
      source: [listed({ state_events: '2026-11-01T00:00:00.000Z closed' })],
    });
    expect(missing).toEqual([]);
    expect(declared.join()).toContain('state_events of issues');
  });

  it('that was edited on the target after the import is declared, and is not reported as lost', () => {
    const { missing, declared } = compare('issues', [archived({ state: 'opened' })], {
      target: [listed({ state: 'closed' }, { updatedAt: importedAt + 1 })],
    });
    expect(missing).toEqual([]);
    expect(declared.join()).toContain('state of issues #7 (archive "opened", target "closed")');
  });

  it('with names is a loss of the export only if both sides know all names, because labels are renamed without the record', () => {
    const renamed = compare('issues', [archived({ labels: 'old' })], { source: [listed({ labels: 'new' })] });
    expect(renamed.missing).toEqual([]);
    expect(renamed.declared.join()).toContain('labels of issues #7 (source "new", archive "old")');
    const labels = [listed({}, { key: 'bug', title: 'bug' })];
    const archive = {
      ...sideOf([]),
      issues: [archived({ labels: '' })],
      labels: [archived({}, { key: 'bug', title: 'bug' })],
    };
    const source = { ...sideOf([]), issues: [listed({ labels: 'bug' })], labels };
    const times = { exportedAt, importedAt, isPrompt: true, renames: [] };
    expect(assess({ source, archive, target: sideOf(null), ...times }).missing).toMatchObject([
      { lost: 'on-export', part: { name: 'labels' } },
    ]);
  });

  it('of a label is declared if the archive differs from the source, because lists of labels have no time', () => {
    const archive = [archived({ color: '#000000' }, { iid: null })];
    const source = [listed({ color: '#ffffff' }, { iid: null, updatedAt: null })];
    const { missing, declared } = compare('labels', archive, { source });
    expect(missing).toEqual([]);
    expect(declared.join()).toContain('color of labels Anchor (source "#ffffff", archive "#000000")');
  });

  it('of a label on the target is a loss if the comparison follows the import at once, and may be an edit otherwise', () => {
    const archive = [archived({ color: '#000000' })];
    const target = [listed({ color: '#ffffff' }, { updatedAt: null })];
    expect(compare('labels', archive, { target }).missing).toMatchObject([{ lost: 'on-import' }]);
    const later = compare('labels', archive, { target }, { isPrompt: false });
    expect(later.missing).toEqual([]);
    expect(later.declared.join()).toContain('color of labels #7 (archive "#000000", target "#ffffff")');
  });

  it('that an earlier comparison found lost stays lost while its values stay the same', () => {
    const archive = [archived({ state: 'opened' })];
    const edited = (state: string) => [listed({ state }, { updatedAt: importedAt + 1 })];
    const first = compare('issues', archive, { target: [listed({ state: 'closed' })] });
    expect(first.missing).toHaveLength(1);
    const knownLosses = first.missing;
    expect(compare('issues', archive, { target: edited('closed') }, { knownLosses })).toEqual(first);
    const changed = compare('issues', archive, { target: edited('locked') }, { knownLosses });
    expect(changed.missing).toEqual([]);
    expect(changed.declared.join()).toContain('target "locked"');
  });

  it('that only one side has is declared, unless it is empty there', () => {
    const one = compare('issues', [archived({ weight: '3', due_date: '' })], { target: [listed({})] });
    expect(one.missing).toEqual([]);
    expect(one.declared).toEqual([
      'These fields were not compared with the target, because only one of archive and target has them: weight of issues.',
    ]);
    const other = compare('issues', [archived({})], {
      source: [listed({ weight: '3', confidential: 'false' })],
    });
    expect(other.declared).toEqual([
      'These fields were not compared with the source, because only one of archive and source has them: weight of issues.',
    ]);
  });

  it('of records with the same key is declared, because the records cannot be distinguished', () => {
    const archive = [archived({ title: 'one' }), archived({ title: 'two' }, { line: 4 })];
    const { missing, declared } = compare('merge_requests', archive, { target: [listed({ title: 'two' })] });
    expect(missing).toEqual([]);
    expect(declared).toEqual([
      'The fields of these records were not compared with the target, because records with the same name or number, or without one, cannot be distinguished: merge requests (2).',
    ]);
  });
});

test('a pipeline that had not ended is expected to be cancelled by the import, and no other pipeline', () => {
  const target = [listed({ status: 'canceled' })];
  expect(compare('ci_pipelines', [archived({ status: 'running' })], { target }).missing).toEqual([]);
  expect(compare('ci_pipelines', [archived({ status: 'success' })], { target }).missing).toHaveLength(1);
});

test('a vote is no certain loss of the export, because it changes no time, and a loss of an import that ended just now', () => {
  const emoji = (...names: string[]) => ({ award_emoji: names.map((name) => ({ name })) });
  const votes = archivedContents('issues', emoji('thumbsup', 'rocket', 'thumbsup', 'thumbsdown'));
  expect(votes).toMatchObject({ upvotes: '2', downvotes: '1' });
  const [archive, fewer] = [[archived(votes)], [listed({ upvotes: '1', downvotes: '1' })]];
  expect(compare('issues', archive, { source: fewer }).missing).toEqual([]);
  expect(compare('issues', archive, { target: fewer }, { isPrompt: false }).missing).toEqual([]);
  expect(compare('issues', archive, { target: fewer }).missing).toMatchObject([
    { lost: 'on-import', part: { name: 'upvotes', values: { expected: '2', found: '1' } } },
  ]);
});

test('a switch of a push rule that the archive does not set has the default of each instance, and is not compared', () => {
  const archive = [archived(archivedContents('push_rule', { commit_committer_check: null }))];
  const target = [listed(listedContents('push_rule', { commit_committer_check: true }))];
  const { missing, declared } = compare('push_rule', archive, { target });
  expect(missing).toEqual([]);
  expect(declared.join()).toContain('only one of archive and target has them: commit_committer_check');
  const off = [archived(archivedContents('push_rule', { commit_committer_check: false }))];
  expect(compare('push_rule', off, { target }).missing).toHaveLength(1);
});

test('a field that no export contains is declared if the source has a value', () => {
  const archive = [archived(archivedContents('pipeline_schedules', { active: true }))];
  const source = (active: boolean) => [listed(listedContents('pipeline_schedules', { active }))];
  expect(compare('pipeline_schedules', archive, { source: source(true) })).toEqual({
    missing: [],
    declared: [
      'These fields were not compared with the source, because only one of archive and source has them: active of pipeline schedules.',
    ],
  });
  expect(compare('pipeline_schedules', archive, { source: source(false) }).declared).toEqual([]);
});

const jobFields = Object.fromEntries(
  // A pipeline of the sandbox may have no failed job.
  [...Object.keys(changedJobColumns), 'failure_reason'].map((name) => [`job_${name}`, {}]),
);

test('the sandbox changes every compared field in the tests of losses', () => {
  for (const relation of recordRelations)
    expect(
      Object.keys({
        ...changedValues[relation],
        ...(relation === 'ci_pipelines' && jobFields),
        // The kinds of losses of entries, reactions, epics and iterations change these.
        ...(relation === 'merge_requests' && { review_states: {}, reviewer_times: {}, approval_times: {} }),
        ...(['issues', 'merge_requests', 'snippets'].includes(relation) && { emoji_times: {} }),
        ...(relation === 'issues' && { iteration: {}, epic: {}, iteration_events: {} }),
      }).toSorted(),
    ).toEqual(fieldNames(relation, { isArchived: true }).toSorted());
});

it('another order of the lists of a board is a loss, because no label was renamed', () => {
  const lists = ['next', 'doing'].map((title, position) => ({
    list_type: 'label',
    position,
    label: { title },
  }));
  const shown = ['doing', 'next'].map((name, position) => ({ position, label: { name } }));
  const board = archived(archivedContents('boards', { lists }));
  const target = [listed(listedContents('boards', { lists: shown }), { updatedAt: null })];
  expect(compare('boards', [board], { target }).missing).toMatchObject([
    { lost: 'on-import', part: { name: 'lists', values: { expected: 'next, doing', found: 'doing, next' } } },
  ]);
  expect(compare('boards', [board], { target }, { isPrompt: false }).missing).toEqual([]);
});

test('the document about comparisons names the fields of every relation', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../../../docs/what-is-compared.md'), 'utf8');
  for (const relation of recordRelations) {
    const fields = fieldNames(relation, { isArchived: true }).map((name) => `\`${name}\``);
    expect(document).toMatch(new RegExp(`\\| \`${relation}\` +\\| ${fields.join(', ')} +\\|`));
    for (const name of fieldNames(relation, { isArchived: false }))
      expect(document).toMatch(new RegExp(`no export contains.*\`${name}\``, 's'));
  }
});
