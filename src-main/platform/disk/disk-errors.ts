/** @file Translates errors of the file system into `disk-full`, `disk-denied` and `disk-failed`. */
import { AppError } from '../../../src-contract/errors.ts';
import type { ErrorCode } from '../../../src-contract/errors.ts';

const knownErrors: Record<string, { code: ErrorCode; reason: string }> = {
  ENOSPC: { code: 'disk-full', reason: 'the disk is full' },
  EDQUOT: { code: 'disk-full', reason: 'the quota of the disk is used up' },
  EFBIG: { code: 'disk-full', reason: 'the file system allows no file of this size' },
  EACCES: { code: 'disk-denied', reason: 'permission denied' },
  EPERM: { code: 'disk-denied', reason: 'permission denied' },
  EROFS: { code: 'disk-denied', reason: 'the file system is read-only' },
};

/**
 * Returns the name of the error number of a failed file system call, such as `ENOENT`; an empty text for any other
 * error.
 */
export function errnoOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : '';
}

/** Returns the error of a file system call on `path` as an `AppError`. Returns any other error unchanged. */
export function diskError(thrown: unknown, path: string): unknown {
  const errno = errnoOf(thrown);
  if (thrown instanceof AppError || errno === '') return thrown;
  const { code, reason } = knownErrors[errno] ?? {
    code: 'disk-failed',
    reason: `the disk failed (${errno})`,
  };
  return new AppError(code, `Cannot use ${path}: ${reason}.`, {
    retry: code === 'disk-denied' ? 'never' : 'later',
    details: { path, errno },
    cause: thrown,
  });
}

/**
 * Returns whether the error means that the disk can be read but not written: it is read-only, full, or its folder
 * belongs to another user.
 */
export function isUnwritableError(thrown: unknown): boolean {
  return ['disk-denied', 'disk-full'].includes(AppError.from(thrown).code);
}

/** Runs work on the file or folder at `path`. Throws its errors as translated by `diskError`. */
export async function withDiskErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw diskError(thrown, path);
  }
}
