import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { withFileLock } from '../../../src-main/platform/file-lock.ts';
import { ownIdentity } from '../../../src-main/platform/process-identity.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { folderOnDisk } from '../../support/temporary-folder.ts';

let folder: string;
let lock: string;
let clock: SteppedClock;
beforeEach(() => {
  folder = folderOnDisk();
  lock = join(folder, 'lock');
  clock = new SteppedClock();
});

const lockedBy = (owner: object) => {
  writeFileSync(lock, JSON.stringify(owner));
};
const dead = () => ({ ...ownIdentity(), startedAt: 'before the flood' });

test('the lock exists while the work runs, and is deleted when the work has ended or failed', async () => {
  expect(await withFileLock(lock, clock, () => Promise.resolve(readdirSync(folder)))).toEqual(['lock']);
  await expect(withFileLock(lock, clock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('calls in one process run one after the other', async () => {
  let running = 0;
  const work = async () => {
    running += 1;
    await clock.sleep(5);
    return running--;
  };
  const all = Promise.all(Array.from({ length: 5 }, () => withFileLock(lock, clock, work)));
  expect(await clock.finish(all)).toEqual([1, 1, 1, 1, 1]);
});

test('the lock of a dead process is taken over at once, even if another process died during a takeover', async () => {
  lockedBy(dead());
  writeFileSync(`${lock}.takeover`, JSON.stringify(dead()));
  await withFileLock(lock, clock, () => undefined);
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of a living process is waited for without a time limit', async () => {
  lockedBy(ownIdentity());
  const done = withFileLock(lock, clock, () => 'done');
  await clock.advance(180_000);
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(ownIdentity());
  writeFileSync(lock, JSON.stringify(dead()));
  expect(await clock.finish(done)).toBe('done');
});

test.for([
  ['a lock from another boot', JSON.stringify({ ...ownIdentity(), bootId: 'another' })],
  ['a partly written lock', '{"bootId":'],
])('%s is waited for one minute at most', async ([, text]) => {
  writeFileSync(lock, text ?? '');
  const done = withFileLock(lock, clock, () => 'done');
  await clock.advance(59_000);
  expect(readFileSync(lock, 'utf8')).toBe(text);
  expect(await clock.finish(done, 2_000)).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock whose owner was killed before writing it is waited for briefly', async () => {
  writeFileSync(lock, '');
  writeFileSync(`${lock}.takeover`, '');
  const done = withFileLock(lock, clock, () => 'done');
  await clock.advance(400);
  expect(readdirSync(folder)).toEqual(['lock', 'lock.takeover']);
  expect(await clock.finish(done, 1_000)).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

test('the wait starts again with every new owner', async () => {
  const done = withFileLock(lock, clock, () => 'done');
  await expect(done).resolves.toBe('done');
  lockedBy({ ...ownIdentity(), bootId: 'another' });
  const waiting = withFileLock(lock, clock, () => 'done');
  await clock.advance(50_000);
  lockedBy({ ...ownIdentity(), bootId: 'a third' });
  await clock.advance(50_000);
  expect(existsSync(lock)).toBe(true);
  expect(await clock.finish(waiting)).toBe('done');
});

test('a lock that another owner has taken over meanwhile is not deleted', async () => {
  await withFileLock(lock, clock, () => {
    lockedBy({ ...ownIdentity(), nonce: 'of the other' });
  });
  expect(readFileSync(lock, 'utf8')).toContain('of the other');
});

test('a lock that cannot be created is reported as a disk error', async () => {
  await expect(withFileLock(join(folder, 'no', 'lock'), clock, () => undefined)).rejects.toMatchObject({
    code: 'disk-failed',
    details: { errno: 'ENOENT' },
  });
});
