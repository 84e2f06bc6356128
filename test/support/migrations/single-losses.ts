/** @file Migrates many projects that each lose one item, and collects the report of the migration about each. */
import { join } from 'node:path';
import { roles } from '../../../src-main/sandbox/sandbox-database.ts';
import { uncountedRelations } from '../../../src-contract/relations.ts';
import { projectFeatures } from '../../../src-contract/projects/project-attributes.ts';
import type { FaultAction } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { changedNoteAuthor, changedNoteValues, changedPeople, changedValues } from './changed-values.ts';
import { assessLosses, type Detection, type KnownLoss } from './verdict-losses.ts';
import { openMigrationScene, storedReconciliations, type MigrationScene } from './migration-scene.ts';

export const sides = ['export', 'import'] as const;
type Side = (typeof sides)[number];

interface Kind {
  /** The kind of project that has the lost part, see the recipes of the sandbox. */
  recipe: string;
  /** Number of variants that differ by more than their project; the next ones repeat the first. Default: one. */
  distinct?: number;
  action: (variant: number, side: Side) => FaultAction;
  /** Adds the part that will be lost to the source's project. */
  prepare?: (send: Send, variant: number, userId: (name: string) => Promise<number>) => Promise<void>;
}
/** Sends a request below the project to the source and asserts the status of the reply. */
type Send = (method: string, path: string, body: object, status: number) => Promise<void>;

const pick = <T>(list: readonly [T, ...T[]], variant: number): T => list[variant % list.length] ?? list[0];
const countedRecords = ['issues', 'merge_requests', 'milestones', 'releases', 'ci_pipelines'] as const;
export const droppedRelations = [
  ...[...countedRecords, ...uncountedRelations],
  ...(['commit_notes', 'protected_environments', 'approval_rules'] as const),
] as const;
const notedRelations = ['issues', 'snippets'] as const;
const repeatedRelations = ['labels', 'issues', 'milestones'] as const;
/** Levels that no new project has. Features with compared lists stay enabled. */
const featureLevels = Object.fromEntries(
  projectFeatures.map((feature) => {
    const isPrivate = feature === 'pages' || feature === 'security_and_compliance';
    return [`${feature}_access_level`, isPrivate ? 'enabled' : feature === 'wiki' ? 'disabled' : 'private'];
  }),
);
/** Settings of pipelines that exports contain. */
const pipelineSettings = { group_runners_enabled: false, ci_default_git_depth: 50 };
const cleanupPolicy = { cadence: '7d', keep_n: 5, older_than: '14d', name_regex_keep: 'stable' };
/** Settings of pipelines that exports do not contain. */
const notExported = { ci_forward_deployment_enabled: false, keep_latest_artifact: false };

/**
 * Columns of GitLab's tables, with the values that the API sets on the source, so that its project differs from a new
 * one.
 */
interface Settings {
  columns: string[];
  edit: object | null;
}
const settings: readonly [Settings, ...Settings[]] = [
  { columns: ['description'], edit: null },
  { columns: ['visibility_level'], edit: null },
  { columns: ['build_timeout'], edit: { build_timeout: 7200 } },
  { columns: ['public_builds'], edit: { public_jobs: false } },
  { columns: ['squash_option'], edit: { squash_option: 'always' } },
  { columns: ['merge_requests_ff_only_enabled'], edit: { merge_method: 'ff' } },
  { columns: ['merge_commit_template'], edit: { merge_commit_template: '%{title}' } },
  { columns: Object.keys(featureLevels), edit: featureLevels },
  { columns: ['group_runners_enabled'], edit: pipelineSettings },
  { columns: Object.keys(cleanupPolicy), edit: { container_expiration_policy_attributes: cleanupPolicy } },
  { columns: ['approvals_before_merge'], edit: { approvals_before_merge: 3 } },
  { columns: ['default_git_depth', 'build_timeout'], edit: { ...pipelineSettings, build_timeout: 7200 } },
];
const refs = ['branches', 'tags'] as const;
const relationsWithNotes = ['issues', 'merge_requests'] as const;

