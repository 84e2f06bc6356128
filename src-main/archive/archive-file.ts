/**
 * @file Reads a regular file sequentially and checks that it did not change. Throws errors with `archive-*` and
 * `disk-*` codes.
 */
import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '../../src-contract/errors.ts';
import { LimitExceeded } from './limits.ts';

/** Opens a regular file and nothing else. Does not follow a link in the last segment, and does not block on a fifo. */
export async function openArchive(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => {
    throw openingError(error, path);
  });
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    throw new AppError('archive-unsafe', 'An archive must be a regular file.', { details: { path } });
  }
  return file;
}

function openingError(error: unknown, path: string): AppError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const options = { details: { path, errno: code }, cause: error };
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AppError('archive-missing', 'The archive does not exist.', options);
  }
  if (code === 'ELOOP' || code === 'ENXIO') {
    return new AppError('archive-unsafe', 'An archive must be a regular file.', options);
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new AppError('disk-denied', 'This user may not read the archive.', options);
  }
  return new AppError('disk-failed', 'The archive could not be opened.', options);
}

export interface FileReadOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/** Fills the buffer as far as possible and returns the number of bytes; 0 at the end. One call at a time. */
export type Read = (buffer: Buffer) => Promise<number>;

/** Calls `consume` with a function that reads the file in order. Rejects with `archive-changed` or `disk-failed`. */
export async function readToEnd(
  file: FileHandle,
  options: FileReadOptions,
  consume: (read: Read) => Promise<void>,
): Promise<void> {
  const before = await file.stat({ bigint: true });
  let doneBytes = 0;
  await consume(async (buffer) => {
    options.signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length).catch((cause: unknown) => {
      throw new AppError('disk-failed', 'The archive could not be read.', { retry: 'later', cause });
    });
    doneBytes += bytesRead;
    options.onProgress?.(doneBytes, Number(before.size));
    return bytesRead;
  });
  options.signal?.throwIfAborted();
  const after = await file.stat({ bigint: true });
  if (!sameContent(before, after) || BigInt(doneBytes) !== before.size) {
    throw new AppError('archive-changed', 'The archive changed while it was read.', { retry: 'later' });
  }
}

/** Returns a consumer for `readToEnd` that passes a file on in pieces. A piece is valid until `take` has resolved. */
export function chunkConsumer(take: (piece: Buffer) => Promise<void> | void): (read: Read) => Promise<void> {
  return async (read) => {
    const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
    for (let length = await read(buffer); length > 0; length = await read(buffer)) {
      await take(buffer.subarray(0, length));
    }
  };
}

function sameContent(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ino === b.ino;
}

/** Returns the size and SHA-256 of a file. Throws like `openArchive` and `readToEnd`. */
export async function digestFile(
  path: string,
  options: FileReadOptions,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = await openArchive(path);
  try {
    const digest = chunkConsumer((piece) => {
      sizeBytes += piece.length;
      hash.update(piece);
    });
    await readToEnd(file, options, digest);
  } finally {
    await file.close();
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** Converts `LimitExceeded` into `archive-limit`; returns any other error unchanged. */
export function toReadError(error: unknown): unknown {
  if (!(error instanceof LimitExceeded)) return error;
  const { limit, allowed, message } = error;
  return new AppError('archive-limit', message, { details: { limit, allowed }, cause: error });
}
