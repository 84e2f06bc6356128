/** @file Files that a page uploaded, each in a private folder. Old ones that no job needs are removed. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { diskError } from '../../platform/disk/disk-errors.ts';
import { makePrivateFolder } from '../../platform/private-folder.ts';
import { uploadName } from './upload-name.ts';

const maxAgeMs = 12 * 3_600_000;
const sweepEveryMs = 3_600_000;
const maxAtOnce = 4;

export interface Uploads {
  /**
   * Writes a body to disk as fast as the disk allows. `length` is in bytes, null if unknown. A body that ends early
   * is removed.
   * @returns the absolute path. Throws `disk-full`, `disk-denied`, `calls-too-many`, `connection-lost`.
   */
  receive(name: string, length: number | null, body: Readable): Promise<string>;
  /** Waits for uploads in progress, which the caller should abort first, and removes all uploaded files. */
  close(): Promise<void>;
}

export function openUploads(options: {
  folder: string;
  clock: Clock;
  /** Returns the paths that unfinished jobs refer to; if it rejects, all files are kept. */
  findUsedPaths: () => Promise<ReadonlySet<string>>;
}): Uploads {
  const { folder, clock, findUsedPaths } = options;
  const receiving = new Map<string, Promise<unknown>>();
  const received = new Set<string>();
  let stopTimer = (): void => undefined;

  /** Removes old uploads that no job needs, including those of a process that was killed. */
  const sweep = async (): Promise<void> => {
    const names = await readdir(folder).catch(() => []);
    if (names.length === 0) return;
    const used = new Set([...(await findUsedPaths())].map((path) => dirname(path)));
    for (const uploadFolder of names.map((name) => join(folder, name))) {
      if (receiving.has(uploadFolder) || used.has(uploadFolder)) continue;
      const { mtimeMs } = await stat(uploadFolder);
      if (clock.now() - mtimeMs > maxAgeMs) await rm(uploadFolder, { recursive: true, force: true });
    }
  };
  const sweepPeriodically = (): void => {
    stopTimer = clock.timer(sweepEveryMs, sweepPeriodically);
    // A later sweep tries again to remove a file that could not be removed.
    sweep().catch(() => undefined);
  };
  sweepPeriodically();

  const write = async (
    uploadFolder: string,
    path: string,
    length: number | null,
    body: Readable,
  ): Promise<void> => {
    try {
      makePrivateFolder(folder);
      await assertFreeSpace(folder, length);
      await mkdir(uploadFolder, { mode: 0o700 });
      // When the disk fails the body stays open, so that the sender can still get a reply.
      const pieces = body.iterator({ destroyOnReturn: false });
      await pipeline(pieces, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      // The given clock decides the age of a file.
      await utimes(uploadFolder, clock.now() / 1000, clock.now() / 1000);
    } catch (thrown) {
      // A file that cannot be removed now is removed later, when it is old.
      await rm(uploadFolder, { recursive: true, force: true }).catch(() => undefined);
      throw connectionLostError(thrown) ?? diskError(thrown, folder);
    }
  };

  return {
    async receive(name, length, body) {
      if (receiving.size >= maxAtOnce) {
        throw new AppError('calls-too-many', `${maxAtOnce} files are being received.`, { retry: 'later' });
      }
      const uploadFolder = join(folder, randomBytes(8).toString('hex'));
      const path = join(uploadFolder, uploadName(name));
      const written = write(uploadFolder, path, length, body);
      receiving.set(uploadFolder, written);
      await written.finally(() => receiving.delete(uploadFolder));
      received.add(uploadFolder);
      return path;
    },
    async close() {
      stopTimer();
      await Promise.allSettled(receiving.values());
      const used = await findUsedPaths().catch(() => null);
      if (used === null) return;
      const kept = new Set([...used].map((path) => dirname(path)));
      for (const uploadFolder of received) {
        if (!kept.has(uploadFolder)) await rm(uploadFolder, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Free space that uploads leave on the disk, where the catalogue also is. On a small disk, a tenth of its size is left
 * instead.
 */
const reservedBytes = 200 * 1024 * 1024;

/** Throws `disk-full` before the upload starts, so that no time is spent on an upload that cannot fit. */
async function assertFreeSpace(folder: string, length: number | null): Promise<void> {
  if (length === null) return;
  const { bavail, blocks, bsize } = await statfs(folder);
  const reserve = Math.min(reservedBytes, (blocks * bsize) / 10);
  if (length + reserve <= bavail * bsize) return;
  throw new AppError('disk-full', `There is no room for ${length} bytes.`, {
    retry: 'later',
    details: { path: folder, wanted: length, free: bavail * bsize },
  });
}

function connectionLostError(thrown: unknown): AppError | null {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET') return null;
  return new AppError('connection-lost', 'The page stopped sending the file.', { cause: thrown });
}
