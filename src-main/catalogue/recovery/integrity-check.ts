/**
 * @file Decides whether a catalogue needs a full integrity check before use, which is slow for a large one. Two small
 * files store the result.
 *
 * [Note: checked unless known sound] The check is skipped only under all of these conditions. The last process that had
 * the catalogue open closed it, and nobody touched the file since (`.checked` has its size, times and inode; a journal
 * means that it was not closed). The last check is less than a day old. No process has seen damage since. An error that
 * indicates damage is written at once to a file (`.suspect`), which only a successful check removes. The file therefore
 * outlives the process that saw the error, and another process that closes the catalogue later. While it exists, the
 * check also compares every index with its table. If one of the files cannot be read or written, a check is made.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../../src-contract/errors.ts';
import { replaceFileSync } from '../../platform/disk/durable-file.ts';

/** A disk that failed may have lost data that SQLite believes written. */
const damageCodePattern = /^SQLITE_(CORRUPT|NOTADB|IOERR)/;

export class IntegrityCheck {
  readonly #path: string;
  /** Epoch milliseconds; null if a check is due. */
  #checkedAt: number | null;
  #suspicion: string | null;

  /** Create this before the process opens the file. Otherwise it takes its own changes for those of another process. */
  constructor(path: string, now: number) {
    this.#path = path;
    this.#suspicion = textOf(this.#suspectPath);
    const checkedAt = this.#suspicion === null ? readCheckedAt(path) : null;
    this.#checkedAt = checkedAt !== null && Math.abs(now - checkedAt) < dayMs ? checkedAt : null;
  }

  get isCheckDue(): boolean {
    return this.#checkedAt === null;
  }

  /** Throws `catalogue-damaged`, or the error of SQLite. */
  check(db: Database.Database, now: number): void {
    const check = this.#suspicion === null ? 'quick_check' : 'integrity_check';
    const answer = db.prepare(`PRAGMA ${check}(1)`).pluck().get();
    if (answer !== 'ok') {
      this.#markSuspect();
      throw new AppError('catalogue-damaged', `The catalogue is damaged: ${String(answer)}.`);
    }
    this.markSound(now);
  }

  /** Called after a check, or for a file that was just created. */
  markSound(now: number): void {
    this.#checkedAt = now;
    // A suspicion that another process wrote meanwhile stays.
    if (this.#suspicion !== null && textOf(this.#suspectPath) === this.#suspicion) {
      rmSync(this.#suspectPath, { force: true });
    }
  }

  /** Must be called with every error: if SQLite indicates damage, the next opening checks. */
  recordError(thrown: unknown): void {
    if (thrown instanceof Database.SqliteError && damageCodePattern.test(thrown.code)) this.#markSuspect();
  }

  recordClosed(): void {
    if (this.#checkedAt === null || isInUse(this.#path)) return;
    try {
      writeFileSync(`${this.#path}.checked`, checkedFileText(this.#checkedAt, this.#path), { mode: 0o600 });
    } catch {
      // Without the file, the next opening checks.
    }
  }

  get #suspectPath(): string {
    return `${this.#path}.suspect`;
  }

  #markSuspect(): void {
    this.#checkedAt = null;
    try {
      rmSync(`${this.#path}.checked`, { force: true });
      replaceFileSync(this.#suspectPath, randomUUID());
    } catch {
      // On a full or failing disk, this process at least never records the file as sound.
    }
  }
}

/** Returns when the file was last checked, if its last user closed it since and nobody touched it after that. */
function readCheckedAt(path: string): number | null {
  try {
    const text = readFileSync(`${path}.checked`, 'utf8');
    const checkedAt = Number(text.split('\n')[0]);
    return !isInUse(path) && text === checkedFileText(checkedAt, path) ? checkedAt : null;
  } catch {
    return null;
  }
}

/** Returns whether a process uses the file, or did not close it: closing deletes the journal. */
function isInUse(path: string): boolean {
  return existsSync(`${path}-wal`);
}

function checkedFileText(checkedAt: number, path: string): string {
  const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true });
  return [checkedAt, size, mtimeNs, ctimeNs, ino, ''].join('\n');
}

/** Returns null if there is no such file. An unreadable file is not a missing one. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return existsSync(path) ? '' : null;
  }
}
