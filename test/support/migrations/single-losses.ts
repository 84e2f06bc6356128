/** @file Many projects migrated at once, of each of which one thing is lost, and what the migration says of each. */
import { roles } from '../../../src-main/sandbox/world.ts';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-schema.ts';
import type { Reconciliation } from '../../../src-preload/contract/import.ts';
import { judged, type Found, type KnownLoss } from './judged-losses.ts';
import { openMigrationScene, storedReconciliations, type MigrationScene } from './migration-scene.ts';

export const sides = ['export', 'import'] as const;
type Side = (typeof sides)[number];

interface Kind {
  /** The kind of project that has it, see the recipes of the sandbox. */
  recipe: string;
  action: (variant: number, side: Side) => FaultAction;
}

const pick = <T>(list: readonly [T, ...T[]], variant: number): T => list[variant % list.length] ?? list[0];
const of =
  <T>(...list: [T, ...T[]]) =>
  (variant: number): T =>
    pick(list, variant);
const relationsOfAll = of('issues', 'merge_requests', 'milestones', 'releases', 'ci_pipelines');
const settings = of('description', 'visibility_level');
const refs = of<'branches' | 'tags'>('branches', 'tags');
const once = { count: 1 } as const;

export const lossKinds = {
  records: {
    recipe: 'caravan',
    action: (variant) => ({ kind: 'drop-records', relation: relationsOfAll(variant), ...once }),
  },
  notes: { recipe: 'compass', action: () => ({ kind: 'drop-notes', relation: 'issues', ...once }) },
  uploads: { recipe: 'almanac', action: () => ({ kind: 'drop-files', of: 'uploads', ...once }) },
  'LFS objects': { recipe: 'almanac', action: () => ({ kind: 'drop-files', of: 'lfs-objects', ...once }) },
  refs: { recipe: 'lighthouse', action: (variant) => ({ kind: 'drop-refs', of: refs(variant), ...once }) },
  members: {
    recipe: 'blank-slate',
    action: () => ({ kind: 'drop-records', relation: 'project_members', ...once }),
  },
  labels: { recipe: 'zolw', action: () => ({ kind: 'drop-records', relation: 'labels', ...once }) },
  settings: {
    recipe: 'museum',
    action: (variant) => ({ kind: 'drop-settings', names: [settings(variant)] }),
  },
  diffs: { recipe: 'ferry', action: () => ({ kind: 'drop-diffs', ...once }) },
  // Two records that are one: an export that holds one in place of another, and one that holds one twice.
  duplicates: {
    recipe: 'zolw',
    action: (variant, side) => ({
      kind: 'repeat-records',
      relation: pick(['labels', 'issues', 'milestones'], variant),
      ...once,
      instead: side === 'export',
    }),
  },
} satisfies Record<string, Kind>;
export type LossKind = keyof typeof lossKinds;
export const lossKindNames = Object.keys(lossKinds) as LossKind[];

export interface Tally {
  /** How often what was lost of a kind, on a side, was found how. */
  found: Record<string, Partial<Record<Found, number>>>;
  /** Sentences about what is wrong: a false alarm, a project that did not arrive, a fault that took nothing. */
  wrong: string[];
  losses: number;
  clean: number;
}

const recipeCount = 8;

/** @param clean how many projects are moved besides of which nothing is lost. */
export async function loseOneOfEach(folder: string, variants: number, clean: number): Promise<Tally> {
  // Two kinds take their projects from one recipe, on both sides each; the first eight are large.
  const rounds = 1 + variants * 4 + Math.ceil(clean / recipeCount);
  const scene = await openMigrationScene(folder, { source: { projects: rounds * recipeCount } });
  try {
    const free = scene.source.state.paths.slice(recipeCount);
    const take = (recipe: string): string => {
      const at = free.findIndex((path) => path.includes(`/${recipe}-`));
      return free.splice(at, 1)[0] ?? '';
    };
    const planned: { path: string; name: string }[] = [];
    for (const kind of lossKindNames) {
      for (const side of sides) {
        for (let variant = 0; variant < variants; variant += 1) {
          const path = take(lossKinds[kind].recipe);
          planned.push({ path, name: `${kind} on ${side}` });
          script(scene, path, kind, side, lossKinds[kind].action(variant, side));
          if (kind === 'members') await join(scene, path);
        }
      }
    }
    const untouched = free.slice(0, clean);
    const { id } = await scene.migration([...planned.map(({ path }) => path), ...untouched]);
    await scene.start(id);
    await scene.until(id, ({ status }) => status === 'ended');
    return await tallied(scene, planned, untouched);
  } finally {
    await scene.close();
  }
}

function script(
  { source, target }: MigrationScene,
  project: string,
  kind: LossKind,
  side: Side,
  action: FaultAction,
) {
  // What an archive holds twice is lost by the import, but it is the export that writes it so.
  const at = kind === 'duplicates' || side === 'export' ? source : target;
  at.faults.add({ match: { project, method: 'POST' }, action });
}

/** Makes one of the users whom both instances have a member of the project. */
async function join({ source }: MigrationScene, path: string): Promise<void> {
  const headers = { 'PRIVATE-TOKEN': source.tokens.administrator };
  const at = `${source.url}/api/v4/users?username=developer`;
  const [user] = (await (await fetch(at, { headers })).json()) as { id: number }[];
  const reply = await fetch(`${source.url}/api/v4/projects/${encodeURIComponent(path)}/members`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: user?.id, access_level: roles.developer }),
  });
  if (reply.status !== 201) throw new Error(`The sandbox answers ${reply.status} to a new member.`);
}

async function tallied(
  scene: MigrationScene,
  planned: readonly { path: string; name: string }[],
  untouched: readonly string[],
): Promise<Tally> {
  const tally: Tally = { found: {}, wrong: [], losses: 0, clean: untouched.length };
  const all = storedReconciliations(scene.dataDir);
  for (const { path, name } of [...planned, ...untouched.map((path) => ({ path, name: 'clean' }))]) {
    const losses = await lossesOf(scene, path);
    const said = all.get(path);
    if (said === undefined) tally.wrong.push(`${path} (${name}) was not compared`);
    else note(tally, name, losses, said, path);
    if (name !== 'clean' && losses.length === 0) tally.wrong.push(`${path}: ${name} took nothing`);
  }
  return tally;
}

function note(
  tally: Tally,
  name: string,
  losses: readonly KnownLoss[],
  said: Reconciliation,
  path: string,
): void {
  const { found, falseAlarms } = judged(losses, said);
  tally.losses += found.length;
  for (const { as } of found) {
    const counts = (tally.found[name] ??= {});
    counts[as] = (counts[as] ?? 0) + 1;
  }
  tally.wrong.push(...falseAlarms.map((alarm) => `${path} (${name}): ${alarm}`));
}

/** Both sandboxes tell what they left out of a project; the one that had a record tells its number. */
async function lossesOf({ source, target }: MigrationScene, path: string): Promise<KnownLoss[]> {
  const { relations } = await source.state.project(path);
  return [...source.state.losses, ...target.state.losses]
    .filter(({ project }) => project === path)
    .map((loss) => {
      const record = loss.phase === 'export' ? relations[loss.relation]?.[loss.line ?? -1] : undefined;
      const iid = record?.['iid'];
      return { ...loss, iid: typeof iid === 'number' ? iid : null };
    });
}
