/** @file Settings that an archive stores in single-record relations, named by GitLab's columns (gitlab-facts 5.3). */
import { isObject, type JsonRecord, type ProjectContent } from '../content/project-content.ts';
import { projectFeatures } from '../projects/attribute-table.ts';
import type { Project } from '../sandbox-database.ts';

const levels: Record<string, number> = { disabled: 0, private: 10, enabled: 20, public: 30 };

/** Names a field of the hash that changes the cleanup policy. */
const policyField = (name: string): string => `container_expiration_policy_attributes.${name}`;

function valueOf({ attributes }: Project, name: string): unknown {
  const [outer = '', inner] = name.split('.');
  const value = attributes[outer];
  if (inner === undefined) return value;
  return isObject(value) ? value[inner] : undefined;
}

function setValue({ attributes }: Project, name: string, value: unknown): void {
  const [outer = '', inner] = name.split('.');
  const fields = attributes[outer];
  attributes[outer] = inner === undefined ? value : { ...(isObject(fields) ? fields : {}), [inner]: value };
}

/** Maps each relation's columns to the API attributes that change them. An export contains no other settings. */
const columnsByRelation: Record<string, Record<string, string>> = {
  project_feature: Object.fromEntries(
    projectFeatures.map((feature) => [`${feature}_access_level`, `${feature}_access_level`]),
  ),
  ci_cd_settings: {
    group_runners_enabled: 'group_runners_enabled',
    default_git_depth: 'ci_default_git_depth',
    runner_token_expiration_interval: 'runner_token_expiration_interval',
  },
  auto_devops: { enabled: 'auto_devops_enabled', deploy_strategy: 'auto_devops_deploy_strategy' },
  error_tracking_setting: Object.fromEntries(
    ['api_url', 'project_name'].map((name) => [name, `error_tracking.${name}`]),
  ),
  container_expiration_policy: {
    ...Object.fromEntries(
      ['enabled', 'cadence', 'keep_n', 'older_than', 'name_regex_keep'].map((name) => [
        name,
        policyField(name),
      ]),
    ),
    name_regex: policyField('name_regex_delete'),
  },
};
const isLevel = (column: string): boolean => column.endsWith('_access_level');

/** Returns the settings of the content, overridden by the project's current ones. */
export function settingRelationsOf(project: Project, relations: ProjectContent['relations']) {
  const result = new Map(relations);
  for (const [relation, columns] of Object.entries(columnsByRelation)) {
    const overrides = Object.entries(columns).flatMap(([column, attribute]) => {
      const value = valueOf(project, attribute);
      if (value === undefined) return [];
      return [[column, isLevel(column) ? levels[value as string] : value] as const];
    });
    // The sandbox shows the levels that newer versions have instead, and an import does not convert this one.
    const { operations_access_level: olderLevel, ...known } = recordOf(relations, relation);
    if (overrides.length === 0 && olderLevel === undefined) continue;
    const record = { ...known, ...Object.fromEntries(overrides) };
    result.set(relation, Buffer.from(JSON.stringify(record)));
  }
  return result;
}

export function applySettingRelations(project: Project, { relations }: ProjectContent): void {
  for (const [relation, columns] of Object.entries(columnsByRelation)) {
    const record = recordOf(relations, relation);
    for (const [column, attribute] of Object.entries(columns)) {
      const archivedValue = record[column];
      const value = isLevel(column)
        ? Object.keys(levels).find((level) => levels[level] === archivedValue)
        : archivedValue;
      if (value !== undefined && value !== null) setValue(project, attribute, value);
    }
  }
}

/** Removes columns of these names, and returns them by relation. */
export function withoutColumns(content: ProjectContent, names: readonly string[]) {
  const relations = new Map(content.relations);
  const lost: { relation: string; name: string }[] = [];
  for (const [relation, columns] of Object.entries(columnsByRelation)) {
    const record = Object.entries(recordOf(relations, relation));
    const removed = record.filter(([name]) => name in columns && names.includes(name));
    if (removed.length === 0) continue;
    lost.push(...removed.map(([name]) => ({ relation, name })));
    const kept = record.filter((entry) => !removed.includes(entry));
    relations.set(relation, Buffer.from(JSON.stringify(Object.fromEntries(kept))));
  }
  return { content: { ...content, relations }, lost };
}

/** Returns the single record of a relation; empty if the project has none. An import refuses invalid JSON earlier. */
function recordOf(relations: ProjectContent['relations'], relation: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(relations.get(relation)?.toString('utf8') ?? 'null');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
