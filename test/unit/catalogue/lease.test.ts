import { beforeEach, expect, test } from 'vitest';
import type { Catalogue } from '../../../src-main/catalogue/database.ts';
import { Lease } from '../../../src-main/catalogue/lease.ts';
import type { ProcessIdentity } from '../../../src-main/platform/process-identity.ts';
import { catalogueForTest } from '../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const first: ProcessIdentity = { bootId: 'boot', host: 'here', pid: 100, startedAt: '5' };
const second = { ...first, pid: 200 };
const elsewhere = { ...first, bootId: 'other', host: 'there' };

let catalogue: Catalogue;
let clock: SteppedClock;
beforeEach(() => {
  catalogue = catalogueForTest();
  clock = new SteppedClock();
});

/** `alive` is the operating system's answer about the holder. */
const leaseOf = (self: ProcessIdentity, alive: boolean | null = true) =>
  new Lease(catalogue, clock, self, () => alive);

test('one process holds the lease; another gets it after it was released', () => {
  const [ours, theirs] = [leaseOf(first), leaseOf(second)];
  expect([ours.acquire(), theirs.acquire(), ours.acquire()]).toEqual([true, false, true]);
  theirs.release();
  expect(ours.holder()).toEqual({ ...first, heartbeatAt: clock.now() });
  ours.release();
  expect([ours.holder(), ours.renew(), theirs.acquire(), ours.acquire()]).toEqual([null, false, true, false]);
});

test('the lease counts as held for every process until its holder is dead or releases it', () => {
  const [ours, theirs] = [leaseOf(first), leaseOf(second)];
  expect(theirs.isHeld()).toBe(false);
  ours.acquire();
  expect([ours.isHeld(), theirs.isHeld(), leaseOf(second, false).isHeld()]).toEqual([true, true, false]);
  ours.release();
  expect([ours.isHeld(), theirs.isHeld()]).toEqual([false, false]);
});

test('a dead holder of the same boot is replaced at once, and cannot renew the lease if it resumes', () => {
  const lease = leaseOf(first);
  lease.acquire();
  expect(leaseOf(second, false).acquire()).toBe(true);
  expect(lease.renew()).toBe(false);
});

test('a living holder of the same boot keeps the lease however long it sent no heartbeat', async () => {
  leaseOf(first).acquire();
  await clock.advance(3_600_000);
  expect(leaseOf(second, true).acquire()).toBe(false);
});

test.for([
  ['on another boot', elsewhere, false],
  ['that the operating system cannot distinguish from another process', second, null],
] as const)('a holder %s is judged by its heartbeat', async ([, other, alive]) => {
  const holder = leaseOf(first);
  const rival = leaseOf(other, alive);
  holder.acquire();
  await clock.advance(30_000);
  expect(rival.acquire()).toBe(false);
  expect(holder.renew()).toBe(true);
  await clock.advance(30_000);
  expect(rival.acquire()).toBe(false);
  await clock.advance(1);
  expect(rival.acquire()).toBe(true);
});

test('a heartbeat from before the clock was set back does not hold the lease forever', () => {
  leaseOf(first).acquire();
  clock.jump(-3_600_000);
  expect(leaseOf(elsewhere).acquire()).toBe(true);
});

test('a process with the same process id but another start time is another process', () => {
  leaseOf(first).acquire();
  const reborn = leaseOf({ ...first, startedAt: '6' }, true);
  expect([reborn.acquire(), reborn.renew()]).toEqual([false, false]);
});
