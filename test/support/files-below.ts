/** @file Lists the files of a folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of all files below a folder, relative to it and sorted; empty if the folder is missing. */
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
