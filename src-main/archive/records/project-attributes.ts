/** @file Reads a project's attributes (`tree/project.json`) and its settings (single relations) from a record index. */
import { isObject, type Fields } from '../../platform/objects.ts';
import type { RecordIndex } from './record-index.ts';
import { projectAttributesEntry } from './record-keys.ts';

/**
 * Returns the project's attributes; null in the legacy layout, or if they are not one line of at most 1 MiB. Rejects
 * with `IndexDamaged`.
 */
export async function projectAttributes(index: RecordIndex): Promise<Fields | null> {
  return fieldsOrNull((await index.record(projectAttributesEntry, 0))?.value);
}

/**
 * Returns the settings by relation: an empty object if there are none, null if they are unreadable. Rejects with
 * `IndexDamaged`.
 */
export async function projectSettings(
  index: RecordIndex,
): Promise<Record<'project' | 'project_feature' | 'ci_cd_settings' | 'auto_devops', Fields | null>> {
  const ofRelation = async (relation: string): Promise<Fields | null> => {
    const record = await index.record(relation, 0);
    return record === null || record.text.trim() === 'null' ? {} : fieldsOrNull(record.value);
  };
  return {
    project: await projectAttributes(index),
    project_feature: await ofRelation('project_feature'),
    ci_cd_settings: await ofRelation('ci_cd_settings'),
    auto_devops: await ofRelation('auto_devops'),
  };
}

const fieldsOrNull = (value: unknown): Fields | null => (isObject(value) ? value : null);
