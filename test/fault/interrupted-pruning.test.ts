/** @file The end of a run that prunes, ended at each of its points and by each way to end it; then the program starts again. */
import { expect, it } from 'vitest';
import { InterruptedPruning, type Pruned } from '../support/faults/interrupted-pruning.ts';
import { cuts } from '../support/faults/power-cut-disk.ts';

/** Asserts the rules after any interruption. `storedTruth` has compared rows, files and manifests before. */
function expectSafe(pruning: InterruptedPruning, { truth, job, older }: Pruned, told: string): void {
  expect(truth.archives, told).toContain(pruning.newer);
  expect(truth.parts, told).toEqual([]);
  expect(older.stored !== older.trashed, `${told}: the older archive is in one place, whole`).toBe(true);
  expect(truth.archives.includes(pruning.older), told).toBe(older.stored);
  expect(job?.state.status, told).toBe('succeeded');
}

const ends = [
  ['a kill', 'kill'],
  ...cuts.map((cut) => [`a power cut that leaves of the unflushed: ${cut}`, cut] as const),
] as const;

it.each(ends)('after %s at any point, pruning comes to its end at the next start', async (_what, death) => {
  const pruning = await InterruptedPruning.open();
  let points = 0;
  for (; ; points += 1) {
    const after = await pruning.interrupt(points, death, points);
    if (after === null) break;
    const told = `${death} at point ${points}`;
    expectSafe(pruning, after, told);
    expect(after.older, told).toEqual({ stored: false, trashed: true });
  }
  // Three moves of two flushes each, the reason, and what is committed around them.
  expect(points).toBeGreaterThan(20);
});

it.each(['ENOSPC', 'EIO', 'short write'] as const)(
  'no %s at any call loses an archive on its way to the trash',
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
