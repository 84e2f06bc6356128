/**
 * @file Labels and milestones of groups in an archive, which has them only in the records that use them. An import creates
 * those in the project that its groups lack (gitlab-facts 7). Pure.
 */
import {
  encodeRecords,
  isObject,
  recordsOf,
  type JsonRecord,
  type ProjectContent,
} from '../content/project-content.ts';

const usingRelations = ['issues', 'merge_requests', 'releases', 'boards'] as const;
const partLists = ['label_links', 'lists', 'milestone_releases', 'resource_label_events'] as const;
/** Most archives have none, so that their records need not be parsed. */
const signOfGroups = /"type":\s*"GroupLabel"|"group_id":\s*\d/;

/**
 * Adds labels and milestones to the project.
 * @param usedTitles the titles of those that the project's groups have.
 */
export function createRecordsOfGroups(
  content: ProjectContent,
  usedTitles: (relation: 'labels' | 'milestones') => ReadonlySet<string>,
): void {
  const using = usingRelations.filter((relation) =>
    signOfGroups.test(content.relations.get(relation)?.toString('latin1') ?? ''),
  );
  if (using.length === 0) return;
  const records = using.flatMap((relation) => recordsOf(content, relation));
  const parts = records.flatMap((record) => [
    record,
    ...partLists.flatMap((name) => (Array.isArray(record[name]) ? record[name].filter(isObject) : [])),
  ]);
  for (const [relation, column] of [
    ['labels', 'label'],
    ['milestones', 'milestone'],
  ] as const) {
    const own = recordsOf(content, relation);
    const known = new Set([...own.map(({ title }) => title), ...usedTitles(relation)]);
    let iid = Math.max(0, ...own.map((record) => Number(record['iid'] ?? 0)));
    const created = parts.flatMap(({ [column]: nested }): JsonRecord[] => {
      if (!isObject(nested) || !isOfGroup(nested) || known.has(nested['title'])) return [];
      known.add(nested['title']);
      const ofProject = { ...nested, group_id: null };
      return [relation === 'labels' ? { ...ofProject, type: 'ProjectLabel' } : { ...ofProject, iid: ++iid }];
    });
    if (created.length > 0) content.relations.set(relation, encodeRecords([...own, ...created]));
  }
}

const isOfGroup = ({ type, group_id: group }: JsonRecord): boolean =>
  type === 'GroupLabel' || typeof group === 'number';
