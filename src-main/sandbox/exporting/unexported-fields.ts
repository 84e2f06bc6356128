/** @file Removes the fields that GitLab stores for a record, and writes into no export (gitlab-facts 5.6). */
import { encodeLines, recordsOf, type JsonRecord, type ProjectContent } from '../content/project-content.ts';

const unexportedFields: Record<string, readonly string[]> = {
  pipeline_schedules: ['active'],
  push_rule: ['created_at', 'commit_committer_name_check'],
};

/** Returns the relations as an export contains them. */
export function withoutUnexportedFields(content: ProjectContent): ProjectContent['relations'] {
  const relations = new Map(content.relations);
  for (const [relation, names] of Object.entries(unexportedFields)) {
    if (!relations.has(relation)) continue;
    const lines = recordsOf(content, relation).map((record) => JSON.stringify(without(record, names)));
    relations.set(relation, encodeLines(relation, lines));
  }
  return relations;
}

const without = (record: JsonRecord | null, names: readonly string[]): JsonRecord | null =>
  record === null
    ? null
    : Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
