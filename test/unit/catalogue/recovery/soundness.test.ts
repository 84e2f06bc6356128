import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ArchiveIndex } from '../../../../src-main/catalogue/archives/archive-index.ts';
import { copiesOf } from '../../../../src-main/catalogue/recovery/catalogue-copies.ts';
import { openCatalogue, type Catalogue } from '../../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { openOrRecoverCatalogue } from '../../../../src-main/catalogue/recovery/recovery.ts';
import { IntegrityCheck } from '../../../../src-main/catalogue/recovery/integrity-check.ts';
import { manifestFor, newArchive } from '../../../support/catalogue/catalogue-rows.ts';
import { queuedJob } from '../../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const roots = { pathOf: () => '/store', isAbsent: () => false };
const hourMs = 3_600_000;
const damaged = expect.objectContaining({ code: 'catalogue-damaged' }) as unknown;

let clock: SteppedClock;
let path: string;
const open = (): Catalogue => openCatalogue({ path, clock });

/** Creates a catalogue with rows that was just copied, checked and closed. */
beforeEach(() => {
  clock = new SteppedClock();
  path = join(temporaryFolder(), 'catalogue.sqlite');
  const created = open();
  const jobs = new JobStore(created);
  created.transaction(() => {
    for (let number = 0; number < 300; number++) queuedJob(jobs, `group/project-${number}`);
  });
  created.close();
  open().close();
});

/** Returns the checks of the whole catalogue that `work` runs. */
function checksIn(work: () => void): string[] {
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  try {
    work();
    return prepare.mock.calls.flatMap(([sql]) => /^PRAGMA (\w+_check)\(1\)$/.exec(sql)?.[1] ?? []);
  } finally {
    prepare.mockRestore();
  }
}

const checksAtOpening = (): string[] =>
  checksIn(() => {
    open().close();
  });

/** Seconds since 1970, without fractions, which cannot be restored exactly. */
const time = 1_790_000_000;

/** Sets the catalogue's times to `time`, the time of its last change, before it is closed. */
function closeWithTime(): void {
  utimesSync(path, time, time);
  open().close();
  expect(statSync(path).mtimeMs).toBe(time * 1000);
}

/** Overwrites the end of the file, which contains rows and no schema; returns a function that restores it. */
function spoil(): () => void {
  const sound = readFileSync(path);
  const start = sound.length - 10 * 4096;
  const write = (bytes: Buffer): void => {
    const file = openSync(path, 'r+');
    writeSync(file, bytes, 0, bytes.length, start);
    closeSync(file);
  };
  write(Buffer.alloc(sound.length - start, 0xa5));
  return () => {
    write(sound.subarray(start));
  };
}

/**
 * Runs `sql` while the catalogue does not know its index of that name. The index then lacks the rows of the statement.
 */
function loseFromIndex(index: string, sql: string): void {
  const change = (statement: (db: Database.Database) => void): void => {
    const db = new Database(path);
    db.unsafeMode();
    db.pragma('writable_schema = ON');
    statement(db);
    db.close();
  };
  const known = "SELECT * FROM sqlite_schema WHERE type = 'index' AND name = ?";
  let row: unknown;
  change((db) => {
    row = db.prepare(known).get(index);
    db.prepare("DELETE FROM sqlite_schema WHERE type = 'index' AND name = ?").run(index);
  });
  change((db) => db.exec(sql));
  change((db) =>
    db.prepare('INSERT INTO sqlite_schema VALUES (@type, @name, @tbl_name, @rootpage, @sql)').run(row),
  );
}

const readAll = (catalogue: Catalogue) => () => new JobStore(catalogue).events({ limit: 1000 });

describe('a catalogue that is opened', () => {
  test('is not checked if it was closed each time, is unmodified, and was checked within the last day', async () => {
    for (let opening = 0; opening < 5; opening++) {
      expect(checksAtOpening()).toEqual([]);
      await clock.advance(hourMs);
    }
  });

  test('is checked if another program changed and closed it without recording that', () => {
    const other = new Database(path);
    other.exec("INSERT INTO lease VALUES (1, 'boot', 'host', 1, '', 0)");
    other.close();
    expect(checksAtOpening()).toEqual(['quick_check']);
    expect(checksAtOpening()).toEqual([]);
  });

  test.for<[string, () => void]>([
    [
      'if it was last checked a day ago, however new its copy seems',
      () => {
        renameSync(copiesOf(path)[0] ?? '', `${path}.copy-29991231T000000000Z`);
        clock.jump(24 * hourMs);
      },
    ],
    [
      'if its last check is in the future, because the clock was set back',
      () => {
        clock.jump(-24 * hourMs);
      },
    ],
    [
      'if it was replaced by a file with the same bytes and the same time',
      () => {
        closeWithTime();
        copyFileSync(path, `${path}.other`);
        utimesSync(`${path}.other`, time, time);
        renameSync(`${path}.other`, path);
      },
    ],
    [
      'if its bytes were overwritten in place and its time was restored',
      () => {
        closeWithTime();
        const bytes = readFileSync(path);
        const file = openSync(path, 'r+');
        writeSync(file, bytes);
        closeSync(file);
        utimesSync(path, time, time);
      },
    ],
    [
      'if no copy is left, because only a checked catalogue is copied',
      () => {
        for (const copy of copiesOf(path)) rmSync(copy);
      },
    ],
    [
      'if another process has it open, or ended without closing it',
      () => {
        const other = open();
        open().close();
        queuedJob(new JobStore(other));
        onTestFinished(() => {
          other.close();
        });
      },
    ],
    [
      'if no file states when it was checked',
      () => {
        rmSync(`${path}.checked`);
      },
    ],
    [
      'if the file that states when it was checked is unreadable',
      () => {
        writeFileSync(`${path}.checked`, 'yesterday\n');
      },
    ],
  ])('is checked %s', ([_what, change]) => {
    change();
    expect(checksAtOpening()).toEqual(['quick_check']);
  });
});

