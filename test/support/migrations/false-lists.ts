/** @file Migrations between two sandboxes whose lists contradict themselves, and the results of their comparisons. */
import { onTestFinished } from 'vitest';
import type { Comparison, Reconciliation } from '../../../src-contract/transfers/import.ts';
import type { ListFault } from '../../../src-main/sandbox/faults/fault-kinds.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openMigrationScene, storedReconciliations, type MigrationScene } from './migration-scene.ts';

export const hiddenRow: ListFault = { kind: 'false-list', as: 'hidden-rows', count: 1 };
export const largerTotal: ListFault = { kind: 'false-list', as: 'total', by: 1 };

/** Paths of the lists below a project, by relation. */
const lists = {
  issues: 'issues',
  merge_requests: 'merge_requests',
  milestones: 'milestones',
  labels: 'labels',
  releases: 'releases',
  ci_pipelines: 'pipelines',
  branches: 'repository/branches',
  tags: 'repository/tags',
  project_members: 'members',
  uploads: 'uploads',
  protected_branches: 'protected_branches',
  protected_tags: 'protected_tags',
};
export type ComparedList = keyof typeof lists;
export const comparedLists = Object.keys(lists) as ComparedList[];

/** Matches only requests for 100 rows: those that read a list in full. */
export const fullList = (relation: ComparedList): string => `/${lists[relation]}\\?.*per_page=100`;
/** Matches only requests for one row: those that count. */
export const countedList = (relation: ComparedList): string => `/${lists[relation]}\\?.*per_page=1(&|$)`;

/** Makes a list of the project false, always or as often as `times`. */
export function falsify(
  sandbox: Sandbox,
  project: string,
  path: string,
  action: ListFault,
  times?: number,
): void {
  sandbox.faults.add({ match: { project, path, ...(times !== undefined && { times }) }, action });
}

/** Makes exports (on a source) or imports (on a target) of the project lose records. */
export function drop(sandbox: Sandbox, project: string, relation: string, count = 1): void {
  sandbox.faults.add({
    match: { method: 'POST', project },
    action:
      relation === 'uploads'
        ? { kind: 'drop-files', of: 'uploads', count }
        : { kind: 'drop-records', relation, count },
  });
}

const noDelays = { exportStartedMs: 0, importScheduledMs: 0, importStartedMs: 0 };

/** Opens a scene until the test ends. */
export async function openFastScene(
  projectCount: number,
  { areProjectsLight = true } = {},
): Promise<MigrationScene> {
  const scene = await openMigrationScene(temporaryFolder(), {
    source: { projectCount, areProjectsLight, speed: noDelays },
    target: { speed: noDelays },
  });
  onTestFinished(() => scene.close());
  return scene;
}

/** Migrates the projects to the end, and returns the id of the migration. */
export async function migrate(scene: MigrationScene, ...paths: string[]): Promise<string> {
  const { id } = await scene.migration(paths);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return id;
}

export function comparisonOf({ dataDir }: MigrationScene, path: string): Reconciliation {
  const reconciliation = storedReconciliations(dataDir).get(path);
  if (reconciliation === undefined) throw new Error(`${path} was not compared.`);
  return reconciliation;
}

export const rowOf = ({ rows }: Reconciliation, relation: string): Comparison | undefined =>
  rows.find((row) => row.relation === relation);
export const lostRows = ({ rows }: Reconciliation): Comparison[] =>
  rows.filter(({ verdict }) => verdict.startsWith('lost'));
