/**
 * @file C2 of the goals: two thousand migrated projects of each of which one thing is lost, by its export or by its import, judged by
 * the sandbox's own list of what it left out, with clean projects among them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/platform/clock.ts';
import { lossKindNames, loseOneOfEach, sides } from '../support/migrations/single-losses.ts';
import type { Report } from './measuring.ts';

/** Of each kind on each side, in one migration. */
const variants = 10;
const clean = 40;

export async function run(count = 2000): Promise<Report> {
  const began = systemClock.monotonic();
  const rounds = Math.ceil(count / (variants * lossKindNames.length * sides.length));
  const found = new Map<string, number>();
  const wrong: string[] = [];
  let losses = 0;
  let untouched = 0;
  for (let round = 0; round < rounds; round += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'packhorse-loss-'));
    try {
      const tally = await loseOneOfEach(folder, variants, clean);
      for (const [kind, counts] of Object.entries(tally.found)) {
        for (const [as, times] of Object.entries(counts)) {
          const key = `${kind}: ${as}`;
          found.set(key, (found.get(key) ?? 0) + times);
        }
      }
      wrong.push(...tally.wrong);
      losses += tally.losses;
      untouched += tally.clean;
      process.stderr.write(`${losses} losses, ${wrong.length} wrong …\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const silent = [...found].filter(([key]) => key.endsWith(': silent'));
  const unsaid = silent.reduce((sum, [, times]) => sum + times, 0);
  const isGood = unsaid + wrong.length === 0;
  return {
    title: 'Single losses of ten kinds, on either side of a migration',
    rows: [
      {
        goal: 'C2',
        what: 'losses that nothing says, or that are said and were none',
        measured: `${unsaid + wrong.length} of ${losses}, with ${untouched} projects that lost nothing`,
        wanted: '0',
        reached: isGood,
      },
    ],
    rounds: [
      ...[...found].map(([key, times]) => `${key} ${times}`),
      ...wrong,
      `${((systemClock.monotonic() - began) / 60_000).toFixed(1)} minutes`,
    ],
    versions: [`Node ${process.version}`],
    verdict: { line: `losses ${losses}, silent ${unsaid}, false alarms ${wrong.length}`, isGood },
  };
}
