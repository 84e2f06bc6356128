import { describe, expect, it } from 'vitest';
import { listedContents } from '../../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import {
  addRecordsOfGroups,
  differingGroupRecords,
  noArchivedRecordsOfGroups,
  type GroupSides,
} from '../../../../../src-main/jobs/migrations/comparing/contents/group-contents.ts';
import type {
  ListedRecord,
  ListedRecords,
} from '../../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import {
  recordsOfGroupsIn,
  withoutRecordsOfGroups,
} from '../../../../../src-main/jobs/migrations/comparing/losses/records-of-groups.ts';

const exportedAt = Date.parse('2026-11-20T12:00:00Z');
const importedAt = Date.parse('2026-11-20T13:00:00Z');
const old = '2026-01-01T00:00:00.000Z';

const label = {
  ...{ title: 'P1', color: '#FF0000', description: 'Page the on-call', type: 'GroupLabel', group_id: 5 },
  priorities: [
    { project_id: 8, priority: 3 },
    { project_id: 1, priority: 1 },
  ],
};
const milestone = {
  ...{
    title: '1.0',
    description: 'GA',
    state: 'active',
    group_id: 5,
    iid: 3,
    created_at: old,
    updated_at: old,
  },
  ...{ start_date: '2026-01-01', due_date: '2026-06-30' },
};
const issue = { iid: 7, project_id: 1, label_links: [{ label }], milestone };

const archiveOf = (...records: object[]) => {
  const found = noArchivedRecordsOfGroups();
  for (const record of records) addRecordsOfGroups(found, { ...record });
  return found;
};

interface Rows {
  labels?: object[];
  milestones?: object[];
}
const shownLabel = { name: 'P1', color: '#ff0000', description: 'Page the on-call', priority: 1 };
const shownMilestone = { ...milestone, iid: 1, group_id: null };
const asOfGroup = (row: object) => ({ ...row, isInherited: true });

/** The lists of an instance, as the API client returns them. */
function sideOf({ labels = [], milestones = [] }: Rows, archived: { title: string }[] = []) {
  const listedAs = (relation: 'labels' | 'milestones', rows: object[]) =>
    rows.map((row): ListedRecord => {
      const { isInherited, ...columns } = row as Record<string, unknown> & { isInherited?: true };
      const title = String(columns['title'] ?? columns['name']);
      const updated = columns['updated_at'];
      return {
        ...{
          key: relation === 'labels' ? title : '1',
          iid: null,
          title,
          id: 1,
          notes: null,
          createdAt: null,
        },
        updatedAt: typeof updated === 'string' ? Date.parse(updated) : null,
        contents: listedContents(relation, columns),
        ...(isInherited === true && { isInherited }),
      };
    });
  const records = {
    ...{ labels: listedAs('labels', labels), milestones: listedAs('milestones', milestones) },
  } as ListedRecords;
  const own = archived.map((record, line) => ({ ...record, key: record.title, iid: null, line })) as never;
  const listed = withoutRecordsOfGroups(records, { labels: own, milestones: [] });
  return { listed, recordsOfGroups: recordsOfGroupsIn(records) };
}

const compare = (target: Rows, more: Partial<GroupSides> = {}) => {
  const { differences, declared } = differingGroupRecords({
    ...{ archive: archiveOf(issue), own: { labels: [], milestones: [] }, source: null },
    ...{ target: sideOf(target), exportedAt, importedAt, isPrompt: true, ...more },
  });
  return {
    differences: differences.map(
      ({ record, name, lost, expected, found, isCertain }) =>
        `${record.title ?? ''} ${name} ${lost} ${expected} → ${found}${isCertain ? '' : '?'}`,
    ),
    declared,
  };
};

const both = { labels: [shownLabel], milestones: [shownMilestone] };

