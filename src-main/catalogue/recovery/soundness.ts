/**
 * @file Whether a catalogue must be read from end to end before it is used, which takes most of the time to open a large
 * one, and the two small files beside it that remember this.
 *
 * [Note: checked unless known sound] The check is left out only when all of this holds: the last process that had the
 * catalogue open closed it, after which nobody touched the file (`.checked` has its size, times and inode; a journal means
 * that it was not closed); it was checked less than a day ago; and no process has met damage since. An error that speaks of
 * damage is written down at once (`.suspect`), in a file that only a check which found nothing takes away: so it outlives
 * the process that met it, and another process that closes the catalogue after it. That check also compares every index
 * with its table. Whatever cannot be read or written here leads to a check, never past one.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../../src-contract/errors.ts';
import { replaceFileSync } from '../../platform/disk/durable-file.ts';

/** A disk that failed may have lost what SQLite believes written. */
const speaksOfDamage = /^SQLITE_(CORRUPT|NOTADB|IOERR)/;

/** What is known of one catalogue's file, from before it is opened until it is closed. */
export class Soundness {
  readonly #path: string;
  /** Epoch milliseconds; null: a check is due. */
  #checkedAt: number | null;
  #suspicion: string | null;

  /** Must be made before anything touches the file, which is then taken for touched by others. */
  constructor(path: string, now: number) {
    this.#path = path;
    this.#suspicion = textOf(this.#suspect);
    const checkedAt = this.#suspicion === null ? closedSince(path) : null;
    this.#checkedAt = checkedAt !== null && Math.abs(now - checkedAt) < dayMs ? checkedAt : null;
  }

  get checkIsDue(): boolean {
    return this.#checkedAt === null;
  }

  /** Throws `catalogue-damaged`, or what SQLite throws. */
  check(db: Database.Database, now: number): void {
    const check = this.#suspicion === null ? 'quick_check' : 'integrity_check';
    const answer = db.prepare(`PRAGMA ${check}(1)`).pluck().get();
    if (answer !== 'ok') {
      this.#distrust();
      throw new AppError('catalogue-damaged', `the catalogue is damaged: ${String(answer)}`);
    }
    this.isSound(now);
  }

  /** After a check, or of a file that was made just now. */
  isSound(now: number): void {
    this.#checkedAt = now;
    // One that another process wrote meanwhile stays.
    if (this.#suspicion !== null && textOf(this.#suspect) === this.#suspicion) {
      rmSync(this.#suspect, { force: true });
    }
  }

  /** Must be told of every error: the next opening checks when SQLite speaks of damage. */
  met(thrown: unknown): void {
    if (thrown instanceof Database.SqliteError && speaksOfDamage.test(thrown.code)) this.#distrust();
  }

  /** Must be told after the file was closed. */
  closed(): void {
    if (this.#checkedAt === null || isInUse(this.#path)) return;
    try {
      writeFileSync(`${this.#path}.checked`, record(this.#checkedAt, this.#path), { mode: 0o600 });
    } catch {
      // Then the next opening checks.
    }
  }

  get #suspect(): string {
    return `${this.#path}.suspect`;
  }

  #distrust(): void {
    this.#checkedAt = null;
    try {
      rmSync(`${this.#path}.checked`, { force: true });
      replaceFileSync(this.#suspect, randomUUID());
    } catch {
      // A full or failing disk: at least this process never calls the file sound.
    }
  }
}

/** When the file was last checked, if since then it was closed by the last who used it, and was not touched after that. */
function closedSince(path: string): number | null {
  try {
    const text = readFileSync(`${path}.checked`, 'utf8');
    const checkedAt = Number(text.split('\n')[0]);
    return !isInUse(path) && text === record(checkedAt, path) ? checkedAt : null;
  } catch {
    return null;
  }
}

/** By a process that runs, or by one that did not close it. The last to close the file deletes its journal. */
function isInUse(path: string): boolean {
  return existsSync(`${path}-wal`);
}

function record(checkedAt: number, path: string): string {
  const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true });
  return [checkedAt, size, mtimeNs, ctimeNs, ino, ''].join('\n');
}

/** Null when there is no such file. One that cannot be read is not nothing. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return existsSync(path) ? '' : null;
  }
}
