/**
 * @file `npm run bench -- NAME [COUNT]…` measures side by side with other tools and prints which goals are reached. A
 * count sets the repetitions of a bench that repeats something; `loss` has three counts. `--neighbour` keeps one core busy during the
 * measurement. `--smallest` only shows that a bench runs. `npm run bench -- all` measures everything, timed benches
 * also beside a neighbour, and writes docs/performance.md. `--page` does the same with the named benches, and keeps the
 * other sections of the page.
 */
import type { Report } from './measuring.ts';
import { deletePage, replaceSection } from './performance-page.ts';
import { withNeighbour } from './neighbour.ts';

interface Bench {
  load: () => Promise<{ run(...counts: number[]): Promise<Report> }>;
  /** Whether its goals must be reached beside a neighbour as well. */
  isTimed: boolean;
}

const benches: Record<string, Bench> = {
  archive: { load: () => import('./inspect-archive.ts'), isTimed: true },
  catalogue: { load: () => import('./catalogue.ts'), isTimed: true },
  comparison: { load: () => import('./comparison.ts'), isTimed: false },
  download: { load: () => import('./download.ts'), isTimed: true },
  'end-to-end': { load: () => import('./end-to-end.ts'), isTimed: true },
  idle: { load: () => import('./idle.ts'), isTimed: true },
  kill: { load: () => import('./kill.ts'), isTimed: false },
  'kill-migration': { load: () => import('./kill-migration.ts'), isTimed: false },
  listing: { load: () => import('./listing.ts'), isTimed: true },
  loss: { load: () => import('./loss.ts'), isTimed: false },
  migration: { load: () => import('./migration.ts'), isTimed: false },
  'migration-look': { load: () => import('./migration-look.ts'), isTimed: true },
  plan: { load: () => import('./plan.ts'), isTimed: true },
  retry: { load: () => import('./retry.ts'), isTimed: false },
  rotation: { load: () => import('./rotation.ts'), isTimed: false },
  upload: { load: () => import('./upload.ts'), isTimed: true },
  ui: { load: () => import('./window.ts'), isTimed: true },
};

const options = new Set(process.argv.slice(2).filter((word) => word.startsWith('--')));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));

function print(name: string, { title, rows, rounds, versions, verdict }: Report): void {
  process.stdout.write(`${name}: ${title}\n${versions.join(' · ')}\n\n`);
  for (const { goal, what, measured, goalValue, isReached } of rows) {
    process.stdout.write(
      `  ${goal}  ${what}: ${measured}; goal ${goalValue}: ${isReached ? 'reached' : 'MISSED'}\n`,
    );
  }
  process.stdout.write(`\n${rounds.map((round) => `  ${round}`).join('\n')}\n\n`);
  if (verdict === undefined) return;
  process.stdout.write(`${verdict.line}\n`);
  if (!verdict.isGood) process.exitCode = 1;
}

async function measure(
  name: string,
  bench: Bench,
  counts: readonly number[],
  besideNeighbour: boolean,
): Promise<Report> {
  const loaded = await bench.load();
  const report = await (besideNeighbour ? withNeighbour(() => loaded.run(...counts)) : loaded.run(...counts));
  print(name, report);
  return report;
}

/** Measures a bench without a neighbour and, if it is timed, also beside one. */
async function measureForPage([name, bench]: [string, Bench]): Promise<void> {
  try {
    const quiet = await measure(name, bench, [], false);
    const beside = bench.isTimed ? await measure(name, bench, [], true) : null;
    await replaceSection({ name, quiet, beside });
  } catch (thrown) {
    // The other benches take an hour and can still be measured.
    process.stderr.write(`${name} ended with an error: ${String(thrown)}\n`);
    process.exitCode = 1;
  }
}

async function measureAll(): Promise<void> {
  deletePage();
  // Benches that only count tolerate other work on the machine, and come last.
  const timedFirst = Object.entries(benches).toSorted(
    ([, a], [, b]) => Number(b.isTimed) - Number(a.isTimed),
  );
  for (const bench of timedFirst) await measureForPage(bench);
}

const isCount = (word: string): boolean => /^\d+$/.test(word);

async function measureNamed(): Promise<void> {
  for (const [at, name] of words.entries()) {
    if (isCount(name) && at > 0) continue;
    const bench = benches[name];
    if (bench === undefined) {
      process.stderr.write(
        `There is no bench "${name}"; the benches are: all, ${Object.keys(benches).join(', ')}.\n`,
      );
      process.exitCode = 2;
      return;
    }
    if (options.has('--page')) {
      await measureForPage([name, bench]);
      continue;
    }
    const following = words.slice(at + 1);
    const end = following.findIndex((word) => !isCount(word));
    const counts = following.slice(0, end < 0 ? undefined : end).map(Number);
    await measure(name, bench, counts, options.has('--neighbour'));
  }
}

if (words.length === 0) {
  process.stderr.write(`Name a bench: all, ${Object.keys(benches).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  await (words[0] === 'all' ? measureAll() : measureNamed());
}