describe('labels and milestones of groups', () => {
  it('that the import created in the project with the same contents are no difference', () => {
    expect(compare(both)).toEqual({ differences: [], declared: [] });
  });

  it('are lost on import if the project’s own ones have other contents', () => {
    const target = {
      labels: [{ ...shownLabel, color: '#0000ff', description: null, priority: null }],
      milestones: [{ ...shownMilestone, description: null, start_date: null, due_date: '2027-12-31' }],
    };
    expect(compare(target)).toEqual({
      differences: [
        'P1 color on-import #ff0000 → #0000ff',
        'P1 description on-import Page the on-call → ',
        'P1 priority on-import 1 → ',
        '1.0 description on-import GA → ',
        '1.0 start_date on-import 2026-01-01 → ',
        '1.0 due_date on-import 2026-06-30 → 2027-12-31',
      ],
      declared: [],
    });
  });

  it('that differ may be later edits, unless the comparison follows the import or the time of the change is older', () => {
    const edited = { ...shownMilestone, state: 'closed', updated_at: '2026-11-20T14:00:00Z' };
    const target = { labels: [{ ...shownLabel, color: '#0000ff' }], milestones: [edited] };
    expect(compare(target, { isPrompt: false }).differences).toEqual([
      'P1 color on-import #ff0000 → #0000ff?',
      '1.0 state on-import active → closed?',
    ]);
    const unedited = { ...target, milestones: [{ ...edited, updated_at: '2026-11-20T12:30:00Z' }] };
    expect(compare(unedited, { isPrompt: false }).differences).toEqual([
      'P1 color on-import #ff0000 → #0000ff?',
      '1.0 state on-import active → closed',
    ]);
  });

  it('whose titles the target’s groups have with other contents are declared, and only the priority is lost', () => {
    const target = {
      labels: [asOfGroup({ ...shownLabel, color: '#0000ff', description: null, priority: null })],
      milestones: [asOfGroup({ ...milestone, state: 'closed', created_at: '2020-01-01T00:00:00Z' })],
    };
    expect(compare(target)).toEqual({
      differences: ['P1 priority on-import 1 → '],
      declared: [
        'The target\'s groups have labels or milestones with the titles of archived ones and other contents. The project uses them, and an import does not change them: color of the label P1 (archive "#ff0000", target "#0000ff"), description of the label P1 (archive "Page the on-call", target ""), state of the milestone 1.0 (archive "active", target "closed").',
      ],
    });
    const same = { labels: [asOfGroup(shownLabel)], milestones: [asOfGroup(milestone)] };
    expect(compare(same)).toEqual({ differences: [], declared: [] });
  });

  it('that the lists of the target do not show are declared', () => {
    const unshown =
      'The contents of these labels and milestones of groups were not compared with the target, because its lists do not show them: label P1, milestone 1.0.';
    expect(compare({})).toEqual({ differences: [], declared: [unshown] });
  });

  it('of several groups with one title are not compared, which is declared for each side that has them', () => {
    const other = { ...milestone, group_id: 6, description: 'Of another group' };
    const archive = archiveOf(issue, { ...issue, milestone: other });
    const ambiguous = (side: string): string =>
      `The contents of these labels and milestones were not compared with the ${side}, because several groups have different ones with these titles: milestone 1.0.`;
    expect(
      compare({ ...both, milestones: [{ ...shownMilestone, description: 'Of another group' }] }, { archive }),
    ).toEqual({
      differences: [],
      declared: [ambiguous('target')],
    });
    const groups = { labels: [asOfGroup(shownLabel)], milestones: [asOfGroup(other), asOfGroup(milestone)] };
    expect(compare(both, { source: sideOf(groups) })).toEqual({
      differences: [],
      declared: [ambiguous('source')],
    });
    expect(compare(groups)).toEqual({ differences: [], declared: [ambiguous('target')] });
  });

  it('are declared if the project has its own one with the title, because an import makes one of both', () => {
    const record = { key: 'P1', iid: null, line: 0, notes: null, createdAt: null, updatedAt: null };
    const own = { labels: [{ ...record, title: 'P1', contents: { color: '#0000ff' } }], milestones: [] };
    expect(compare({ ...both, labels: [{ ...shownLabel, color: '#0000ff' }] }, { own })).toEqual({
      differences: [],
      declared: [
        'The project and a group had labels or milestones with the same titles. An import makes one record of both, with the contents of the project’s own one: color of the label P1 (archive "#ff0000", target "#0000ff").',
      ],
    });
  });

  it('with a field that only one side has are declared', () => {
    const { priority: _, ...withoutPriority } = shownLabel;
    expect(compare({ ...both, labels: [withoutPriority] }).declared).toEqual([
      "These fields of groups' records were not compared with the target, because only one of archive and target has them: priority of labels.",
    ]);
  });

  it('are compared with the groups of the source, where only milestones show that they were not edited later', () => {
    const source = sideOf({
      labels: [asOfGroup({ ...shownLabel, color: '#00ff00' })],
      milestones: [asOfGroup({ ...milestone, due_date: '2026-07-01' })],
    });
    expect(compare(both, { source }).differences).toEqual([
      'P1 color on-export #00ff00 → #ff0000?',
      '1.0 due_date on-export 2026-07-01 → 2026-06-30',
    ]);
    const deleted = compare(both, { source: sideOf({}) });
    expect(deleted.declared.join()).toMatch(/not compared with the source, .*: label P1, milestone 1\.0\./);
  });
});

