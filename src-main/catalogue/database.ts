/** @file Opens the catalogue, one SQLite file. Sets durability and translates SQLite's errors. Knows no table. */
import { chmodSync, closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../src-contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { diskError } from '../platform/disk/disk-errors.ts';
import { foldCase } from './projects/fold.ts';
import type { z } from '../../src-contract/schema.ts';
import { isCopyDue, makeCopy } from './recovery/catalogue-copies.ts';
import { IntegrityCheck } from './recovery/integrity-check.ts';
import { readRow } from './rows.ts';
import { schema as currentSchema, type Schema } from './schema/schema.ts';
import { upgradeSchema, readSchemaVersion } from './schema/upgrade.ts';
import { translateSqliteError } from './sqlite-errors.ts';

const busyTimeoutMs = 5_000;

/** An open catalogue. Every method may throw the `AppError`s of `sqlite-errors.ts`. Each statement is prepared once. */
export class Catalogue {
  readonly #db: Database.Database;
  readonly #integrityCheck: IntegrityCheck;
  readonly #statements = new Map<string, Database.Statement>();
  #hasWritten = false;
  #diskFailure: AppError | null = null;

  constructor(db: Database.Database, integrityCheck: IntegrityCheck) {
    this.#db = db;
    this.#integrityCheck = integrityCheck;
  }

  /** The first disk failure since the catalogue was opened; null if there was none. */
  get diskFailure(): AppError | null {
    return this.#diskFailure;
  }

  all(sql: string, ...parameters: unknown[]): unknown[] {
    return this.#translateErrors(() => this.#prepare(sql).all(...parameters));
  }

  get(sql: string, ...parameters: unknown[]): unknown {
    return this.#translateErrors(() => this.#prepare(sql).get(...parameters));
  }

  /** Returns all rows of `table`, read by the schema. Throws `catalogue-damaged`. */
  rows<S extends z.ZodType>(table: string, schema: S, sql: string, ...parameters: unknown[]): z.output<S>[] {
    return this.all(sql, ...parameters).map((row) => readRow(schema, row, table));
  }

  /** Like `rows`, for at most one row; null if there is none. */
  row<S extends z.ZodType>(
    table: string,
    schema: S,
    sql: string,
    ...parameters: unknown[]
  ): z.output<S> | null {
    const row = this.get(sql, ...parameters);
    return row === undefined ? null : readRow(schema, row, table);
  }

  has(sql: string, ...parameters: unknown[]): boolean {
    return this.get(sql, ...parameters) !== undefined;
  }

  /** Returns the only value of a query for a number, such as a count; null for NULL and for no row. */
  number(sql: string, ...parameters: unknown[]): number | null {
    return (this.column(sql, ...parameters) as (number | null)[])[0] ?? null;
  }

  count(sql: string, ...parameters: unknown[]): number {
    return this.number(sql, ...parameters) ?? 0;
  }

  /** Returns the only column of all rows, unchecked. Creating row objects would cost more than finding the rows. */
  column(sql: string, ...parameters: unknown[]): unknown[] {
    return this.#translateErrors(() =>
      this.#prepare(sql)
        .pluck()
        .all(...parameters),
    );
  }

  /** @returns the number of changed rows. */
  run(sql: string, ...parameters: unknown[]): number {
    this.#hasWritten = true;
    return this.#translateErrors(() => this.#prepare(sql).run(...parameters).changes);
  }

  dataVersion(): number {
    return this.#translateErrors(() => numberPragma(this.#db, 'data_version'));
  }

  /** Runs `work` in one write transaction, which is rolled back if it throws. `work` must be synchronous. */
  transaction<T>(work: () => T): T {
    this.#hasWritten = true;
    return this.#translateErrors(() => this.#db.transaction(work).immediate());
  }

  /**
   * Like `transaction`, but does not wait for the disk, for data that can be read again. A power cut may undo the whole
   * transaction.
   */
  nonDurableTransaction<T>(work: () => T): T {
    this.#hasWritten = true;
    return this.#translateErrors(() => {
      this.#db.pragma('synchronous = NORMAL');
      try {
        return this.#db.transaction(work).immediate();
      } finally {
        this.#db.pragma('synchronous = FULL');
      }
    });
  }

  close(): void {
    this.#checkpoint();
    this.#db.close();
    this.#integrityCheck.recordClosed();
  }

  /**
   * Moves the write-ahead log into the file. SQLite does this when it closes the file, but reports no disk failure. A
   * failure loses no data.
   */
  #checkpoint(): void {
    if (!this.#hasWritten || !this.#db.open) return;
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch (error) {
      this.#recordError(error);
    }
  }

  #translateErrors<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#recordError(error);
    }
  }

  /** @returns the error to throw. */
  #recordError(error: unknown): unknown {
    this.#integrityCheck.recordError(error);
    const translated = translateSqliteError(error);
    if (translated instanceof AppError && translated.code === 'disk-failed') this.#diskFailure ??= translated;
    return translated;
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Opens the catalogue at `path`, creates it if there is none, and upgrades an older one. Makes a copy before an
 * upgrade, and once a day. The file must be on a local disk. Throws `catalogue-newer`, `catalogue-foreign` and
 * `catalogue-damaged` before anything is written; the caller can then move the file with `moveDamagedCatalogue`.
 */
