/** @file Migrations as one thing: made from what the source tells, shown as their jobs stand, and tended while jobs run here. */
import { AppError, type ErrorData, type ErrorDetails } from '../../../src-contract/errors.ts';
import type { Placement, Migration, MigrationDraft } from '../../../src-contract/migrations/migration.ts';
import { placementSchema } from '../../../src-contract/migrations/migration-schema.ts';
import { readOverrides } from '../../../src-contract/projects/override-params.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { MigrationsPort as BridgePort } from '../../bridge/migrations/migration-ports.ts';
import type { StoredProject } from '../../catalogue/migrations/migrating-rows.ts';
import type { MigrationJobs } from '../../catalogue/migrations/migration-jobs.ts';
import type { ProjectMigrations, StoredMigration } from '../../catalogue/migrations/project-migrations.ts';
import {
  failedMove,
  isAtRest,
  isFrozen,
  isGivingBack,
  isSettled,
  movesToMakeAnew,
} from '../../jobs/migrations/migrating.ts';
import type { MigrationsPort as CoordinatorPort } from '../../jobs/migrations/migration-ports.ts';
import { mappedGroup, placed, splitPath, waveOf } from '../../jobs/migrations/placing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Announce } from '../events.ts';
import type { Differences } from './differences.ts';
import { validateDraft } from './migration-validation.ts';
import type { GroupMaking } from './group-making.ts';
import { assertHasProjects } from './migration-validation.ts';
import { createMigrationStatus } from './migration-status.ts';
import { projectIn } from './project-in.ts';

export interface MigrationParts {
  store: ProjectMigrations;
  moves: MigrationJobs;
  clock: Clock;
  announce: Announce;
  /** Name of the first step of jobs of a kind. */
  firstStep(kind: string): string;
  /** The projects of the source that a selection means, and that may be exported. */
  choose(source: string, selection: MigrationDraft['selection'], signal: AbortSignal): Promise<Project[]>;
  cancelJob(jobId: string, by: string): void;
  /** What a comparison found to differ, with what somebody accepted of it. */
  differences: Differences['judged'];
  compare: CoordinatorPort['compare'];
  /** Ids of the findings that somebody overrode. */
  overridden(id: string): ReadonlySet<string>;
  groups: GroupMaking;
  /** Jobs were made, or may be made now. */
  wake(): void;
}

export interface Migrations {
  forBridge: BridgePort;
  forCoordinator: CoordinatorPort;
  /** Imports of projects of which somebody accepted differences, and which lack nothing else. */
  acceptedImports(): string[];
}

/** Without what was left open. */
const given = (parts: object): object =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));