describe('a label of the project that an import replaced with one of the target’s groups', () => {
  const record = { iid: null, line: 0, notes: null, createdAt: null, updatedAt: null };
  const archived = { title: 'bug', key: 'bug', ...record };
  const shown = { name: 'bug', color: '#ffffff', description: 'Own', priority: 2 };
  const compareOwn = (contents: Record<string, string>, labels: object[], archive = archiveOf()) =>
    compare(
      {},
      {
        ...{ archive, own: { labels: [{ ...archived, contents }], milestones: [] } },
        target: sideOf({ labels: labels.map(asOfGroup) }, [archived]),
      },
    );

  it('is compared with it', () => {
    const contents = { color: '#000000', description: 'Own', priority: '2' };
    const { differences, declared } = compareOwn(contents, [shown]);
    expect(differences).toEqual([]);
    expect(declared.join()).toContain('color of the label bug (archive "#000000", target "#ffffff")');
  });

  it('is compared with those of several groups, because the import used one of them', () => {
    const labels = [
      { ...shown, priority: null },
      { ...shown, description: 'Other', priority: null },
    ];
    const { differences, declared } = compareOwn(
      { color: '#ffffff', description: 'Own', priority: '1' },
      labels,
    );
    // Only the description of one of them is as in the archive.
    expect(differences).toEqual(['bug priority on-import 1 → ']);
    expect(declared.join()).toMatch(/several groups have different ones with these titles: label bug\./);
    expect(compareOwn({ color: '#ffffff', description: 'Own', priority: '2' }, [shown, shown])).toEqual({
      differences: [],
      declared: [],
    });
  });

  it('is not compared in a field that only one of several groups has as archived', () => {
    const contents = { color: '#ffffff', description: 'Own', priority: '1' };
    const labels = [
      { ...shown, priority: null },
      { ...shown, priority: 1 },
    ];
    const ambiguous = {
      differences: [],
      declared: [
        'The contents of these labels and milestones were not compared with the target, because several groups have different ones with these titles: label bug.',
      ],
    };
    expect(compareOwn(contents, labels)).toEqual(ambiguous);
    // A group of the source had one with the title, too.
    const archive = archiveOf({ project_id: 1, label_links: [{ label: { ...label, title: 'bug' } }] });
    expect(compareOwn(contents, labels, archive)).toEqual({
      ...ambiguous,
      declared: [expect.stringContaining('color of the label bug'), ...ambiguous.declared],
    });
  });
});

describe('the archive', () => {
  it('has them in issues, merge requests, boards, releases and changes, each kept once', () => {
    const titled = (title: string) => ({ label: { ...label, title }, milestone: { ...milestone, title } });
    const found = archiveOf(
      { project_id: 1, label_links: [titled('a'), titled('a')], milestone: titled('a').milestone },
      { target_project_id: 1, label_links: [titled('b')], milestone: null },
      { lists: [titled('c')] },
      { milestone_releases: [titled('d')] },
      { resource_label_events: [titled('e')], resource_milestone_events: [titled('f')] },
    );
    const titles = { labels: [...found.labels.keys()], milestones: [...found.milestones.keys()] };
    expect(titles.labels).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(titles.milestones).toEqual(titles.labels);
  });

  it('has the priorities of all projects, and only that of the project is compared', () => {
    const priorityOf = (record: object) => archiveOf(record).labels.get('P1')?.contents['priority'];
    expect(priorityOf({ project_id: 1, label_links: [{ label }] })).toBe('1');
    expect(priorityOf({ target_project_id: 8, label_links: [{ label }] })).toBe('3');
    expect(priorityOf({ project_id: 2, label_links: [{ label }] })).toBe('');
  });

  it('has those of the project in lists of their own, so that they are not kept', () => {
    const own = { title: 'bug', type: 'ProjectLabel', project_id: 1, group_id: null };
    const found = archiveOf({ label_links: [{ label: own }], milestone: { title: '2.0', group_id: null } });
    expect([found.labels.size, found.milestones.size]).toEqual([0, 0]);
  });
});
