/**
 * @file Copies of the catalogue in its folder, each written under a temporary name. Also renames a damaged catalogue.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { replaceFileSync } from '../../platform/disk/durable-file.ts';
import { isoTime } from '../../platform/clock.ts';

const maxCopies = 3;
const partSuffix = '.part';
/**
 * The files of a catalogue. The journal is moved first: SQLite would replay a remaining journal into another database.
 */
const fileSuffixes = ['-wal', '-shm', ''] as const;

/** Writes a consistent copy `<name>.copy-<time>` and drops all but the newest `maxCopies`. */
export function makeCopy(db: Database.Database, path: string, now: number): void {
  const copy = `${path}.copy-${stamp(now)}`;
  replaceFileSync(copy, (part) => {
    // SQLite accepts an empty file as the target, so the copy is never readable by others.
    writeFileSync(part, '', { mode: 0o600 });
    db.prepare('VACUUM INTO ?').run(part);
  });
  for (const old of copiesOf(path).slice(maxCopies)) rmSync(old, { force: true });
}

/** Returns whether the newest copy is older than a day, or there is none. */
export function isCopyDue(path: string, now: number): boolean {
  const [newest] = copiesOf(path);
  return newest === undefined || newest < `${path}.copy-${stamp(now - dayMs)}`;
}

/** Returns absolute paths of the copies of the catalogue at `path`, newest first. */
export function copiesOf(path: string): string[] {
  const prefix = `${basename(path)}.copy-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && !name.endsWith(partSuffix))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/** Moves a damaged catalogue with its journal to `<name>.damaged-<time>`. Returns that path; null if none existed. */
export function moveDamagedCatalogue(path: string, now: number): string | null {
  let time = now;
  while (existsSync(`${path}.damaged-${stamp(time)}`)) time += 1;
  const damagedPath = `${path}.damaged-${stamp(time)}`;
  for (const suffix of fileSuffixes) {
    if (existsSync(path + suffix)) renameSync(path + suffix, damagedPath + suffix);
  }
  return existsSync(damagedPath) ? damagedPath : null;
}

function stamp(now: number): string {
  return isoTime(now).replaceAll(/[-:.]/g, '');
}