export function createMigrations(parts: MigrationParts): Migrations {
  const { store, clock } = parts;
  const standing = createMigrationStatus({
    ...parts,
    earlierFailures: (id, importJob) => parts.moves.earlierFailures(id, importJob),
    makesGroups: (id) => parts.groups.isUnderWay(id),
  });

  const changed = (id: string): Migration => {
    parts.announce('migration.changed', { migrationId: id });
    parts.wake();
    return standing.show(store.get(id));
  };
  const mustBeDraft = (migration: StoredMigration): void => {
    if (migration.status === 'draft') return;
    throw new AppError('migration-started', `"${migration.draft.name}" was started.`);
  };
  /** Nothing that was found stands in its way, unless somebody overrode it. */
  const mustBeReady = ({ id, draft, check }: StoredMigration, createGroups: boolean): void => {
    const blocked = (why: string, details: ErrorDetails = {}): AppError =>
      new AppError('migration-blocked', why, { details: { migration: draft.name, ...details } });
    assertHasProjects(draft.name, store.projects(id));
    if (check === null) throw blocked(`"${draft.name}" was not checked since it was last changed.`);
    const overridden = parts.overridden(id);
    const [first, ...more] = check.blockers.filter((finding) => !overridden.has(finding));
    if (first !== undefined) {
      const others = more.length === 0 ? '' : ` and ${more.length} more`;
      throw blocked(`The check found what stands in its way: ${first}${others}.`);
    }
    const [lacking] = createGroups ? [] : parts.groups.lacking(id, check.missingGroups);
    if (lacking !== undefined) {
      throw blocked(`The target lacks the group ${lacking.path}, and groups are not to be created.`, {
        lacksGroups: true,
      });
    }
  };
  /** What is replaced is confirmed when a migration starts, goes on or tries again; while it moves, nobody would be asked. */
  const mustBeConfirmedLater = (
    { id, draft, status }: StoredMigration,
    project: StoredProject,
    { placement, leftOut }: Pick<StoredProject, 'placement' | 'leftOut'>,
  ): void => {
    const before = project.placement;
    const isConfirmed =
      before.overwrite &&
      !project.leftOut &&
      before.namespace === placement.namespace &&
      before.path === placement.path;
    const rests = leftOut || isSettled({ ...standing.of(id, project), leftOut }, draft.freeze);
    if (status !== 'running' || rests || !placement.overwrite || isConfirmed) return;
    throw new AppError(
      'invalid-input',
      `"${draft.name}" is under way, and would replace the project at ${placement.namespace}/${placement.path} without a question: pause it first.`,
      { details: { wrong: 'state' } },
    );
  };
  /** One that was started and did not end may be paused, and one that was paused started. */
  const mustRun = (migration: StoredMigration): void => {
    if (migration.status === 'draft' || migration.status === 'cancelled') {
      throw new AppError('invalid-input', `"${migration.draft.name}" is not under way.`, {
        details: { wrong: 'state' },
      });
    }
  };

  /**
   * Lets what failed for such a reason be moved again, from the move that failed, and what was given up from its beginning: its source
   * was open meanwhile.
   */
  const takeUp = (
    { id }: StoredMigration,
    projects: readonly StoredProject[],
    isReason: (error: ErrorData | null) => boolean,
  ): void => {
    for (let project of projects) {
      for (;;) {
        const migrating = standing.of(id, project);
        const failed = failedMove(migrating);
        if (failed !== null && !isReason(failed.error)) break;
        const seen = { thaw: project.jobs.thaw?.jobId ?? null, marked: isFrozen(migrating) };
        if (parts.moves.forget(id, project.sourceId, movesToMakeAnew(migrating), seen)) break;
        project = store.project(id, String(project.sourceId));
      }
    }
  };

  const chooseProjects = async (draft: MigrationDraft, signal: AbortSignal) => {
    const chosen = await parts.choose(draft.source, draft.selection, signal);
    return chosen
      .toSorted((one, other) => (one.fullPath < other.fullPath ? -1 : 1))
      .map(({ id, fullPath, name }, at) => ({
        sourceId: id,
        sourcePath: fullPath,
        wave: waveOf(at, draft.waveSize),
        placement: placed({ fullPath, name }, draft.rules),
      }));
  };

  return {
    forBridge: {
      list: () => store.list().map((migration) => standing.show(migration)),
      show: (reference) => standing.show(store.get(reference)),
      projects: (reference) => standing.projects(store.get(reference)),
      async create(draft, signal) {
        validateDraft(draft);
        const projects = await chooseProjects(draft, signal);
        return changed(store.create(draft, projects, clock.now()).id);
      },
      async change(reference, changes, signal) {
        const migration = store.get(reference);
        mustBeDraft(migration);
        const draft = { ...migration.draft, ...changes };
        validateDraft(draft);
        const chosenAnew = changes.selection === undefined ? null : await chooseProjects(draft, signal);
        store.change(migration.id, draft, chosenAnew);
        if (chosenAnew === null && (changes.rules !== undefined || changes.waveSize !== undefined)) {
          const before = migration.draft;
          store.place(
            migration.id,
            store.projects(migration.id).map((project, at) => {
              const { group } = splitPath(project.sourcePath);
              const namespace = mappedGroup(group, draft.rules);
              const byRule = mappedGroup(group, before.rules) === project.placement.namespace;
              return {
                ...project,
                // One that a person placed stays where it was placed.
                placement: byRule ? { ...project.placement, namespace } : project.placement,
                wave: changes.waveSize === undefined ? project.wave : waveOf(at, draft.waveSize),
              };
            }),
          );
        }
        return changed(migration.id);
      },
      remove(reference) {
        const migration = store.get(reference);
        const { status } = standing.show(migration);
        if (status === 'running' || status === 'paused') {
          throw new AppError('migration-started', `"${migration.draft.name}" has not ended.`);
        }
        const marked = store
          .projects(migration.id)
          .find((project) => isGivingBack(standing.of(migration.id, project)));
        if (marked !== undefined) {
          throw new AppError(
            'migration-started',
            `"${migration.draft.name}" cannot be removed yet: the mark as archived is still to be taken from ${marked.sourcePath}.`,
          );
        }
        store.remove(migration.id);
        parts.announce('migration.changed', { migrationId: migration.id });
      },
      place(reference, wanted) {
        const migration = store.get(reference);
        const changes = wanted.map(({ project: named, placement, wave, leftOut }) => {
          // A project that has failed is tried again without another look at where it goes.
          readOverrides(placement?.overrideParams ?? {});
          const project = projectIn(store, migration.id, named);
          if (project.jobs.import !== undefined && project.jobs.import.status === 'succeeded') {
            throw new AppError('migration-started', `${project.sourcePath} was imported.`);
          }
          if (
            project.jobs.import !== undefined &&
            !isSettled(standing.of(migration.id, project), migration.draft.freeze)
          ) {
            throw new AppError('migration-started', `${project.sourcePath} is on its way.`);
          }
          const place = {
            sourceId: project.sourceId,
            placement: placementSchema.parse({
              ...project.placement,
              ...nameBeside(project.placement, placement?.path),
              ...given(placement ?? {}),
            }),
            wave: wave ?? project.wave,
            leftOut: leftOut ?? project.leftOut,
          };
          mustBeConfirmedLater(migration, project, place);
          return place;
        });
        store.place(migration.id, changes);
        changed(migration.id);
      },
      start(reference, createGroups) {
        const migration = store.get(reference);
        mustBeReady(migration, createGroups);
        if (createGroups) parts.groups.want(migration.id, migration.check?.missingGroups ?? []);
        // Whoever starts again after interruptions expects that nothing is left behind because of them.
        takeUp(migration, store.projects(migration.id), (error) => error?.code === 'interrupted');
        store.setStatus(migration.id, 'running');
        return changed(migration.id);
      },
      pause(reference) {
        const migration = store.get(reference);
        mustRun(migration);
        store.setStatus(migration.id, 'paused');
        return changed(migration.id);
      },
      cancel(reference, by) {
        const migration = store.get(reference);
        mustRun(migration);
        store.setStatus(migration.id, 'cancelled');
        // A mark that is being taken away is taken away all the same.
        const givesBack = new Set(store.projects(migration.id).map(({ jobs }) => jobs.thaw?.jobId));
        for (const job of parts.moves.openJobs(migration.id)) {
          if (!givesBack.has(job)) parts.cancelJob(job, by);
        }
        return changed(migration.id);
      },
      again(reference, named) {
        const migration = store.get(reference);
        const all = named === null ? store.projects(migration.id) : [projectIn(store, migration.id, named)];
        takeUp(migration, all, () => true);
        parts.groups.want(migration.id, []);
        store.setStatus(migration.id, 'running');
        return changed(migration.id);
      },
    },

    acceptedImports: () =>
      store
        .withAcceptances()
        .flatMap(({ id, project }) =>
          project.jobs.import !== undefined && standing.isAccepted(id, project)
            ? [project.jobs.import.jobId]
            : [],
        ),

    forCoordinator: {
      tended: () =>
        store.tended().map((migration) => ({
          ...migration,
          waitsForGroups: parts.groups.isUnderWay(migration.id),
        })),
      rest(id) {
        store.rest(id, () => {
          const { status, draft } = store.get(id);
          const projects = store.projects(id).map((project) => standing.of(id, project));
          return !parts.groups.isUnderWay(id) && isAtRest(status, projects, draft.freeze);
        });
      },
      projects: (id) =>
        store.projects(id).map((project) => ({
          ...standing.of(id, project),
          sourcePath: project.sourcePath,
          placement: project.placement,
          target: project.target,
          archive: project.archive,
        })),
      beginGroups: (id) => parts.groups.tend(id, store.get(id).draft.target),
      begin(id, project, move, job) {
        const made = parts.moves.begin(
          id,
          project,
          move,
          { ...job, firstStep: parts.firstStep(job.kind) },
          clock.now(),
        );
        if (made !== null) parts.wake();
        return made !== null;
      },
      compare: parts.compare,
      compareFailed(id, sourceId, error) {
        store.noteComparingError(id, sourceId, error.toData());
      },
    },
  };
}

/** A project that is put beside its first place gets a name of its own: GitLab refuses two of one name in a group. */
const nameBeside = ({ path }: Placement, wanted: string | undefined): Partial<Placement> =>
  wanted === undefined || wanted === path ? {} : { name: null };