test.for([
  ['SQLITE_CORRUPT', ['integrity_check']],
  ['SQLITE_CORRUPT_INDEX', ['integrity_check']],
  ['SQLITE_NOTADB', ['integrity_check']],
  ['SQLITE_IOERR_FSYNC', ['integrity_check']],
  ['SQLITE_FULL', []],
  ['SQLITE_BUSY', []],
  ['SQLITE_CONSTRAINT_UNIQUE', []],
] as const)('after %s the next opening runs these checks: %o', ([code, checks]) => {
  new IntegrityCheck(path, clock.now()).recordError(new Database.SqliteError('for a test', code));
  expect(checksAtOpening()).toEqual(checks);
});

describe('damage that a running program finds', () => {
  test('makes the next opening check the catalogue, find the damage and recover', async () => {
    const running = open();
    spoil();
    expect(readAll(running)).toThrow(damaged);
    running.close();
    expect(open).toThrow(damaged);
    const { catalogue, recovery } = await openOrRecoverCatalogue({ path, clock });
    expect(recovery?.restoredFrom).toBe(copiesOf(path)[0]);
    expect(readAll(catalogue)()).toHaveLength(300);
    catalogue.close();
    expect(existsSync(`${path}.suspect`)).toBe(false);
    expect(checksAtOpening()).toEqual([]);
  });

  test('is not forgotten if another process that found none closes the catalogue last', () => {
    const [running, other] = [open(), open()];
    other.get('SELECT count(*) FROM lease');
    spoil();
    expect(readAll(running)).toThrow(damaged);
    running.close();
    other.close();
    expect(existsSync(`${path}.checked`)).toBe(true);
    expect(open).toThrow(damaged);
  });

  test('or that an opening finds is not forgotten if another process closes the catalogue last', () => {
    const other = open();
    spoil();
    expect(open).toThrow(damaged);
    other.close();
    expect(open).toThrow(damaged);
  });

  test('is not forgotten if it cannot be recorded on the disk', () => {
    const running = open();
    spoil();
    const suspectPath = `${path}.suspect`;
    mkdirSync(suspectPath);
    expect(readAll(running)).toThrow(damaged);
    running.close();
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.part'))).toEqual([]);
    rmSync(suspectPath, { recursive: true });
    expect(open).toThrow(damaged);
  });

  test('makes the next check more thorough than it is otherwise', () => {
    const archive = newArchive(1);
    const before = open();
    const { id } = new ArchiveIndex(before, roots).insert(archive, manifestFor(archive));
    before.close();
    loseFromIndex('archives_by_sha256', `UPDATE archives SET sha256 = 'ffff' WHERE id = '${id}'`);
    const running = open();
    expect(() => {
      new ArchiveIndex(running, roots).remove(id);
    }).toThrow(damaged);
    running.close();
    expect(open).toThrow(damaged);
  });

  test('but that is repaired before the next opening costs only one check', () => {
    const running = open();
    const putRight = spoil();
    expect(readAll(running)).toThrow(damaged);
    putRight();
    running.close();
    expect(checksAtOpening()).toEqual(['integrity_check']);
    expect(existsSync(`${path}.suspect`)).toBe(false);
    expect(checksAtOpening()).toEqual([]);
  });

  test('during the check of another opening is left to the next opening', () => {
    writeFileSync(`${path}.suspect`, 'met before');
    const prepare = Reflect.get(Database.prototype, 'prepare');
    const spy = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (
      this: Database.Database,
      sql: string,
    ) {
      if (sql.includes('integrity_check')) writeFileSync(`${path}.suspect`, 'met meanwhile');
      return prepare.call(this, sql);
    });
    open().close();
    spy.mockRestore();
    expect(readFileSync(`${path}.suspect`, 'utf8')).toBe('met meanwhile');
    expect(checksAtOpening()).toEqual(['integrity_check']);
  });
});
