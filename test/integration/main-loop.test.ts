/** @file The process that owns the window stays free for it while a large archive is read: the heavy work is in a worker. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeLargeExport } from '../support/archives/archive-large.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWorld } from '../support/world.ts';

const longMs = 20;

/**
 * How long each turn of the main loop computed while `work` went on, in milliseconds. What this thread computed is
 * counted, not what time passed, so that it does not matter what else runs on the machine.
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

test(`while a large archive is read, a turn of the main loop hardly ever computes for ${longMs} ms`, async () => {
  const { client } = await openWorld();
  const archive = join(temporaryFolder(), 'large_export.tar.gz');
  await writeLargeExport(archive, { packBytes: 45e6, uploads: 500, uploadBytes: 26_000, issues: 5_000 });
  const reading = client.call('archive.inspect', { archive });
  const turns = await turnsDuring(reading);
  expect((await reading).verdict).toBe('sound');
  expect(turns.filter((ms) => ms > 0.5).length).toBeGreaterThan(20);
  // One in a hundred may meet the collector of memory.
  expect(turns.filter((ms) => ms >= longMs).length).toBeLessThan(turns.length / 100);
});
