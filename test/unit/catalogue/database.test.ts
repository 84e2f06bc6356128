import { closeSync, openSync, readFileSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { copiesOf } from '../../../src-main/catalogue/recovery/catalogue-copies.ts';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { JobSearch } from '../../../src-main/catalogue/runs/job-search.ts';
import { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import { schema } from '../../../src-main/catalogue/schema/schema.ts';
import { queuedJob } from '../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const clock = new SteppedClock();
let folder: string;
let path: string;
const open = () => openCatalogue({ path, clock });

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'catalogue.sqlite');
});

test('an open catalogue is durable, checks references and trusts no schema', () => {
  const catalogue = open();
  expect(catalogue.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
  expect(catalogue.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
  expect(catalogue.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 });
  expect(catalogue.get('PRAGMA trusted_schema')).toEqual({ trusted_schema: 0 });
  expect(catalogue.get('PRAGMA cell_size_check')).toEqual({ cell_size_check: 1 });
  catalogue.run("INSERT INTO lease VALUES (1, 'boot', 'host', 1, '', 0)");
  expect(catalogue.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
  catalogue.close();
});

test('a non-durable transaction does not wait for the disk, and later writes do, even if the transaction failed', () => {
  const catalogue = open();
  const during = catalogue.nonDurableTransaction(() => catalogue.get('PRAGMA synchronous'));
  expect(during).toEqual({ synchronous: 1 });
  expect(catalogue.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
  const failing = (): void => {
    catalogue.nonDurableTransaction(() => {
      catalogue.run("INSERT INTO lease VALUES (1, 'boot', 'host', 1, '', 0)");
      throw new Error('it broke');
    });
  };
  expect(failing).toThrow('it broke');
  expect(catalogue.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
  expect(catalogue.all('SELECT * FROM lease')).toEqual([]);
  catalogue.close();
});

test('every table is strict', () => {
  const catalogue = open();
  const loose = catalogue.all(
    "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite%'",
  );
  catalogue.close();
  expect(loose).toEqual([]);
});

test.skipIf(process.platform === 'win32')('no other user can read the catalogue or its journal', () => {
  const catalogue = open();
  queuedJob(new JobStore(catalogue));
  for (const name of readdirSync(folder)) {
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  expect(readdirSync(folder)).toHaveLength(3);
  catalogue.close();
});

test('a stored job is read back when the catalogue is opened again', () => {
  const first = open();
  const job = queuedJob(new JobStore(first));
  first.close();
  const second = open();
  expect(new JobStore(second).get(job.id)).toEqual(job);
  second.close();
});

test('a transaction that throws stores nothing', () => {
  const catalogue = open();
  const jobs = new JobStore(catalogue);
  expect(() =>
    catalogue.transaction(() => {
      queuedJob(jobs);
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(jobs.openJobs()).toEqual([]);
  catalogue.close();
});

test('a catalogue of a newer program is refused and stays unchanged', () => {
  open().close();
  const newer = new Database(path);
  newer.pragma('user_version = 999');
  newer.close();
  const before = readFileSync(path);
  expect(open).toThrow(expect.objectContaining({ code: 'catalogue-newer' }));
  expect(readFileSync(path)).toEqual(before);
});

test("another program's database is refused and stays unchanged", () => {
  const foreign = new Database(path);
  foreign.exec('CREATE TABLE cookies (value TEXT)');
  foreign.close();
  const before = readFileSync(path);
  expect(open).toThrow(expect.objectContaining({ code: 'catalogue-foreign' }));
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(folder)).toEqual(['catalogue.sqlite']);
});

test('a catalogue that another process creates meanwhile is not mistaken for the file of another program', () => {
  const other = new Database(path, { timeout: 0 });
  const create = other.transaction(() => {
    other.exec(schema.tables);
    other.pragma('application_id = 0x506b4872');
    other.pragma(`user_version = ${schema.version}`);
  });
  const outcomes: unknown[] = [];
  const pragma = Reflect.get(Database.prototype, 'pragma');
  const spy = vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (
    this: Database.Database,
    ...parameters
  ) {
    const result: unknown = pragma.apply(this, parameters);
    if (parameters[0] === 'application_id' && outcomes.length === 0) {
      try {
        outcomes.push('trying');
        create();
        outcomes.push('committed');
      } catch (error) {
        outcomes.push(error);
      }
    }
    return result;
  });
  onTestFinished(() => {
    spy.mockRestore();
    other.close();
  });
  const catalogue = open();
  expect(new JobStore(catalogue).openJobs()).toEqual([]);
  catalogue.close();
  // The reader blocks the other process while it reads.
  expect(outcomes).toEqual(['trying', expect.objectContaining({ code: 'SQLITE_BUSY' })]);
});

test('a file that is no database is reported as a damaged catalogue', () => {
  writeFileSync(path, 'this is a text file, and a rather long one at that\n'.repeat(50));
  expect(open).toThrow(expect.objectContaining({ code: 'catalogue-damaged' }));
});

test('a page of garbage anywhere is detected when the catalogue is opened or read, and no row of it is returned', () => {
  const catalogue = open();
  const jobs = new JobStore(catalogue);
  for (let number = 0; number < 300; number++) queuedJob(jobs, `group/project-${number}`);
  const expected = JSON.stringify(new JobSearch(catalogue).find({ limit: 500 }));
  catalogue.close();
  const sound = readFileSync(path);
  const pages = sound.length / 4096;
  let detected = 0;
  for (let page = 0; page < pages; page++) {
    writeFileSync(path, sound);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
    closeSync(file);
    try {
      const damaged = open();
      try {
        expect(JSON.stringify(new JobSearch(damaged).find({ limit: 500 }))).toBe(expected);
      } finally {
        damaged.close();
      }
    } catch (error) {
      expect(error).toMatchObject({ code: 'catalogue-damaged' });
      detected++;
    }
  }
  expect(detected).toBe(pages);
});

test('a missing folder is reported as denied access to the disk', () => {
  path = join(folder, 'missing', 'catalogue.sqlite');
  expect(open).toThrow(expect.objectContaining({ code: 'disk-denied' }));
});

test('a catalogue that another process has locked is reported as busy', () => {
  open().close();
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  const catalogue = open();
  catalogue.all('PRAGMA busy_timeout = 10');
  expect(() => queuedJob(new JobStore(catalogue))).toThrow(
    expect.objectContaining({ code: 'catalogue-busy', retry: 'later' }),
  );
  other.exec('ROLLBACK');
  other.close();
  catalogue.close();
});

test('a full disk is reported, loses only the change that failed, and has no effect once there is room again', () => {
  const catalogue = open();
  const jobs = new JobStore(catalogue);
  catalogue.get('PRAGMA max_page_count = 1');
  const enqueueMany = () => {
    for (let number = 0; number < 500; number++) queuedJob(jobs, `group/project-${number}`);
  };
  expect(enqueueMany).toThrow(expect.objectContaining({ code: 'disk-full', retry: 'later' }));
  const search = new JobSearch(catalogue);
  const stored = search.find({ limit: 500 });
  expect(jobs.events({ limit: 1000 })).toHaveLength(stored.length);
  catalogue.get('PRAGMA max_page_count = 100000');
  enqueueMany();
  expect(search.find({ limit: 1000 })).toHaveLength(500);
  catalogue.close();
});

test('a write to a read-only catalogue is reported as denied access to the disk', () => {
  const catalogue = open();
  catalogue.run('PRAGMA query_only = ON');
  expect(() => queuedJob(new JobStore(catalogue))).toThrow(expect.objectContaining({ code: 'disk-denied' }));
  catalogue.close();
});

test('copies are listed newest first, without unfinished ones', () => {
  for (const name of [
    'copy-20260101T000000000Z',
    'copy-20260301T000000000Z',
    'copy-20260401T000000000Z.part',
  ]) {
    writeFileSync(`${path}.${name}`, '');
  }
  expect(copiesOf(path)).toEqual([`${path}.copy-20260301T000000000Z`, `${path}.copy-20260101T000000000Z`]);
});
