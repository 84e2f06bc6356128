/** @file The process of the window stays responsive while a large archive is read, because a worker does the heavy work. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeLargeExport } from '../support/archives/archive-large.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWorld } from '../support/world.ts';

const longMs = 20;

/**
 * Returns how long each turn of the main loop computed during `work`, in milliseconds. The CPU time of this thread
 * counts, not the elapsed time, so that other load on the machine does not matter.
 */
async function turnsDuring(work: Promise<unknown>): Promise<number[]> {
  const computed = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const turns: number[] = [];
  const end = { reached: false };
  const reach = (): void => {
    end.reached = true;
  };
  work.then(reach, reach);
  for (let before = computed(); !end.reached;) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = computed();
    turns.push(now - before);
    before = now;
  }
  return turns;
}

test(`while a large archive is read, fewer than one in a hundred turns of the main loop compute for ${longMs} ms or more`, async () => {
  const { client } = await openWorld();
  const archive = join(temporaryFolder(), 'large_export.tar.gz');
  await writeLargeExport(archive, { packBytes: 45e6, uploads: 500, uploadBytes: 26_000, issues: 5_000 });
  const reading = client.call('archive.inspect', { archive });
  const turns = await turnsDuring(reading);
  expect((await reading).verdict).toBe('sound');
  expect(turns.filter((ms) => ms > 0.5).length).toBeGreaterThan(20);
  // One turn in a hundred may include a garbage collection.
  expect(turns.filter((ms) => ms >= longMs).length).toBeLessThan(turns.length / 100);
});
