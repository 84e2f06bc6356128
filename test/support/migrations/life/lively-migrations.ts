/** @file Migrates projects in which a pair of losses happens, or in which people work and nothing is lost. */
import { join } from 'node:path';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { systemClock, type Clock } from '../../../../src-main/platform/clock.ts';
import { openMigrationScene, storedReconciliations, type MigrationScene } from '../migration-scene.ts';
import { isOfRecipe, lossesOf, noDelays, recipeCount } from '../losing-migrations.ts';
import { assessLosses, type Detection } from '../verdict-losses.ts';
import { livelyKinds, type LivelyKind } from './lively-kinds.ts';
import { pairs, type Pair, type Work } from './pairs.ts';

export interface LivelyTally {
  /** Number of losses of each kind of pair, by the way in which they were found. */
  found: Record<string, Partial<Record<Detection, number>>>;
  /** Sentences about errors: a silent loss, a false alarm, a disagreement with the verifier. */
  wrong: string[];
  losses: number;
  /** Number of projects in which nothing was lost. */
  clean: number;
  /** Projects without a loss whose comparison cannot say so, with its reason. */
  untold: string[];
  verified: number;
}

interface Planned {
  pair: Pair | null;
  kinds: readonly LivelyKind[];
}

/** Differences of the clocks of source and target from the clock of the product, in minutes. Migrations take turns. */
const skews = [
  { source: 7, target: -4 },
  { source: -6, target: 5 },
  { source: 0, target: 0 },
];

const maxProjectsPerMigration = 30;
const recipe = 'caravan';

const skewed = (minutes: number): Clock => ({
  ...systemClock,
  now: () => systemClock.now() + minutes * 60_000,
});

/** Returns `count` numbers below `size`, evenly spread; all of them, again and again, if `count` is larger. */
const spread = (count: number, size: number): number[] =>
  Array.from({ length: count }, (_, index) =>
    count <= size ? Math.floor((index * size) / count) : index % size,
  );

/**
 * @param pairCount number of projects with a pair. @param lively number of projects in which people only work. From the
 * second round of kinds on, a project has two kinds of work.
 */
export async function migrateWithLife(
  folder: string,
  pairCount: number,
  lively: number,
  onProgress: (sofar: LivelyTally) => void = () => undefined,
): Promise<LivelyTally> {
  const planned = [
    ...spread(pairCount, pairs.length).map((at): Planned => ({ pair: pairs[at] ?? null, kinds: [] })),
    ...spread(lively, livelyKinds.length).map((at, index): Planned => {
      const isFirstRound = index < livelyKinds.length;
      const other = (at * 7 + 3 + Math.floor(index / livelyKinds.length)) % livelyKinds.length;
      const numbers = isFirstRound ? [at] : [at, other];
      return { pair: null, kinds: numbers.flatMap((number) => livelyKinds[number] ?? []) };
    }),
  ];
  const total: LivelyTally = { found: {}, wrong: [], losses: 0, clean: 0, untold: [], verified: 0 };
  for (let from = 0; from < planned.length; from += maxProjectsPerMigration) {
    const some = planned.slice(from, from + maxProjectsPerMigration);
    const skew = skews[(from / maxProjectsPerMigration) % skews.length] ?? { source: 0, target: 0 };
    await migrateOnce(join(folder, `from-${from}`), some, skew, total);
    onProgress(total);
  }
  return total;
}

