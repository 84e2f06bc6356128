/**
 * @file C2 of the goals: migrates two thousand projects that each lose one item in the export or in the import, among
 * clean projects. The sandbox's own list of omissions decides whether a loss was found.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/platform/clock.ts';
import {
  migrateWithLosses,
  lossKindNames,
  losingProjectCount,
  type LossKind,
} from '../support/migrations/single-losses.ts';
import { atSize, type Report } from './measuring.ts';

/** Number of clean projects in each migration, among about forty others. */
const clean = atSize(4, 1);
const kinds = atSize<LossKind[]>(lossKindNames, ['records']);

/** @param count Number of projects that lose something, rounded up to a multiple of kinds and sides. */
export async function run(count = atSize(2000, 1)): Promise<Report> {
  const began = systemClock.monotonic();
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-loss-'));
  const variants = Math.ceil(count / losingProjectCount(1));
  const tally = await migrateWithLosses(
    folder,
    (kind) => (kinds.includes(kind) ? variants : 0),
    clean,
    ({ losses, wrong }) => {
      process.stderr.write(`${losses} losses, ${wrong.length} wrong …\n`);
    },
  ).finally(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const { user, system } = process.cpuUsage();
  const minutes = (systemClock.monotonic() - began) / 60_000;
  const { wrong, losses } = tally;
  const found = Object.entries(tally.found).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([as, times]) => [`${kind}: ${as}`, times] as const),
  );
  const silent = found.filter(([key]) => key.endsWith(': silent'));
  const silentCount = silent.reduce((sum, [, times]) => sum + times, 0);
  const isGood = silentCount + wrong.length === 0;
  return {
    title: `Single losses of ${lossKindNames.length} kinds, on either side of a migration`,
    rows: [
      {
        goal: 'C2',
        what: 'losses that are not reported, and reported losses that did not happen',
        measured: `${silentCount + wrong.length} of ${losses}, with ${tally.clean} projects that lost nothing`,
        goalValue: '0',
        isReached: isGood,
      },
    ],
    rounds: [
      ...found.map(([key, times]) => `${key} ${times}`),
      `${tally.verified} verdicts checked by the independent verifier`,
      ...wrong,
      `${((user + system) / 1e6).toFixed(0)} s of processor time in ${minutes.toFixed(1)} minutes`,
    ],
    versions: [`Node ${process.version}`],
    verdict: { line: `losses ${losses}, silent ${silentCount}, false alarms ${wrong.length}`, isGood },
  };
}
