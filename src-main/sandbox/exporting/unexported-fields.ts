/**
 * @file Removes what GitLab stores and writes into no export (gitlab-facts 5.6): fields of records, and pipelines of some
 * sources.
 */
import { encodeLines, isObject, recordsOf, type ProjectContent } from '../content/project-content.ts';

const unexportedFields: Record<string, readonly string[]> = {
  pipeline_schedules: ['active'],
  push_rule: ['created_at', 'commit_committer_name_check'],
  releases: ['evidences'],
  builds: ['tag_list'],
  push_access_levels: ['deploy_key_id'],
  create_access_levels: ['deploy_key_id'],
};
/** Relations whose records have lists with such fields. */
const relationsWithLists = ['ci_pipelines', 'protected_branches', 'protected_tags'];
const isUnexported = (relation: string, name: string): boolean =>
  unexportedFields[relation]?.includes(name) === true;

const unexportedSources = [
  ...['webide', 'parent_pipeline', 'ondemand_dast_scan', 'ondemand_dast_validation', 'duo_workflow'],
  ...['security_orchestration_policy', 'container_registry_push', 'pipeline_execution_policy_schedule'],
];

/** GitLab writes `null` for a relation without records. */
const isExportedPipeline = (record: unknown): boolean =>
  !isObject(record) || !unexportedSources.some((source) => source === record['source']);

/** Returns the relations as an export contains them. */
export function exportedRelations(content: ProjectContent): ProjectContent['relations'] {
  const relations = new Map(content.relations);
  for (const relation of [...Object.keys(unexportedFields), ...relationsWithLists]) {
    if (!relations.has(relation)) continue;
    const lines = recordsOf(content, relation)
      .filter((record) => relation !== 'ci_pipelines' || isExportedPipeline(record))
      .map((record) => JSON.stringify(withoutUnexported(relation, record)));
    relations.set(relation, encodeLines(relation, lines));
  }
  return relations;
}

/** Returns a copy of a value of a relation, or of a list in its records, without the fields. */
function withoutUnexported(relation: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutUnexported(relation, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
      isUnexported(relation, name)
        ? []
        : [[name, Array.isArray(inner) ? withoutUnexported(name, inner) : inner]],
    ),
  );
}
