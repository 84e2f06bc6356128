/**
 * @file The project's own attributes, `tree/project.json`, as stored in an index, and its settings, which are relations
 * of their own.
 */
import type { RecordIndex } from './record-index.ts';
import { attributesOfProject } from './record-keys.ts';

type Columns = Record<string, unknown>;

/**
 * Returns null if the archive has none, as in the old layout, or if they are not the single line of up to 1 MiB that
 * GitLab writes. Rejects with `IndexDamaged`.
 */
export async function projectAttributes(index: RecordIndex): Promise<Columns | null> {
  return columnsOf((await index.record(attributesOfProject, 0))?.value);
}

/**
 * Returns the settings by relation. Empty if the archive has no such relation, or `null` in it; null if it cannot be
 * read. Rejects with `IndexDamaged`.
 */
export async function projectSettings(
  index: RecordIndex,
): Promise<Record<'project' | 'project_feature' | 'ci_cd_settings' | 'auto_devops', Columns | null>> {
  const ofRelation = async (relation: string): Promise<Columns | null> => {
    const record = await index.record(relation, 0);
    return record === null || record.text.trim() === 'null' ? {} : columnsOf(record.value);
  };
  return {
    project: await projectAttributes(index),
    project_feature: await ofRelation('project_feature'),
    ci_cd_settings: await ofRelation('ci_cd_settings'),
    auto_devops: await ofRelation('auto_devops'),
  };
}

function columnsOf(value: unknown): Columns | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Columns) : null;
}