async function migrateOnce(
  folder: string,
  planned: readonly Planned[],
  skew: { source: number; target: number },
  total: LivelyTally,
): Promise<void> {
  const scene = await openMigrationScene(folder, {
    source: {
      ...{ projectCount: planned.length * recipeCount, speed: noDelays },
      clock: skewed(skew.source),
    },
    target: { speed: noDelays, clock: skewed(skew.target) },
  });
  try {
    const paths = scene.source.state.paths.filter((path) => isOfRecipe(path, recipe));
    const projects = new Map(planned.map((plan, index) => [paths[index] ?? '', plan]));
    const work = new Map<string, Work[]>();
    for (const [path, { pair, kinds }] of projects) {
      work.set(path, [...(pair?.work ?? []), ...kinds.flatMap((kind) => kind.work)]);
      const edits = scene.source.state.edits(path);
      await pair?.prepare(edits);
      for (const kind of kinds) kind.prepare?.(edits, scene.source);
      if (pair !== null) script(scene, path, pair);
    }
    const errors: string[] = [];
    for (const side of ['source', 'target'] as const) {
      scene[side].state.onWork(async (moment, path) => {
        for (const each of work.get(path) ?? []) {
          if (each.side !== side || each.moment !== moment) continue;
          try {
            await each.change(scene[side].state.edits(path), scene[side]);
          } catch (error) {
            errors.push(`${path}: ${String(error)}`);
          }
        }
      });
    }
    const { id } = await scene.migration([...projects.keys()]);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    total.wrong.push(...errors);
    await countResults(scene, projects, total);
    const { verified, disagreements } = await scene.verify();
    total.wrong.push(
      ...disagreements.map((sentence) => {
        const plan = projects.get(sentence.split(':')[0] ?? '');
        return `${nameOf(plan)}: ${sentence}`;
      }),
    );
    total.verified += verified ?? 0;
  } finally {
    await scene.close();
  }
}

function script(scene: MigrationScene, project: string, { phase, lose, list }: Pair): void {
  const side = phase === 'export' ? 'source' : 'target';
  scene[side].faults.add({ match: { project, method: 'POST' }, action: lose });
  if (list === null) return;
  const { path, action } = list;
  scene[list.side].faults.add({ match: { project, path, method: 'GET' }, action });
}

const nameOf = (plan: Planned | undefined): string => {
  const { pair = null, kinds = [] } = plan ?? {};
  const lost = pair === null ? [] : [`${pair.name} (lost on ${pair.phase})`];
  return [...lost, ...kinds.map(({ name }) => name)].join(', ');
};

async function countResults(
  scene: MigrationScene,
  projects: ReadonlyMap<string, Planned>,
  total: LivelyTally,
): Promise<void> {
  const all = storedReconciliations(scene.dataDir);
  for (const [path, plan] of projects) {
    const reported = all.get(path);
    const name = nameOf(plan);
    if (reported === undefined) {
      total.wrong.push(`${name}: the project was not compared`);
      continue;
    }
    const losses = await lossesOf(scene, path);
    if (plan.pair === null) countClean(name, reported, total);
    if (plan.pair === null && losses.length > 0) total.wrong.push(`${name}: the sandbox lost something`);
    if (plan.pair !== null && losses.length === 0) total.wrong.push(`${name}: caused no loss`);
    if (plan.pair === null) continue;
    const { found, falseAlarms } = assessLosses(losses, reported);
    total.losses += found.length;
    const counts = (total.found[`${plan.pair.kind}, on ${plan.pair.phase}`] ??= {});
    for (const { loss, as } of found) {
      counts[as] = (counts[as] ?? 0) + 1;
      if (as === 'silent')
        total.wrong.push(`${name}: silent ${loss.part} ${loss.name ?? ''} (${loss.reason})`);
    }
    total.wrong.push(...falseAlarms.map((alarm) => `${name}: false alarm ${alarm}`));
  }
}

function countClean(name: string, reported: Reconciliation, total: LivelyTally): void {
  total.clean += 1;
  const { falseAlarms } = assessLosses([], reported);
  const alarms = falseAlarms.filter((alarm) => alarm !== 'not reconciled');
  total.wrong.push(...alarms.map((alarm) => `${name}: false alarm ${alarm}`));
  if (alarms.length === 0 && !reported.reconciled)
    total.untold.push(`${name}: ${reported.declared.join(' ')}`);
}
