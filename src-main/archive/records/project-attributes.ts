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
): Promise<
  Record<
    | 'project'
    | 'project_feature'
    | 'ci_cd_settings'
    | 'auto_devops'
    | 'container_expiration_policy'
    | 'error_tracking_setting'
    | 'custom_attributes',
    Fields | null
  >
> {
  const ofRelation = async (relation: string): Promise<Fields | null> => {
    const record = await index.record(relation, 0);
    return record === null || record.text.trim() === 'null' ? {} : fieldsOrNull(record.value);
  };
  return {
    project: await projectAttributes(index),
    project_feature: await ofRelation('project_feature'),
    ci_cd_settings: await ofRelation('ci_cd_settings'),
    auto_devops: await ofRelation('auto_devops'),
    container_expiration_policy: await ofRelation('container_expiration_policy'),
    error_tracking_setting: await ofRelation('error_tracking_setting'),
    custom_attributes: await customAttributes(index),
  };
}

/** Returns the values of the custom attributes by their keys. */
async function customAttributes(index: RecordIndex): Promise<Fields> {
  const values: Record<string, unknown> = {};
  for await (const { line } of index.keys('custom_attributes')) {
    const { key, value } = fieldsOrNull((await index.record('custom_attributes', line))?.value) ?? {};
    if (typeof key === 'string') values[key] = value;
  }
  return values;
}

const fieldsOrNull = (value: unknown): Fields | null => (isObject(value) ? value : null);