const changes = Object.entries(changedValues).map(([relation, fields]) => ({
  relation,
  values: Object.assign({}, ...Object.values({ ...fields, ...changedPeople[relation] })) as Record<
    string,
    unknown
  >,
})) as [{ relation: string; values: Record<string, unknown> }];

const plainNoteValues = { ...changedNoteValues.text, ...changedNoteValues.internal };
const noteChanges: [NoteChange, ...NoteChange[]] = [
  { relation: 'issues', values: plainNoteValues },
  { relation: 'snippets', values: plainNoteValues },
  { relation: 'commit_notes', values: { ...plainNoteValues, ...changedNoteAuthor } },
  {
    ...{ relation: 'merge_requests', type: 'DiffNote' },
    values: Object.assign({}, ...Object.values(changedNoteValues)) as Record<string, unknown>,
  },
  { relation: 'issues', system: true, values: { ...changedNoteValues.text, ...changedNoteAuthor } },
  { relation: 'merge_requests', values: changedNoteAuthor },
];
interface NoteChange {
  relation: string;
  system?: true;
  type?: string;
  values: Record<string, unknown>;
}

const once = { count: 1 } as const;

const diff = 'merge_request_diff';
const changedFile = (name: string) => ({
  ...{ old_path: name, new_path: name, a_mode: '0', b_mode: '100644', utf8_diff: 'changed' },
});
/** Each diff of a sandbox has two files. */
const changedDiffs: [FaultAction, ...FaultAction[]] = [
  { kind: 'drop-diffs', ...once },
  {
    ...{ kind: 'change-records', relation: 'merge_requests', ...once },
    values: { [`${diff}.merge_request_diff_files`]: [changedFile('changes/1.txt')] },
  },
  {
    ...{ kind: 'change-records', relation: 'merge_requests', ...once },
    values: {
      [`${diff}.merge_request_diff_files`]: ['1', '2'].map((name) => changedFile(name)),
      [`${diff}.merge_request_diff_commits`]: [{ sha: 'c0ffee'.repeat(6) }],
      ...Object.fromEntries(
        ['base', 'start', 'head'].map((name) => [`${diff}.${name}_commit_sha`, 'decade'.repeat(6)]),
      ),
    },
  },
];

export const lossKinds = {
  records: {
    recipe: 'caravan',
    distinct: droppedRelations.length,
    action: (variant) => ({ kind: 'drop-records', relation: pick(droppedRelations, variant), ...once }),
  },
  notes: {
    recipe: 'caravan',
    distinct: notedRelations.length,
    action: (variant) => ({ kind: 'drop-notes', relation: pick(notedRelations, variant), ...once }),
  },
  'system notes': {
    recipe: 'ferry',
    distinct: relationsWithNotes.length,
    action: (variant) => ({
      ...{ kind: 'drop-notes', relation: pick(relationsWithNotes, variant), ...once, system: true },
    }),
  },
  uploads: { recipe: 'almanac', action: () => ({ kind: 'drop-files', of: 'uploads', ...once }) },
  'wiki pages': { recipe: 'almanac', action: () => ({ kind: 'change-files', of: 'wiki', count: 1 }) },
  'LFS objects': { recipe: 'almanac', action: () => ({ kind: 'drop-files', of: 'lfs-objects', ...once }) },
  refs: {
    recipe: 'lighthouse',
    distinct: refs.length,
    action: (variant) => ({ kind: 'drop-refs', of: pick(refs, variant), ...once }),
  },
  members: {
    recipe: 'blank-slate',
    action: () => ({ kind: 'drop-records', relation: 'project_members', ...once }),
    // Adds one of the users that both instances have.
    prepare: async (send, _variant, userId) => {
      await send(
        'POST',
        '/members',
        { user_id: await userId('developer'), access_level: roles.developer },
        201,
      );
    },
  },
  labels: { recipe: 'zolw', action: () => ({ kind: 'drop-records', relation: 'labels', ...once }) },
  settings: {
    recipe: 'museum',
    distinct: settings.length,
    action: (variant) => ({ kind: 'drop-settings', names: pick(settings, variant).columns }),
    prepare: async (send, variant) => {
      const { edit } = pick(settings, variant);
      if (edit !== null) await send('PUT', '', edit, 200);
    },
  },
  'custom attributes': {
    recipe: 'blank-slate',
    action: () => ({ kind: 'drop-settings', names: ['location'] }),
    prepare: async (send) => send('PUT', '/custom_attributes/location', { value: 'Berlin' }, 200),
  },
  contents: {
    recipe: 'caravan',
    distinct: changes.length,
    action: (variant) => ({ kind: 'change-records', ...pick(changes, variant), ...once }),
  },
  'contents of notes': {
    recipe: 'caravan',
    distinct: noteChanges.length,
    // Each note on a commit is a record.
    action: (variant) => {
      const change = { ...pick(noteChanges, variant), ...once };
      const { type: _, ...records } = change;
      return change.relation === 'commit_notes'
        ? { kind: 'change-records', ...records }
        : { kind: 'change-notes', ...change };
    },
  },
  diffs: {
    recipe: 'ferry',
    distinct: changedDiffs.length,
    action: (variant) => pick(changedDiffs, variant),
  },
  // A record occurs twice: in place of another one in the export, or in addition to the others.
  duplicates: {
    recipe: 'zolw',
    distinct: repeatedRelations.length,
    action: (variant, side) => ({
      kind: 'repeat-records',
      relation: pick(repeatedRelations, variant),
      ...once,
      instead: side === 'export',
    }),
  },
} satisfies Record<string, Kind>;
export type LossKind = keyof typeof lossKinds;
export const lossKindNames = Object.keys(lossKinds) as LossKind[];

