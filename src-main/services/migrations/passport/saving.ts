/** @file Saves passports in a new folder with a time in its name: all files or none. No file is replaced. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import { diskError, errnoOf } from '../../../platform/disk/disk-errors.ts';
import { moveFile, writeNewFile } from '../../../platform/disk/durable-file.ts';
import { realDisk } from '../../../platform/disk/real-disk.ts';
import { makePrivateFolder } from '../../../platform/private-folder.ts';

export interface FileToSave {
  /** File name without a folder. */
  name: string;
  text: string;
}

const maxNames = 100;

/**
 * Writes the files into a new folder `name` in `to`, or in `defaultFolder` if `to` is null. The last part of `to` is created
 * if missing. @returns the folder and the file names in order. Throws `invalid-input`, `already-exists`, `disk-…`.
 */
export async function saveFolder(
  to: string | null,
  defaultFolder: string,
  name: string,
  files: AsyncIterable<FileToSave>,
): Promise<{ folder: string; files: string[] }> {
  const parent = to ?? defaultFolder;
  if (!isAbsolute(parent)) throw new AppError('invalid-input', `"${parent}" is not a full path.`);
  const part = join(parent, `.${name}.${randomBytes(6).toString('hex')}.part`);
  try {
    if (to === null) makePrivateFolder(parent);
    else await ensureFolder(parent);
    await mkdir(part, { mode: 0o700 });
    const names: string[] = [];
    for await (const file of files) {
      await writeNewFile(realDisk, join(part, file.name), file.text);
      names.push(file.name);
    }
    await realDisk.flushFolder(part);
    const folder = await renameFolder(part, parent, name);
    return { folder, files: names };
  } catch (thrown) {
    // The folder may not exist yet; the first error is the one to report.
    await rm(part, { recursive: true, force: true }).catch(() => undefined);
    throw diskError(thrown, parent);
  }
}

async function ensureFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() === true) return;
  if (found !== null) throw new AppError('invalid-input', `${folder} is not a folder.`);
  try {
    await mkdir(folder);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown;
    throw new AppError('invalid-input', `${folder} cannot be created: the folder above it does not exist.`);
  }
}

/**
 * Renames the finished folder. A rename never replaces a folder with contents; an existing empty folder, which some
 * systems replace, is skipped.
 */
async function renameFolder(part: string, parent: string, name: string): Promise<string> {
  for (let attempt = 1; attempt <= maxNames; attempt += 1) {
    const folder = join(parent, attempt === 1 ? name : `${name}-${attempt}`);
    if (await isThere(folder)) continue;
    await moveFile(realDisk, part, folder);
    return folder;
  }
  throw new AppError('already-exists', 'Passports already exist there, and no file is replaced.', {
    details: { path: join(parent, name) },
  });
}

const isThere = (path: string): Promise<boolean> =>
  readdir(path).then(
    () => true,
    (thrown: unknown) => errnoOf(thrown) !== 'ENOENT',
  );
