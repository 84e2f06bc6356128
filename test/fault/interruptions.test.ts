/**
 * @file A backup that is ended at each of its points, by each way to end it: every call of the disk, every commit to
 * the catalogue, every request to the instance. Then the backup is started again.
 *
 * Slow, because each point and each way to end it needs a backup, with the whole product opened twice.
 */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../support/faults/archive-disk.ts';
import {
  InterruptedBackups,
  type Aftermath,
  type Death,
  type Point,
} from '../support/faults/interrupted-backup.ts';
import { cuts } from '../support/faults/power-cut-disk.ts';

/**
 * Asserts the rules for stored archives after any interruption. `storedTruth` has checked manifest, row and hash
 * before.
 */
function expectWhole({ truth, damages, acknowledged, jobs }: Aftermath, told: string): void {
  expect(truth.archives, told).toEqual(expect.arrayContaining(acknowledged));
  const makers = truth.manifests.map(({ jobId }) => jobId);
  expect(new Set(makers).size, `${told}: a job stored two archives`).toBe(makers.length);
  expect(makers, told).toContain(jobs.at(-1)?.id);
  expect(jobs.at(-1)?.state.status, told).toBe('succeeded');
  expect(truth.parts, told).toEqual([]);
  expect(damages, told).toEqual(damages.map(() => null));
}

/**
 * Asserts the rules if nothing but the end of the program went wrong: one job did everything, with one request for an
 * export.
 */
function expectOnce(after: Aftermath, told: string): void {
  expectWhole(after, told);
  expect(after.jobs, told).toHaveLength(1);
  expect(after.truth.archives, told).toHaveLength(2);
  expect(after.damages, told).toHaveLength(1);
  expect(after.posts, told).toEqual([202]);
}

async function interruptAll(backups: InterruptedBackups, points: Point[], deaths: readonly Death[]) {
  for (const [at, point] of points.entries()) {
    for (const [which, death] of deaths.entries()) {
      const told = `${death} ${point.label}, time ${point.nth}`;
      const after = await backups.interrupt(point, death, at * deaths.length + which);
      expectOnce(after, told);
    }
  }
}

describe('a backup that is ended', () => {
  it('by a kill at any point goes on, asks for one export and stores one whole archive', async () => {
    const backups = await InterruptedBackups.open();
    const points = await backups.points();
    // Seven steps, each started, stored and finished; some twenty calls of the disk.
    expect(points.length).toBeGreaterThan(50);
    await interruptAll(backups, points, ['kill']);
  });

  it('by a power cut at any point, whatever of the unflushed stays, goes on in the same way', async () => {
    const backups = await InterruptedBackups.open();
    // At other points a power cut leaves the same state as a kill.
    const points = (await backups.points()).filter(({ isAtRisk }) => isAtRisk);
    expect(points.length).toBeGreaterThan(15);
    await interruptAll(backups, points, cuts);
  });
});

describe('a backup whose disk fails', () => {
  const codes: Partial<Record<Fault, string>> = { ENOSPC: 'disk-full', EIO: 'disk-failed' };

  it('at any call ends with that and flushes nothing again; the next one stores a whole archive', async () => {
    const backups = await InterruptedBackups.open();
    const whole = await backups.fail(null, 0);
    for (const [at, call] of (whole?.calls ?? []).entries()) {
      for (const fault of ['ENOSPC', 'EIO'] as const) {
        const told = `${fault} at ${call} (${at})`;
        const failed = await backups.fail(fault, at);
        expect(failed?.calls[at], told).toBe(call);
        const { after, calls } = failed as NonNullable<typeof failed>;
        expectWhole(after, told);
        expect(
          after.jobs.map(({ state }) => state),
          told,
        ).toMatchObject([{ status: 'failed', error: { code: codes[fault] } }, { status: 'succeeded' }]);
        // The first export had its file when the disk failed: one request each, and none while another export was
        // running.
        expect(after.posts, told).toEqual([202, 202]);
        const [name, file] = call.split(' ');
        const later = calls.slice(at + 1);
        if (name === 'flush') expect(later, told).not.toContain(call);
        if (name === 'flush') expect(later, told).not.toContain(`rename ${file?.replace(/\.part$/, '')}`);
      }
    }
    expect(whole?.calls.length).toBeGreaterThan(20);
  });

  it('that takes half of the bytes at a time gets all of them', async () => {
    const backups = await InterruptedBackups.open();
    const whole = await backups.fail(null, 0);
    const writes = (whole?.calls ?? []).flatMap((call, at) => (call.startsWith('write ') ? [at] : []));
    expect(writes).toHaveLength(3);
    for (const at of writes) {
      const short = await backups.fail('short write', at);
      expectOnce((short as NonNullable<typeof short>).after, `a short write at ${at}`);
      expect(short?.calls).toHaveLength((whole?.calls.length ?? 0) + 1);
    }
  });
});
