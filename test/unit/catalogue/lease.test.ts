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

/** `alive`: the operating system's answer about the holder. */
const leaseOf = (self: ProcessIdentity, alive: boolean | null = true) =>
  new Lease(catalogue, clock, self, () => alive);

test('one process holds the lease; another gets it after it was released', () => {
  const [one, two] = [leaseOf(first), leaseOf(second)];
  expect([one.acquire(), two.acquire(), one.acquire()]).toEqual([true, false, true]);
  two.release();
  expect(one.holder()).toEqual({ ...first, heartbeatAt: clock.now() });
  one.release();
  expect([one.holder(), one.renew(), two.acquire(), one.acquire()]).toEqual([null, false, true, false]);
});

test('it counts as held by whoever has it, and by nobody once that one is dead or gave it up', () => {
  const [one, two] = [leaseOf(first), leaseOf(second)];
  expect(two.isHeld()).toBe(false);
  one.acquire();
  expect([one.isHeld(), two.isHeld(), leaseOf(second, false).isHeld()]).toEqual([true, true, false]);
  one.release();
  expect([one.isHeld(), two.isHeld()]).toEqual([false, false]);
});

test('a dead holder of the same boot is replaced at once, and learns it should it wake', () => {
  const one = leaseOf(first);
  one.acquire();
  expect(leaseOf(second, false).acquire()).toBe(true);
  expect(one.renew()).toBe(false);
});

test('a living holder of the same boot keeps the lease however long it was silent', async () => {
  leaseOf(first).acquire();
  await clock.advance(3_600_000);
  expect(leaseOf(second, true).acquire()).toBe(false);
});

test.for([
  ['on another boot', elsewhere, false],
  ['that the operating system cannot tell from another', second, null],
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

test('the same process id after a restart of that process is another process', () => {
  leaseOf(first).acquire();
  const reborn = leaseOf({ ...first, startedAt: '6' }, true);
  expect([reborn.acquire(), reborn.renew()]).toEqual([false, false]);
});
