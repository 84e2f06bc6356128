/**
 * @file Interrupts a backup at each of its points and in each way, and starts it again. The points are every disk call,
 * every commit to the catalogue and every request to the instance.
 *
 * Slow, because each point and each way needs its own backup, which opens the whole product twice.
 */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../support/faults/archive-disk.ts';
import {
  InterruptedBackups,
  type Aftermath,
  type Interruption,
  type Point,
} from '../support/faults/interrupted-backup.ts';
import { cuts } from '../support/faults/power-cut-disk.ts';

/**
 * Asserts the rules for stored archives after any interruption. `storedTruth` has already checked manifest, row and
 * hash.
 */
function expectComplete({ truth, damages, acknowledged, jobs }: Aftermath, label: string): void {
  expect(truth.archives, label).toEqual(expect.arrayContaining(acknowledged));
  const jobIds = truth.manifests.map(({ jobId }) => jobId);
  expect(new Set(jobIds).size, `${label}: a job stored two archives`).toBe(jobIds.length);
  expect(jobIds, label).toContain(jobs.at(-1)?.id);
  expect(jobs.at(-1)?.state.status, label).toBe('succeeded');
  expect(truth.parts, label).toEqual([]);
  expect(damages, label).toEqual(damages.map(() => null));
}

/**
 * Asserts the rules after an interruption without any other fault: one job did everything, with one request for an
 * export.
 */
function expectOnce(after: Aftermath, label: string): void {
  expectComplete(after, label);
  expect(after.jobs, label).toHaveLength(1);
  expect(after.truth.archives, label).toHaveLength(2);
  expect(after.damages, label).toHaveLength(1);
  expect(after.exportStatuses, label).toEqual([202]);
}

async function interruptAll(backups: InterruptedBackups, points: Point[], deaths: readonly Interruption[]) {
  for (const [at, point] of points.entries()) {
    for (const [deathIndex, death] of deaths.entries()) {
      const label = `${death} ${point.label}, time ${point.nth}`;
      const after = await backups.interrupt(point, death, at * deaths.length + deathIndex);
      expectOnce(after, label);
    }
  }
}

describe('a backup that is interrupted', () => {
  it('by a kill at any point resumes, requests one export and stores one complete archive', async () => {
    const backups = await InterruptedBackups.open();
    const points = await backups.points();
    // Seven steps, each started, stored and finished, and some twenty disk calls.
    expect(points.length).toBeGreaterThan(50);
    await interruptAll(backups, points, ['kill']);
  });

  it('by a power cut at any point resumes in the same way, whatever part of the unflushed data is kept', async () => {
    const backups = await InterruptedBackups.open();
    // At other points a power cut leaves the same state as a kill.
    const points = (await backups.points()).filter(({ isAtRisk }) => isAtRisk);
    expect(points.length).toBeGreaterThan(15);
    await interruptAll(backups, points, cuts);
  });
});

describe('a backup whose disk fails', () => {
  const codes: Partial<Record<Fault, string>> = { ENOSPC: 'disk-full', EIO: 'disk-failed' };

  it('at any call fails with the matching error and repeats no failed flush; the next backup stores a complete archive', async () => {
    const backups = await InterruptedBackups.open();
    const baseline = await backups.fail(null, 0);
    for (const [at, call] of (baseline?.calls ?? []).entries()) {
      for (const fault of ['ENOSPC', 'EIO'] as const) {
        const label = `${fault} at ${call} (${at})`;
        const failed = await backups.fail(fault, at);
        expect(failed?.calls[at], label).toBe(call);
        const { after, calls } = failed as NonNullable<typeof failed>;
        expectComplete(after, label);
        expect(
          after.jobs.map(({ state }) => state),
          label,
        ).toMatchObject([{ status: 'failed', error: { code: codes[fault] } }, { status: 'succeeded' }]);
        // The first export had its file when the disk failed. Each job sends one request, and none while another export
        // is running.
        expect(after.exportStatuses, label).toEqual([202, 202]);
        const [name, file] = call.split(' ');
        const later = calls.slice(at + 1);
        if (name === 'flush') expect(later, label).not.toContain(call);
        if (name === 'flush') expect(later, label).not.toContain(`rename ${file?.replace(/\.part$/, '')}`);
      }
    }
    expect(baseline?.calls.length).toBeGreaterThan(20);
  });

  it('by writing only half of the bytes of a call still stores all of them', async () => {
    const backups = await InterruptedBackups.open();
    const baseline = await backups.fail(null, 0);
    const writes = (baseline?.calls ?? []).flatMap((call, at) => (call.startsWith('write ') ? [at] : []));
    expect(writes).toHaveLength(3);
    for (const at of writes) {
      const short = await backups.fail('short write', at);
      expectOnce((short as NonNullable<typeof short>).after, `a short write at ${at}`);
      expect(short?.calls).toHaveLength((baseline?.calls.length ?? 0) + 1);
    }
  });
});
