/** @file Translates SQLite's result codes into `AppError`s. */
import Database from 'better-sqlite3';
import { AppError } from '../../src-contract/errors.ts';
import type { ErrorCode, Retry } from '../../src-contract/errors.ts';

/** Primary result codes; an extended code (`SQLITE_IOERR_FSYNC`) begins with its primary one. */
const errorMappings: [prefix: string, code: ErrorCode, retry: Retry, message: string][] = [
  ['SQLITE_FULL', 'disk-full', 'later', 'The disk of the catalogue is full'],
  ['SQLITE_BUSY', 'catalogue-busy', 'later', 'Another process holds the catalogue'],
  ['SQLITE_LOCKED', 'catalogue-busy', 'later', 'The catalogue is locked'],
  ['SQLITE_CORRUPT', 'catalogue-damaged', 'never', 'The catalogue is damaged'],
  ['SQLITE_NOTADB', 'catalogue-damaged', 'never', 'The catalogue is not a database'],
  ['SQLITE_READONLY', 'disk-denied', 'never', 'This user may not write the catalogue'],
  ['SQLITE_PERM', 'disk-denied', 'never', 'This user may not open the catalogue'],
  ['SQLITE_AUTH', 'disk-denied', 'never', 'This user may not open the catalogue'],
  ['SQLITE_CANTOPEN', 'disk-denied', 'never', 'The catalogue cannot be opened'],
  ['SQLITE_IOERR', 'disk-failed', 'later', 'The disk of the catalogue failed'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'already-exists', 'never', 'The catalogue already has such a row'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'already-exists', 'never', 'The catalogue already has such a row'],
];

export function translateSqliteError(thrown: unknown): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown;
  const found = errorMappings.find(([prefix]) => thrown.code.startsWith(prefix));
  const [, code, retry, message] = found ?? ['', 'internal', 'never', 'The catalogue refused a statement'];
  return new AppError(code, `${message} (${thrown.code}: ${thrown.message}).`, {
    retry,
    details: { sqlite: thrown.code },
    cause: thrown,
  });
}
