/** @file The project's own attributes, `tree/project.json`, as an index keeps them. */
import type { RecordIndex } from './record-index.ts';
import { attributesOfProject } from './record-keys.ts';

/**
 * Null where the archive has none, as in the old layout, and where they are not the one line of up to 1 MiB that GitLab writes.
 * Rejects with `IndexDamaged`.
 */
export async function projectAttributes(index: RecordIndex): Promise<Record<string, unknown> | null> {
  const value = (await index.record(attributesOfProject, 0))?.value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : null;
}
