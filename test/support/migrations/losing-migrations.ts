/** @file Migrates many projects that lose items, and collects the report of the migration about each. */
import { join } from 'node:path';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { assessLosses, type Detection, type KnownLoss } from './verdict-losses.ts';
import { openMigrationScene, storedReconciliations, type MigrationScene } from './migration-scene.ts';
import { lossKinds, type Kind, type SourceProject } from './loss-kinds.ts';
import { actionOf, findCause, nameOf, type PlannedLoss } from './planned-losses.ts';
import { addIterations, addEpicsAndIterations } from './epics-and-iterations.ts';
import { featureLevels, notExported, pipelineSettings } from './lost-settings.ts';

export interface Tally {
  /** Number of losses of a kind on a side, by the way in which they were found. */
  found: Record<string, Partial<Record<Detection, number>>>;
  /** Sentences about errors: a false alarm, a project that did not arrive, a fault without a loss. */
  wrong: string[];
  losses: number;
  clean: number;
  /** Number of projects that the independent verifier checked, too. */
  verified: number;
}

export const recipeCount = 8;
/** The path of a project ends with the name of its recipe, and with a number in later rounds. */
export const isOfRecipe = (path: string, recipe: string): boolean =>
  new RegExp(`/${recipe}(-\\d+)?$`).test(path);

/** The sandbox works without delays, so that few requests are sent. */
export const noDelays = {
  exportPendingMs: 0,
  exportQueuedMs: 0,
  exportStartedMs: 0,
  exportClosingMs: 0,
  importScheduledMs: 0,
  importStartedMs: 0,
};

/** Maximum number of losing projects in one migration, because reading one project of a migration reads all of them. */
export const maxLosingProjectsPerMigration = 40;

type Send = SourceProject['send'];

/**
 * Migrates projects in small migrations, one after the other.
 * @param projects the losses of each project, see `planLosses`.
 * @param clean number of additional projects without a loss in each migration.
 * @param importer the account that imports the projects. Default: the administrator.
 */
export async function migrateWithLosses(
  folder: string,
  projects: readonly (readonly PlannedLoss[])[],
  clean: number,
  onProgress: (sofar: Tally) => void = () => undefined,
  importer: MigrationScene['importer'] = 'administrator',
): Promise<Tally> {
  const total: Tally = { found: {}, wrong: [], losses: 0, clean: 0, verified: 0 };
  for (let from = 0; from < projects.length; from += maxLosingProjectsPerMigration) {
    const some = projects.slice(from, from + maxLosingProjectsPerMigration);
    const part = await loseInOneMigration(join(folder, `${importer}-${from}`), some, clean, importer);
    addTally(total, part);
    onProgress(total);
  }
  return total;
}

/** Adds a tally to `total`. */
export function addTally(total: Tally, part: Tally): void {
  for (const [name, counts] of Object.entries(part.found)) {
    const sum = (total.found[name] ??= {});
    for (const [as, times] of Object.entries(counts) as [Detection, number][])
      sum[as] = (sum[as] ?? 0) + times;
  }
  total.wrong.push(...part.wrong);
  total.losses += part.losses;
  total.clean += part.clean;
  total.verified += part.verified;
}

async function loseInOneMigration(
  folder: string,
  projects: readonly (readonly PlannedLoss[])[],
  clean: number,
  importer: MigrationScene['importer'],
): Promise<Tally> {
  const recipes = projects.map(([first]) => (first === undefined ? '' : lossKinds[first.kind].recipe));
  const perRecipe = Object.groupBy(recipes, (recipe) => recipe);
  const maxPerRecipe = Math.max(...Object.values(perRecipe).map((some = []) => some.length));
  const rounds = maxPerRecipe + Math.ceil(clean / recipeCount);
  const scene = await openMigrationScene(folder, {
    source: { projectCount: rounds * recipeCount, speed: noDelays },
    target: { speed: noDelays },
    importer,
  });
  try {
    const free = [...scene.source.state.paths];
    const take = (recipe: string): string => {
      const at = free.findIndex((path) => isOfRecipe(path, recipe));
      return free.splice(at, 1)[0] ?? '';
    };
    const planned = projects.map((losses, index) => ({ path: take(recipes[index] ?? ''), losses }));
    for (const { path, losses } of planned)
      for (const loss of losses) {
        script(scene, path, loss);
        await prepare(scene, path, lossKinds[loss.kind], loss.variant);
      }
    const untouched = free.slice(0, clean);
    for (const path of untouched) {
      const settings = { ...featureLevels, ...pipelineSettings, ...notExported };
      await sendRequest(scene, path, 'PUT', '', settings, 200);
      await sendRequest(scene, path, 'PATCH', '/job_token_scope', { enabled: false }, 204);
    }
    const { id } = await scene.migration([...planned.map(({ path }) => path), ...untouched]);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    const tally = await countResults(scene, planned, untouched);
    const { verified, disagreements } = await scene.verify();
    tally.wrong.push(...disagreements);
    tally.verified += verified ?? 0;
    return tally;
  } finally {
    await scene.close();
  }
}

