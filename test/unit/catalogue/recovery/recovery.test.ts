import {
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { copiesOf, moveDamagedCatalogue } from '../../../../src-main/catalogue/recovery/catalogue-copies.ts';
import { openCatalogue } from '../../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import {
  endRecovery,
  markRecovery,
  openOrRecoverCatalogue,
} from '../../../../src-main/catalogue/recovery/recovery.ts';
import { withFileLock } from '../../../../src-main/platform/file-lock.ts';
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import { queuedJob } from '../../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let clock: SteppedClock;
let path: string;
beforeEach(() => {
  clock = new SteppedClock();
  path = join(temporaryFolder(), 'catalogue.sqlite');
});

async function recovered() {
  const opened = await openOrRecoverCatalogue({ path, clock });
  onTestFinished(() => {
    opened.catalogue.close();
  });
  return { ...opened, jobs: new JobStore(opened.catalogue).openJobs() };
}

/** Creates a catalogue with one job per day, and therefore with copies that lack the newest jobs. */
async function daysOfWork(days: number): Promise<StoredJob[]> {
  const jobs: StoredJob[] = [];
  for (let day = 0; day < days; day++) {
    const catalogue = openCatalogue({ path, clock });
    jobs.push(queuedJob(new JobStore(catalogue), `group/project-${day}`));
    catalogue.close();
    await clock.advance(25 * 3_600_000);
  }
  return jobs;
}

const garbage = (file: string) => {
  writeFileSync(file, Buffer.alloc(statSync(file).size, 0xa5));
};

test('a sound catalogue is opened, and nothing is recovered', async () => {
  const jobs = await daysOfWork(1);
  expect(await recovered()).toMatchObject({ recovery: null, jobs });
});

test('a damaged catalogue is set aside unchanged, and its newest copy replaces it', async () => {
  const jobs = await daysOfWork(3);
  const [newest] = copiesOf(path);
  garbage(path);
  const damaged = readFileSync(path);
  const after = await recovered();
  expect(after.recovery?.restoredFrom).toBe(newest);
  expect(after.jobs).toEqual(jobs.slice(0, 2));
  expect(readFileSync(after.recovery?.setAsideAs ?? '')).toEqual(damaged);
});

test('a copy that is damaged, too, is skipped and kept', async () => {
  const jobs = await daysOfWork(3);
  const [newest = '', older] = copiesOf(path);
  garbage(path);
  garbage(newest);
  const after = await recovered();
  expect(after.recovery?.restoredFrom).toBe(older);
  expect(after.jobs).toEqual(jobs.slice(0, 1));
  expect(existsSync(newest)).toBe(true);
});

test('a copy that is too old to be opened is skipped, and stays unchanged', async () => {
  const jobs = await daysOfWork(3);
  const [newest = '', older] = copiesOf(path);
  const copy = new Database(newest);
  copy.pragma('user_version = 1');
  copy.close();
  const tooOld = readFileSync(newest);
  garbage(path);
  const after = await recovered();
  expect(after.recovery?.restoredFrom).toBe(older);
  expect(after.jobs).toEqual(jobs.slice(0, 1));
  expect(readFileSync(newest)).toEqual(tooOld);
});

test('a damaged catalogue without a copy is replaced by an empty one, and the loss is reported', async () => {
  await daysOfWork(1);
  garbage(path);
  expect(await recovered()).toMatchObject({ jobs: [], recovery: { restoredFrom: null } });
});

test('a missing or empty catalogue is restored from its newest copy, and is created if it has no copies', async () => {
  const first = await recovered();
  expect(first.recovery).toBeNull();
  first.catalogue.close();
  const jobs = await daysOfWork(2);
  const [newest] = copiesOf(path);
  for (const lose of [
    () => {
      rmSync(path);
    },
    () => {
      truncateSync(path);
    },
  ]) {
    for (const part of ['-wal', '-shm']) rmSync(path + part, { force: true });
    lose();
    const { recovery, jobs: known, catalogue } = await recovered();
    expect(known).toEqual(jobs.slice(0, 1));
    expect(recovery).toMatchObject({ restoredFrom: newest, givenUp: null });
    catalogue.close();
    endRecovery(path);
    for (const copy of copiesOf(path)) if (copy !== newest) rmSync(copy);
  }
});

test('every opening reports a recovery in progress with its state, until the recovery is ended', async () => {
  await daysOfWork(2);
  garbage(path);
  const { recovery, catalogue } = await recovered();
  catalogue.close();
  if (recovery === null) throw new Error('nothing was recovered');
  expect((await recovered()).recovery).toEqual(recovery);
  markRecovery(path, { ...recovery, givenUp: 3 });
  expect((await recovered()).recovery).toEqual({ ...recovery, givenUp: 3 });
  // An unreadable file must not be treated as if no recovery were needed.
  writeFileSync(`${path}.rescan-due`, '{');
  expect((await recovered()).recovery).toMatchObject({ givenUp: null });
  endRecovery(path);
  expect((await recovered()).recovery).toBeNull();
});

test.for([
  [999, 'catalogue-newer'],
  [1, 'catalogue-foreign'],
])('a catalogue of version %i is not recovered but refused, and stays unchanged', async ([version, code]) => {
  await daysOfWork(2);
  const other = new Database(path);
  other.pragma(`user_version = ${version}`);
  other.close();
  const before = readFileSync(path);
  await expect(openOrRecoverCatalogue({ path, clock })).rejects.toMatchObject({ code });
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(join(path, '..')).filter((name) => name.includes('.damaged-'))).toEqual([]);
});

test('two concurrent openings that find the damage recover the catalogue once', async () => {
  await daysOfWork(2);
  garbage(path);
  // Without the held lock, the first opening would have recovered the catalogue before the second one looks at it.
  const both = await withFileLock(`${path}.recovery`, clock, () => [recovered(), recovered()] as const);
  const [first, second] = await clock.finish(Promise.all(both));
  expect(first.recovery).toEqual(second.recovery);
  expect(readdirSync(join(path, '..')).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
});

test('a damaged catalogue is set aside with all its files, and never overwrites one that was set aside before', () => {
  const asides = ['first', 'second'].map((content) => {
    for (const part of ['', '-wal', '-shm']) writeFileSync(path + part, content + part);
    return moveDamagedCatalogue(path, Date.UTC(2026, 0, 2, 3, 4, 5));
  });
  expect(asides).toEqual([`${path}.damaged-20260102T030405000Z`, `${path}.damaged-20260102T030405001Z`]);
  for (const [index, content] of ['first', 'second'].entries()) {
    for (const part of ['', '-wal', '-shm']) {
      expect(readFileSync(`${asides[index] ?? ''}${part}`, 'utf8')).toBe(content + part);
    }
  }
  expect(existsSync(path)).toBe(false);
});
