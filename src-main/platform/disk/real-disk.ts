/** @file The disk of this machine. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import { createFile } from './direct-file.ts';
import type { Disk } from './disk.ts';
import { errnoOf } from './disk-errors.ts';

/** Systems that cannot flush a folder fail with these errors. Renames on such systems cannot be made more durable. */
const noFolderFlushErrnos = new Set([
  'EINVAL',
  'ENOTSUP',
  'EISDIR',
  ...(process.platform === 'win32' ? ['EPERM', 'EACCES'] : []),
]);

export const realDisk: Disk = {
  create: createFile,
  makeFolder: async (path) => {
    try {
      await mkdir(path, { mode: 0o700 });
      return true;
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  flushFolder: async (path) => {
    try {
      const folder = await open(path, 'r');
      await folder.sync().finally(() => folder.close());
    } catch (error) {
      if (!noFolderFlushErrnos.has(errnoOf(error))) throw error;
    }
  },
  freeBytes: async (path) => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
};

/** Like `Disk.flushFolder`, for callers that cannot wait. */
export function flushFolderSync(path: string): void {
  try {
    flushSync(path, 'r');
  } catch (error) {
    if (!noFolderFlushErrnos.has(errnoOf(error))) throw error;
  }
}

/** Flushes the file or folder at `path` to the medium. */
export function flushSync(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
