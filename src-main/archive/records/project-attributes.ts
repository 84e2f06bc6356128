/** @file The attributes of the project, `tree/project.json`, from an index, and the settings that are relations. */
import type { RecordIndex } from './record-index.ts';
import { projectAttributesEntry } from './record-keys.ts';

type Columns = Record<string, unknown>;

/**
 * Returns the project's attributes; null in the legacy layout, or if they are no single line of up to 1 MiB. Rejects
 * with `IndexDamaged`.
 */
export async function projectAttributes(index: RecordIndex): Promise<Columns | null> {
  return columnsOf((await index.record(projectAttributesEntry, 0))?.value);
}

/**
 * Returns the settings by relation: an empty object if there are none, null if they are unreadable. Rejects with
 * `IndexDamaged`.
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
