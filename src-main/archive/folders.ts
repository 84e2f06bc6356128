/** @file Creates and walks the folders of the store. A link is neither followed nor treated as a folder. */
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../src-contract/errors.ts';
import type { Disk } from '../platform/disk/disk.ts';
import { diskError, errnoOf } from '../platform/disk/disk-errors.ts';
import { trashFolder } from './names.ts';

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Creates the folder and its parents; each is flushed before anything is put into it. */
export async function ensureFolder(disk: Disk, path: string): Promise<void> {
  if (await exists(path)) return;
  const parent = dirname(path);
  if (parent !== path) await ensureFolder(disk, parent);
  await disk.makeFolder(path);
  await disk.flushFolder(parent);
}

/** Creates the folders `names`, one below the other. Rejects with `archive-unsafe` if one is no folder. */
export async function makeFolders(disk: Disk, root: string, names: readonly string[]): Promise<void> {
  await ensureFolder(disk, root);
  let folder = root;
  for (const name of names) {
    const subfolder = join(folder, name);
    if (await disk.makeFolder(subfolder)) await disk.flushFolder(folder);
    else if (!(await lstat(subfolder)).isDirectory()) {
      throw new AppError('archive-unsafe', 'A link or a file is in the place of a folder.', {
        details: { path: subfolder },
      });
    }
    folder = subfolder;
  }
}

/** Yields regular files below the root, as relative paths with `/`. Follows no links, and skips the trash folder. */
export async function* filesBelow(root: string, prefix = ''): AsyncGenerator<string> {
  const folder = join(root, ...prefix.split('/'));
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw diskError(error, folder);
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = prefix + entry.name;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && path !== trashFolder) yield* filesBelow(root, `${path}/`);
  }
}
