/**
 * @file Makes a file durable in this order: temporary name, flush, rename, flush of the folder. After a power cut,
 * either the old or the new file exists, and it is complete.
 */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { link, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../../src-contract/errors.ts';
import { type Disk, writeAll } from './disk.ts';
import { diskError, errnoOf } from './disk-errors.ts';
import { flushFolderSync, flushSync, realDisk } from './real-disk.ts';

/**
 * Returns a temporary name for a file that is to be named `path`. No two attempts share a name, and no other code reads
 * the file.
 */
export function partPath(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.part`;
}

/** Replaces the file at `path` with `text`, mode 0600. If this throws, the old file is unchanged. */
export async function replaceFile(disk: Disk, path: string, text: string): Promise<void> {
  const part = partPath(path);
  try {
    await writeNewFile(disk, part, text);
    await moveFile(disk, part, path);
  } catch (error) {
    await disk.remove(part).catch(() => undefined);
    throw diskError(error, path);
  }
}

/**
 * Like `replaceFile`, for callers that cannot wait, on the disk of this machine. `write` creates the file at the
 * temporary path `part`. With a fixed `part`, the next attempt overwrites what a killed attempt left.
 */
export function replaceFileSync(
  path: string,
  write: string | ((part: string) => void),
  part: string = partPath(path),
): void {
  try {
    if (typeof write === 'string') writeFileSync(part, write, { mode: 0o600, flag: 'wx' });
    else write(part);
    flushSync(part, 'r+');
    renameSync(part, path);
    flushFolderSync(dirname(path));
  } catch (error) {
    rmSync(part, { force: true });
    throw diskError(error, path);
  }
}

/** Like `replaceFile` on the disk of this machine, but throws `already-exists` if the name is taken. */
export async function createDurableFile(path: string, text: string): Promise<void> {
  const part = partPath(path);
  try {
    await writeNewFile(realDisk, part, text);
    await moveWithoutReplacing(part, path);
  } catch (error) {
    await realDisk.remove(part).catch(() => undefined);
    throw diskError(error, path);
  }
}

/** Creates and flushes a file. Its name is durable once its folder was flushed. A failure leaves an incomplete file. */
export async function writeNewFile(disk: Disk, path: string, text: string): Promise<void> {
  const file = await disk.create(path);
  try {
    await writeAll(file, Buffer.from(text));
    await file.flush();
  } finally {
    await file.close();
  }
}

/** Flushes a file that another library wrote. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.datasync().finally(() => file.close());
}

/** Durably renames a flushed file, or a folder of flushed files, replacing a file of that name. Throws disk errors. */
export async function moveFile(disk: Disk, from: string, to: string): Promise<void> {
  await disk.rename(from, to);
  await disk.flushFolder(dirname(to));
  if (dirname(from) !== dirname(to)) await disk.flushFolder(dirname(from));
}

/** Durably renames a flushed file. Throws `already-exists` if the name is taken. Failures leave `part`. */
export async function moveWithoutReplacing(part: string, to: string): Promise<void> {
  try {
    // A hard link never replaces a file. If the process is killed, no incomplete file remains.
    await link(part, to);
  } catch (thrown) {
    if (!noLinkErrnos.has(errnoOf(thrown))) throw toExistsError(thrown, to);
    await renameToNew(part, to);
  }
  try {
    await realDisk.flushFolder(dirname(to));
  } catch (thrown) {
    await realDisk.remove(to).catch(() => undefined);
    throw thrown;
  }
  // The file is already stored, so failing to remove the temporary name is no failure.
  await realDisk.remove(part).catch(() => undefined);
}

const noLinkErrnos = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/**
 * Reserves the name with an empty file, then renames `part`. If the process is killed in between, the empty file
 * remains.
 */
async function renameToNew(part: string, to: string): Promise<void> {
  const empty = await realDisk.create(to).catch((thrown: unknown) => {
    throw toExistsError(thrown, to);
  });
  try {
    await empty.close();
    await realDisk.rename(part, to);
  } catch (thrown) {
    await realDisk.remove(to).catch(() => undefined);
    throw thrown;
  }
}

const toExistsError = (thrown: unknown, path: string): unknown =>
  errnoOf(thrown) === 'EEXIST' ? fileExistsError(path) : thrown;

/** Returns the error of `moveWithoutReplacing` for a name that is taken. */
export const fileExistsError = (path: string): AppError =>
  new AppError('already-exists', 'A file with this name already exists, and it is not replaced.', {
    details: { path },
  });
