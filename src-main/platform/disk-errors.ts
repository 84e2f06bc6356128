/** @file Error numbers of the file system as the product's errors, for the small files of this folder. */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { ErrorCode } from '../../src-preload/contract/errors.ts';

const situations: Record<string, ErrorCode> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EACCES: 'disk-denied',
  EPERM: 'disk-denied',
  EROFS: 'disk-denied',
};

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

/** What a file system call on `path` threw, as an `AppError`; errors without a number are passed on as they are. */
export function diskError(thrown: unknown, path: string): unknown {
  const number = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (thrown instanceof AppError || typeof number !== 'string') return thrown;
  const code = situations[number] ?? 'disk-failed';
  return new AppError(code, `Cannot use ${path}: ${reasons[number] ?? number}`, {
    retry: code === 'disk-denied' ? 'never' : 'later',
    details: { path, error: number },
    cause: thrown,
  });
}