export function openCatalogue(options: { path: string; clock: Clock; schema?: Schema }): Catalogue {
  const { path, clock, schema = currentSchema } = options;
  const integrityCheck = new IntegrityCheck(path, clock.now());
  makePrivateFile(path);
  const db = openDatabase(path);
  try {
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    db.function('fold', { deterministic: true }, (text) => foldCase(String(text)));
    const version = readSchemaVersion(db, schema);
    const isOld = version < schema.version;
    const copy = version === 0 ? 'none' : isOld ? 'needed' : isCopyDue(path, clock.now()) ? 'daily' : 'none';
    if (version === 0) integrityCheck.markSound(clock.now());
    // Checked first: a damaged catalogue must not replace the good copies one after the other.
    else if (integrityCheck.isCheckDue || copy !== 'none') integrityCheck.check(db, clock.now());
    makeDurable(db);
    if (copy === 'needed') makeCopy(db, path, clock.now());
    if (copy === 'daily') makeDailyCopy(db, path, clock.now());
    if (isOld) upgradeSchema(db, schema);
    db.pragma('foreign_keys = ON');
    assertDurable(db);
    return new Catalogue(db, integrityCheck);
  } catch (error) {
    integrityCheck.recordError(error);
    db.close();
    // Writing a copy can fail like any other file.
    throw diskError(translateSqliteError(error), path);
  }
}

/** Protects the history of jobs, which only a copy can restore. */
function makeDailyCopy(db: Database.Database, path: string, now: number): void {
  try {
    makeCopy(db, path, now);
  } catch (error) {
    const translated = translateSqliteError(error);
    if (translated instanceof AppError && translated.code === 'catalogue-damaged') throw error;
    // Without room for a copy the catalogue still works; the next opening tries again.
  }
}

function openDatabase(path: string): Database.Database {
  try {
    return new Database(path, { timeout: busyTimeoutMs });
  } catch (error) {
    const translated = translateSqliteError(error);
    throw translated instanceof AppError ? translated.withDetails({ path }) : translated;
  }
}

/** SQLite gives `-wal` and `-shm` the mode of the main file, so the mode is set before SQLite opens it. */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!isMissing) throw diskError(error, path);
    const details = { path };
    throw new AppError('disk-denied', 'The catalogue cannot be created or opened.', {
      details,
      cause: error,
    });
  }
}

/**
 * [Note: WAL forgets FULL] In WAL mode this build of SQLite runs `synchronous=NORMAL`, which loses acknowledged rows in
 * a power cut. FULL must be set after the first statement, and is read back once everything else is done.
 */
function makeDurable(db: Database.Database): void {
  switchToWal(db);
  db.pragma('synchronous = FULL');
  db.pragma('fullfsync = ON');
  db.pragma('journal_size_limit = 67108864');
  // A project list changes most pages of many indexes repeatedly. With a larger cache, SQLite writes them less often.
  db.pragma('cache_size = -16000');
  // A first list of ten thousand projects is then stored without a checkpoint in between.
  db.pragma('wal_autocheckpoint = 8000');
  // The rollback data of a statement with triggers, a few pages for each row of a list, would otherwise go to a file.
  db.pragma('temp_store = MEMORY');
}

/** SQLite does not wait when several processes switch a new file at once: the losers wait for its lock. */
function switchToWal(db: Database.Database): void {
  for (let triesLeft = 5; ; triesLeft--) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || triesLeft === 0) throw error;
      db.transaction(() => undefined).immediate();
    }
  }
}

function assertDurable(db: Database.Database): void {
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
  const mode = db.pragma('journal_mode', { simple: true });
  const synchronous = numberPragma(db, 'synchronous');
  if (mode !== 'wal' || synchronous !== 2 || numberPragma(db, 'foreign_keys') !== 1) {
    throw new AppError('internal', `SQLite did not keep its settings (${String(mode)}, ${synchronous}).`);
  }
}

function numberPragma(db: Database.Database, name: string): number {
  return Number(db.pragma(name, { simple: true }));
}