function script({ source, target }: MigrationScene, project: string, loss: PlannedLoss): void {
  // The import drops a duplicate, but the export writes it.
  const at = loss.kind === 'duplicates' || loss.side === 'export' ? source : target;
  at.faults.add({ match: { project, method: 'POST' }, action: actionOf(loss) });
}

async function prepare(scene: MigrationScene, path: string, kind: Kind, variant: number): Promise<void> {
  const userId = async (name: string): Promise<number> => {
    const { source } = scene;
    const headers = { 'PRIVATE-TOKEN': source.tokens.administrator };
    const reply = await fetch(`${source.url}/api/v4/users?username=${name}`, { headers });
    const [user] = (await reply.json()) as { id: number }[];
    if (user === undefined) throw new Error(`The sandbox has no ${name}.`);
    return user.id;
  };
  const project = {
    send: (...request: Parameters<Send>) => sendRequest(scene, path, ...request),
    userId,
    addEpicsAndIterations: () => {
      addEpicsAndIterations(scene.source, path);
      addIterations(scene.target, path);
    },
  };
  await kind.prepare?.(project, variant);
}

async function sendRequest(
  { source }: MigrationScene,
  path: string,
  ...[method, below, body, status]: Parameters<Send>
): Promise<void> {
  const headers = { 'PRIVATE-TOKEN': source.tokens.administrator, 'content-type': 'application/json' };
  const at = `${source.url}/api/v4/projects/${encodeURIComponent(path)}${below}`;
  const reply = await fetch(at, { method, headers, body: JSON.stringify(body) });
  if (reply.status !== status) throw new Error(`The sandbox replied ${reply.status} to ${method} ${below}.`);
}

async function countResults(
  scene: MigrationScene,
  planned: readonly { path: string; losses: readonly PlannedLoss[] }[],
  untouched: readonly string[],
): Promise<Tally> {
  const tally: Tally = { found: {}, wrong: [], losses: 0, clean: untouched.length, verified: 0 };
  const all = storedReconciliations(scene.dataDir);
  const clean = untouched.map((path) => ({ path, losses: [] }));
  for (const { path, losses } of [...planned, ...clean]) {
    const reported = all.get(path);
    if (reported === undefined) {
      tally.wrong.push(`${path} (${losses.map(nameOf).join(', ')}) was not compared`);
      continue;
    }
    recordFindings(tally, path, losses, await lossesOf(scene, path), reported);
    const declarations = reported.declared.join();
    if (declarations.includes('does not know')) tally.wrong.push(`${path}: ${declarations}`);
    const unexported = [...Object.keys(notExported), 'job_token_scope.inbound_enabled'];
    const isDeclared = unexported.every((setting) => declarations.includes(setting));
    if (losses.length === 0 && !isDeclared)
      tally.wrong.push(`${path}: the settings that no export contains are not declared`);
  }
  return tally;
}

function recordFindings(
  tally: Tally,
  path: string,
  planned: readonly PlannedLoss[],
  losses: readonly KnownLoss[],
  reported: Reconciliation,
): void {
  const { found, falseAlarms } = assessLosses(losses, reported);
  tally.losses += found.length;
  const causes = new Set<PlannedLoss>();
  for (const { loss, as } of found) {
    const cause = findCause(planned, loss);
    if (cause === undefined) {
      tally.wrong.push(`${path}: ${JSON.stringify(loss)} was not planned`);
      continue;
    }
    causes.add(cause);
    const counts = (tally.found[nameOf(cause)] ??= {});
    counts[as] = (counts[as] ?? 0) + 1;
  }
  const names = planned.map(nameOf).join(', ') || 'clean';
  tally.wrong.push(...falseAlarms.map((alarm) => `${path} (${names}): ${alarm}`));
  for (const loss of planned)
    if (!causes.has(loss)) tally.wrong.push(`${path}: ${nameOf(loss)} caused no loss`);
}

/** Returns the omissions of both sandboxes in a project; the one that had a record also reports its number. */
export async function lossesOf({ source, target }: MigrationScene, path: string): Promise<KnownLoss[]> {
  const { relations } = await source.state.project(path);
  return [...source.state.losses, ...target.state.losses]
    .filter(({ project }) => project === path)
    .map((loss) => {
      const record = loss.phase === 'export' ? relations[loss.relation]?.[loss.line ?? -1] : undefined;
      const iid = record?.['iid'];
      return { ...loss, iid: typeof iid === 'number' ? iid : null };
    });
}
