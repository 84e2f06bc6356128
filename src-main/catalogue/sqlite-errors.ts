/** @file SQLite's result codes as the product's errors. */
import Database from 'better-sqlite3';
import { AppError } from '../../src-contract/errors.ts';
import type { ErrorCode, Retry } from '../../src-contract/errors.ts';

/** Primary result codes; an extended code (`SQLITE_IOERR_FSYNC`) begins with its primary one. */
const situations: [prefix: string, code: ErrorCode, retry: Retry, message: string][] = [
  ['SQLITE_FULL', 'disk-full', 'later', 'the disk of the catalogue is full'],
  ['SQLITE_BUSY', 'catalogue-busy', 'later', 'another process holds the catalogue'],
  ['SQLITE_LOCKED', 'catalogue-busy', 'later', 'the catalogue is locked'],
  ['SQLITE_CORRUPT', 'catalogue-damaged', 'never', 'the catalogue is damaged'],
  ['SQLITE_NOTADB', 'catalogue-damaged', 'never', 'the catalogue is not a database'],
  ['SQLITE_READONLY', 'disk-denied', 'never', 'the catalogue may not be written'],
  ['SQLITE_PERM', 'disk-denied', 'never', 'the catalogue may not be opened'],
  ['SQLITE_AUTH', 'disk-denied', 'never', 'the catalogue may not be opened'],
  ['SQLITE_CANTOPEN', 'disk-denied', 'never', 'the catalogue cannot be opened'],
  ['SQLITE_IOERR', 'disk-failed', 'later', 'the disk of the catalogue failed'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'already-exists', 'never', 'the catalogue holds such a row already'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'already-exists', 'never', 'the catalogue holds such a row already'],
];

/** Converts an error of SQLite to an `AppError`; any other error is returned unchanged. */
export function translateSqliteError(thrown: unknown): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown;
  const found = situations.find(([prefix]) => thrown.code.startsWith(prefix));
  const [, code, retry, message] = found ?? ['', 'internal', 'never', 'the catalogue refused a statement'];
  return new AppError(code, `${message} (${thrown.code}: ${thrown.message})`, {
    retry,
    details: { sqlite: thrown.code },
    cause: thrown,
  });
}
