/** @file The custom attributes of a project, which an export contains as records. Only administrators see them. */
import { encodeRecords, recordsOf, type ProjectContent } from '../content/project-content.ts';
import type { Project } from '../sandbox-database.ts';

type Relations = ProjectContent['relations'];

export function withCustomAttributes({ customAttributes }: Project, relations: Relations): Relations {
  if (customAttributes.size === 0) return relations;
  const records = [...customAttributes].map(([key, value]) => ({ key, value }));
  return new Map(relations).set('custom_attributes', encodeRecords(records));
}

export function applyCustomAttributes({ customAttributes }: Project, content: ProjectContent): void {
  for (const { key, value } of recordsOf(content, 'custom_attributes'))
    customAttributes.set(String(key), String(value));
}

/** Removes the attributes with these keys. */
export function withoutCustomAttributes(content: ProjectContent, keys: readonly string[]) {
  const records = recordsOf(content, 'custom_attributes');
  const kept = records.filter(({ key }) => !keys.includes(String(key)));
  if (kept.length === records.length) return { content, lost: [] };
  const relations = new Map(content.relations).set('custom_attributes', encodeRecords(kept));
  const removed = records.filter((record) => !kept.includes(record));
  return {
    content: { ...content, relations },
    lost: removed.map(({ key }) => ({ relation: 'custom_attributes', name: String(key) })),
  };
}
