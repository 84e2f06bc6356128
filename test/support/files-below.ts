/** @file What stands in a folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of all files below a folder, relative to it and sorted; none where there is no such folder. */
export function filesBelow(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort();
  } catch {
    return [];
  }
}
