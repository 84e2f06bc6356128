/**
 * @file Every call by which the store changes the disk, but for its lock, behind one small interface, so that tests can make
 * each of them fail. Failures leave here as `disk-full`, `disk-denied` or `disk-failed`.
 */
import { AppError } from '../../src-preload/contract/errors.ts';

export interface DiskFile {
  /** Writes some of the bytes and tells how many; fewer than asked for is not an error. */
  write(bytes: Uint8Array): Promise<number>;
  /** The content is on the medium when this resolves. After a failure the file must be given up, never flushed again. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface Disk {
  /** Creates a file that must not exist yet, readable by its owner only. */
  create(path: string): Promise<DiskFile>;
  /** Creates one folder, open to its owner only; false when it was there already. */
  makeFolder(path: string): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; one that is missing is no error. */
  remove(path: string): Promise<void>;
  /** The folder's entries are on the medium when this resolves. */
  flushFolder(path: string): Promise<void>;
  freeBytes(path: string): Promise<number>;
}

export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A failed file-system call as the error that says what to do; an `AppError` stays as it is. */
export function diskError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const errno = errnoOf(error);
  const options = { retry: 'later' as const, details: { errno, path }, cause: error };
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errno))
    return new AppError('disk-full', 'The disk is full', options);
  if (['EACCES', 'EPERM', 'EROFS'].includes(errno)) {
    const why = errno === 'EROFS' ? 'the file system is read-only' : 'permission denied';
    return new AppError('disk-denied', `Cannot write to ${path}: ${why}`, { ...options, retry: 'never' });
  }
  return new AppError(
    'disk-failed',
    `Cannot use ${path}: the disk failed (${errno === '' ? 'unknown' : errno})`,
    options,
  );
}

/** Whether the disk can be read but not written: it is read-only, full, or its folder belongs to another user. */
export function isUnwritable(thrown: unknown): boolean {
  return ['disk-denied', 'disk-full'].includes(AppError.from(thrown).code);
}

/** Does work on the file or folder at `path`; what fails of it is thrown as `diskError` says it. */
export async function orDiskError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error, path);
  }
}

/** Writes all of the bytes, however few the disk takes at a time. */
export async function writeAll(file: DiskFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const written = await file.write(bytes.subarray(at));
    if (written <= 0) throw new AppError('disk-failed', 'The disk takes no more bytes', { retry: 'later' });
    at += written;
  }
}