/** Returns the number of variants of a kind that differ from each other. */
export const distinctVariants = (kind: LossKind): number => (lossKinds[kind] as Kind).distinct ?? 1;

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
const maxLossesPerMigration = 40;

interface PlannedLoss {
  kind: LossKind;
  side: Side;
  variant: number;
}

/** Returns the number of losses of a project of that kind. */
export function lossCount(kind: LossKind, variant: number, side: Side): number {
  const action: FaultAction = lossKinds[kind].action(variant, side);
  if (action.kind === 'drop-settings') return action.names.length;
  if (action.kind === 'change-records' || action.kind === 'change-notes')
    return Object.keys(action.values).length;
  // The import refuses the copy that replaces a record, which is a second loss.
  return kind === 'duplicates' && side === 'export' ? 2 : 1;
}

/** Returns the number of projects that lose something in `loseOneOfEach`. */
export const losingProjectCount = (variants: number): number =>
  variants * lossKindNames.length * sides.length;

/**
 * Migrates projects in small migrations, one after the other.
 * @param variants number of projects that lose something, for each kind on each side.
 * @param clean number of additional projects without a loss in each migration.
 */
export async function migrateWithLosses(
  folder: string,
  variants: (kind: LossKind) => number,
  clean: number,
  onProgress: (sofar: Tally) => void = () => undefined,
): Promise<Tally> {
  const total: Tally = { found: {}, wrong: [], losses: 0, clean: 0, verified: 0 };
  const losses = lossKindNames
    .flatMap((kind) =>
      Array.from({ length: variants(kind) }, (_, variant) => sides.map((side) => ({ kind, side, variant }))),
    )
    .flat()
    .sort((a, b) => a.variant - b.variant);
  for (let from = 0; from < losses.length; from += maxLossesPerMigration) {
    const some = losses.slice(from, from + maxLossesPerMigration);
    const part = await loseInOneMigration(join(folder, `from-${from}`), some, clean);
    for (const [name, counts] of Object.entries(part.found)) {
      const sum = (total.found[name] ??= {});
      for (const [as, times] of Object.entries(counts) as [Detection, number][])
        sum[as] = (sum[as] ?? 0) + times;
    }
    total.wrong.push(...part.wrong);
    total.losses += part.losses;
    total.clean += part.clean;
    total.verified += part.verified;
    onProgress(total);
  }
  return total;
}

