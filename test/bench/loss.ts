/**
 * @file C2 of the goals: migrates two thousand projects that each lose one item in the export or in the import, among
 * clean projects; then projects that lose one item beside another change, and projects in which people work while nothing
 * is lost. The sandbox's own list of omissions decides whether a loss was found.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/platform/clock.ts';
import { lossKindNames, type LossKind } from '../support/migrations/loss-kinds.ts';
import { addTally, migrateWithLosses, type Tally } from '../support/migrations/losing-migrations.ts';
import { canHappenToMaintainer, planLosses, plannedLossCount } from '../support/migrations/planned-losses.ts';
import { migrateWithLife } from '../support/migrations/life/lively-migrations.ts';
import { atSize, type Report } from './measuring.ts';

/** Number of clean projects in each migration, among about forty others. */
const clean = atSize(4, 1);
const kinds = atSize<LossKind[]>(lossKindNames, ['records']);

/** One of so many projects is imported by a Maintainer, the others by an administrator. */
const projectsPerMaintainer = 10;

/** Projects that cannot be judged, in percent of those in which people work. */
const maxUntoldPercent = 1;

/**
 * @param count Number of projects that lose one item, rounded up to a multiple of kinds and sides.
 * @param pairCount Number of projects that lose one item beside another change.
 * @param livelyCount Number of projects in which people work and nothing is lost.
 */
export async function run(
  count = atSize(2000, 1),
  pairCount = atSize(400, 1),
  livelyCount = atSize(200, 1),
): Promise<Report> {
  const began = systemClock.monotonic();
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-loss-'));
  const variants = Math.ceil(count / plannedLossCount(1));
  const projects = planLosses((kind) => (kinds.includes(kind) ? variants : 0), 1);
  const isByMaintainer = projects.map(
    (losses, index) => index % projectsPerMaintainer === 0 && losses.every(canHappenToMaintainer),
  );
  const onProgress = ({ losses, wrong }: Tally): void => {
    process.stderr.write(`${losses} losses, ${wrong.length} wrong …\n`);
  };
  const migrate = async (importer: 'administrator' | 'maintainer'): Promise<Tally> => {
    const some = projects.filter((_, index) => isByMaintainer[index] === (importer === 'maintainer'));
    return migrateWithLosses(folder, some, clean, onProgress, importer);
  };
  const tally = await migrate('administrator')
    .then(async (total) => {
      addTally(total, await migrate('maintainer'));
      return total;
    })
    .finally(() => {
      rmSync(folder, { recursive: true, force: true });
    });
  const lifeFolder = mkdtempSync(join(tmpdir(), 'packhorse-life-'));
  const life = await migrateWithLife(lifeFolder, pairCount, livelyCount, (sofar) => {
    process.stderr.write(
      `${sofar.losses} losses in pairs, ${sofar.clean} with life, ${sofar.wrong.length} wrong …\n`,
    );
  }).finally(() => {
    rmSync(lifeFolder, { recursive: true, force: true });
  });
  const { user, system } = process.cpuUsage();
  const minutes = (systemClock.monotonic() - began) / 60_000;
  const { wrong, losses } = tally;
  const linesOf = (kinds: typeof tally.found): (readonly [string, number])[] =>
    Object.entries(kinds).flatMap(([kind, counts]) =>
      Object.entries(counts).map(([as, times]) => [`${kind}: ${as}`, times] as const),
    );
  const [found, foundInPairs] = [linesOf(tally.found), linesOf(life.found)];
  const silent = found.filter(([key]) => key.endsWith(': silent'));
  const silentCount = silent.reduce((sum, [, times]) => sum + times, 0);
  const untoldPercent = (100 * life.untold.length) / Math.max(1, life.clean);
  const isLifeGood = life.wrong.length === 0 && untoldPercent <= maxUntoldPercent;
  const isGood = silentCount + wrong.length === 0 && isLifeGood;
  return {
    title: `Single losses of ${lossKindNames.length} kinds, on either side of a migration`,
    rows: [
      {
        goal: 'C2',
        what: 'losses that are not reported, and reported losses that did not happen',
        measured: `${silentCount + wrong.length} of ${losses}, with ${tally.clean} projects that lost nothing`,
        goalValue: '0',
        isReached: silentCount + wrong.length === 0,
      },
      {
        goal: 'C2',
        what: 'errors in pairs of a loss and another change, and in projects in which people work',
        measured: `${life.wrong.length} of ${life.losses} losses and ${life.clean} projects, and ${life.untold.length} that cannot be judged`,
        goalValue: `0, and ${maxUntoldPercent} %`,
        isReached: isLifeGood,
      },
    ],
    rounds: [
      ...[...found, ...foundInPairs].map(([key, times]) => `${key} ${times}`),
      `${tally.verified + life.verified} verdicts checked by the independent verifier`,
      ...[...wrong, ...life.wrong, ...life.untold],
      `${((user + system) / 1e6).toFixed(0)} s of processor time in ${minutes.toFixed(1)} minutes`,
    ],
    versions: [`Node ${process.version}`],
    verdict: {
      line: `losses ${losses + life.losses}, silent ${silentCount}, false alarms ${wrong.length + life.wrong.length}`,
      isGood,
    },
  };
}
