/**
 * @file The trash folder of a root: what is given up keeps its place below it, with the reason beside it, so that moving a
 * folder back undoes it. Nothing of ours empties it.
 */
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { replaceFile } from './sidecar.ts';
import type { Disk } from './disk.ts';
import { exists, filesBelow, makeFolders } from './folders.ts';
import { archiveOfPart, trashFolder } from './names.ts';

/**
 * Moves files of one archive, in this order, each durably before the next; those that are missing were moved before. What is
 * still being received gets the archive's name.
 */
export async function moveToTrash(
  disk: Disk,
  root: string,
  archive: string,
  files: readonly string[],
  reason: string,
): Promise<void> {
  const folders = relative(root, dirname(archive)).split(sep);
  await makeFolders(disk, root, [trashFolder, ...folders]);
  const place = (file: string): string =>
    join(root, trashFolder, ...folders, basename(archiveOfPart(file) ?? file));
  await replaceFile(disk, `${place(archive)}.reason.txt`, `${reason}\n`);
  for (const file of files) {
    if (!(await exists(file))) continue;
    await disk.rename(file, place(file));
    await disk.flushFolder(dirname(place(file)));
    await disk.flushFolder(dirname(file));
  }
}

/** How many bytes the trash folder of a root holds. */
export async function trashBytes(root: string): Promise<number> {
  const trash = join(root, trashFolder);
  let bytes = 0;
  for await (const file of filesBelow(trash)) {
    const found = await lstat(join(trash, ...file.split('/'))).catch(() => null);
    bytes += found?.size ?? 0;
  }
  return bytes;
}