async function loseInOneMigration(
  folder: string,
  losses: readonly PlannedLoss[],
  clean: number,
): Promise<Tally> {
  const perRecipe = Object.groupBy(losses, ({ kind }) => lossKinds[kind].recipe);
  const maxPerRecipe = Math.max(...Object.values(perRecipe).map((some = []) => some.length));
  // The first eight projects are large.
  const rounds = 1 + maxPerRecipe + Math.ceil(clean / recipeCount);
  const scene = await openMigrationScene(folder, {
    source: { projectCount: rounds * recipeCount, speed: noDelays },
    target: { speed: noDelays },
  });
  try {
    const free = scene.source.state.paths.slice(recipeCount);
    const take = (recipe: string): string => {
      const at = free.findIndex((path) => path.includes(`/${recipe}-`));
      return free.splice(at, 1)[0] ?? '';
    };
    const planned: { path: string; name: string }[] = [];
    for (const { kind, side, variant } of losses) {
      const path = take(lossKinds[kind].recipe);
      planned.push({ path, name: `${kind} on ${side}` });
      script(scene, path, kind, side, lossKinds[kind].action(variant, side));
      await prepare(scene, path, lossKinds[kind], variant);
    }
    const untouched = free.slice(0, clean);
    for (const path of untouched)
      await sendRequest(
        scene,
        path,
        'PUT',
        '',
        { ...featureLevels, ...pipelineSettings, ...notExported },
        200,
      );
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

function script(
  { source, target }: MigrationScene,
  project: string,
  kind: LossKind,
  side: Side,
  action: FaultAction,
) {
  // The import drops a duplicate, but the export writes it.
  const at = kind === 'duplicates' || side === 'export' ? source : target;
  at.faults.add({ match: { project, method: 'POST' }, action });
}

async function prepare(scene: MigrationScene, path: string, kind: Kind, variant: number): Promise<void> {
  await kind.prepare?.(
    (...request) => sendRequest(scene, path, ...request),
    variant,
    async (name) => {
      const { source } = scene;
      const headers = { 'PRIVATE-TOKEN': source.tokens.administrator };
      const reply = await fetch(`${source.url}/api/v4/users?username=${name}`, { headers });
      const [user] = (await reply.json()) as { id: number }[];
      if (user === undefined) throw new Error(`The sandbox has no ${name}.`);
      return user.id;
    },
  );
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
  planned: readonly { path: string; name: string }[],
  untouched: readonly string[],
): Promise<Tally> {
  const tally: Tally = { found: {}, wrong: [], losses: 0, clean: untouched.length, verified: 0 };
  const all = storedReconciliations(scene.dataDir);
  for (const { path, name } of [...planned, ...untouched.map((path) => ({ path, name: 'clean' }))]) {
    const losses = await lossesOf(scene, path);
    const reported = all.get(path);
    if (reported === undefined) tally.wrong.push(`${path} (${name}) was not compared`);
    else {
      recordFindings(tally, name, losses, reported, path);
      const declarations = reported.declared.join();
      if (declarations.includes('does not know')) tally.wrong.push(`${path}: ${declarations}`);
      const isDeclared = Object.keys(notExported).every((setting) => declarations.includes(setting));
      if (name === 'clean' && !isDeclared)
        tally.wrong.push(`${path}: the settings that no export contains are not declared`);
    }
    if (name !== 'clean' && losses.length === 0) tally.wrong.push(`${path}: ${name} caused no loss`);
  }
  return tally;
}

function recordFindings(
  tally: Tally,
  name: string,
  losses: readonly KnownLoss[],
  reported: Reconciliation,
  path: string,
): void {
  const { found, falseAlarms } = assessLosses(losses, reported);
  tally.losses += found.length;
  for (const { as } of found) {
    const counts = (tally.found[name] ??= {});
    counts[as] = (counts[as] ?? 0) + 1;
  }
  tally.wrong.push(...falseAlarms.map((alarm) => `${path} (${name}): ${alarm}`));
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
