/** @file Interrupts the end of a run that prunes, at each of its points and in each way, and starts the program again. */
import { expect, it } from 'vitest';
import { InterruptedPruning, type PruningResult } from '../support/faults/interrupted-pruning.ts';
import { cuts } from '../support/faults/power-cut-disk.ts';

/** Asserts the rules after any interruption. `storedTruth` has already compared rows, files and manifests. */
function expectSafe(pruning: InterruptedPruning, { truth, job, older }: PruningResult, label: string): void {
  expect(truth.archives, label).toContain(pruning.newer);
  expect(truth.parts, label).toEqual([]);
  expect(older.stored !== older.trashed, `${label}: the older archive is in one place, whole`).toBe(true);
  expect(truth.archives.includes(pruning.older), label).toBe(older.stored);
  expect(job?.state.status, label).toBe('succeeded');
}

const waysToEnd = [
  ['a kill', 'kill'],
  ...cuts.map((cut) => [`a power cut that keeps "${cut}" of the unflushed data`, cut] as const),
] as const;

it.each(waysToEnd)('after %s at any point, the next start completes the pruning', async (_what, death) => {
  const pruning = await InterruptedPruning.open();
  const atRisk = await pruning.pointsAtRisk();
  let points = 0;
  for (let at = 0; at < atRisk.length; at += 1) {
    // At other points a power cut leaves the same state as a kill.
    if (death !== 'kill' && atRisk[at] === false) continue;
    const after = await pruning.interrupt(at, death, at);
    const label = `${death} at point ${at}`;
    if (after === null) throw new Error(`The work completed before ${label}.`);
    expectSafe(pruning, after, label);
    expect(after.older, label).toEqual({ stored: false, trashed: true });
    points += 1;
  }
  // Three moves with two flushes each, the reason, and the commits around them.
  expect(points).toBeGreaterThan(death === 'kill' ? 20 : 12);
});

it.each(['ENOSPC', 'EIO', 'short write'] as const)(
  '%s at any disk call loses no archive on its way to the trash',
  async (fault) => {
    const pruning = await InterruptedPruning.open();
    let calls = 0;
    for (; ; calls += 1) {
      const after = await pruning.fail(fault, calls);
      if (after === null) break;
      expectSafe(pruning, after, `${fault} at ${after.call} (${calls})`);
    }
    expect(calls).toBeGreaterThan(15);
  },
);
