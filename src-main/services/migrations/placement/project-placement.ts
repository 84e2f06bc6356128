/** @file Places the projects of a migration, by its rules or by a person's choice. */
import { AppError } from '../../../../src-contract/errors.ts';
import { placementSchema } from '../../../../src-contract/migrations/migration-schema.ts';
import type { MigrationDraft, Placement } from '../../../../src-contract/migrations/migration.ts';
import { readOverrides } from '../../../../src-contract/transfers/override-params.ts';
import type { StoredProject } from '../../../catalogue/migrations/migrating-rows.ts';
import type { ProjectMigrations, StoredMigration } from '../../../catalogue/migrations/project-migrations.ts';
import { isSettled } from '../../../jobs/migrations/migrating.ts';
import { mapGroup, splitPath, waveOf } from '../../../jobs/migrations/placing.ts';
import type { MigrationStatusReader } from '../migration-status.ts';
import { findMigrationProject } from './find-migration-project.ts';

export interface PlacementChange {
  project: string;
  placement?: { [Part in keyof Placement]?: Placement[Part] | undefined } | undefined;
  wave?: number | undefined;
  leftOut?: boolean | undefined;
}

type PlacedProject = Pick<StoredProject, 'sourceId' | 'placement' | 'wave' | 'leftOut'>;

interface Deps {
  projectMigrations: Pick<ProjectMigrations, 'get' | 'project'>;
  status: Pick<MigrationStatusReader, 'statusOf'>;
}

/** Throws `project-missing`, `invalid-input`, and `migration-started` for a project that was or is being imported. */
export function resolvePlacements(
  deps: Deps,
  migration: StoredMigration,
  changes: readonly PlacementChange[],
): PlacedProject[] {
  return changes.map((one) => resolvePlacement(deps, migration, one));
}

function resolvePlacement(
  deps: Deps,
  migration: StoredMigration,
  { project: projectReference, placement, wave, leftOut }: PlacementChange,
): PlacedProject {
  // Checked here, because a failed project is retried without another check of its placement.
  readOverrides(placement?.overrideParams ?? {});
  const project = findMigrationProject(deps.projectMigrations, migration.id, projectReference);
  const { import: importJob } = project.jobs;
  if (importJob?.status === 'succeeded') {
    throw new AppError('migration-started', `${project.sourcePath} was imported.`);
  }
  if (
    importJob !== undefined &&
    !isSettled(deps.status.statusOf(migration.id, project), migration.draft.freeze)
  ) {
    throw new AppError('migration-started', `${project.sourcePath} is being imported.`);
  }
  const resolved = {
    sourceId: project.sourceId,
    placement: placementSchema.parse({
      ...project.placement,
      ...clearNameIfPathChanges(project.placement, placement?.path),
      ...withoutUndefined(placement ?? {}),
    }),
    wave: wave ?? project.wave,
    leftOut: leftOut ?? project.leftOut,
  };
  assertNoNewReplacement(deps, migration, project, resolved);
  return resolved;
}

/**
 * Throws `invalid-input` for a new replacement while the migration runs. Replacements are confirmed when a migration
 * starts, resumes or is retried.
 */
function assertNoNewReplacement(
  { status: projectStatus }: Deps,
  { id, draft, status }: StoredMigration,
  project: StoredProject,
  { placement, leftOut }: PlacedProject,
): void {
  const before = project.placement;
  const isConfirmed =
    before.overwrite &&
    !project.leftOut &&
    before.namespace === placement.namespace &&
    before.path === placement.path;
  const isInactive =
    leftOut || isSettled({ ...projectStatus.statusOf(id, project), isExcluded: leftOut }, draft.freeze);
  if (status !== 'running' || isInactive || !placement.overwrite || isConfirmed) return;
  throw new AppError(
    'invalid-input',
    `"${draft.name}" is in progress, and would replace the project at ${placement.namespace}/${placement.path} without confirmation: pause it first.`,
    { details: { wrong: 'state' } },
  );
}

/** Returns the placements after a change of rules or wave size. A project that a person placed keeps its placement. */
export function placementsByRules(
  projects: readonly StoredProject[],
  before: Pick<MigrationDraft, 'rules'>,
  { rules, waveSize }: Pick<MigrationDraft, 'rules' | 'waveSize'>,
  reassignsWaves: boolean,
): StoredProject[] {
  return projects.map((project, index) => {
    const { group } = splitPath(project.sourcePath);
    const namespace = mapGroup(group, rules);
    const isByRule = mapGroup(group, before.rules) === project.placement.namespace;
    return {
      ...project,
      placement: isByRule ? { ...project.placement, namespace } : project.placement,
      wave: reassignsWaves ? waveOf(index, waveSize) : project.wave,
    };
  });
}

/** Clears the name if the path changes: GitLab refuses two projects with the same name in a group. */
const clearNameIfPathChanges = ({ path }: Placement, newPath: string | undefined): Partial<Placement> =>
  newPath === undefined || newPath === path ? {} : { name: null };

const withoutUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
