/** @file Migrations as one thing: made from what the source tells, shown as their jobs stand, and tended while jobs run here. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import {
  migratingStates,
  placementSchema,
  type MigratingProject,
  type Migration,
  type MigrationDraft,
} from '../../../src-preload/contract/migrations/migration.ts';
import type { Project } from '../../../src-preload/contract/projects/project.ts';
import type { MigrationsPort as BridgePort } from '../../bridge/migrations/migration-ports.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import type {
  ProjectMigrations,
  StoredMigration,
  StoredProject,
} from '../../catalogue/migrating/project-migrations.ts';
import {
  currentWave,
  failedMove,
  isFrozen,
  isSettled,
  moves,
  stateOf,
  type Migrating,
} from '../../jobs/migrations/migrating.ts';
import type { MigrationsPort as TenderPort } from '../../jobs/migrations/migration-ports.ts';
import { conflictsOf, placed, waveOf } from '../../jobs/migrations/placing.ts';
import { agreesButAccepted, type AcceptedRecord } from '../../jobs/migrations/settled.ts';
import { isoTime, type Clock } from '../../platform/clock.ts';
import type { Announce } from '../events.ts';
import type { GroupMaking } from './group-making.ts';

export interface MigrationParts {
  store: ProjectMigrations;
  jobs: JobStore;
  clock: Clock;
  announce: Announce;
  /** Name of the first step of jobs of a kind. */
  firstStep(kind: string): string;
  /** The projects of the source that a selection means, and that may be exported. */
  choose(source: string, selection: MigrationDraft['selection'], signal: AbortSignal): Promise<Project[]>;
  cancelJob(jobId: string, by: string): void;
  /** Failures of an import that nobody settled. */
  failures(importJob: string): { open: number; total: number; truncated: boolean };
  /** Records of an import that failed and that somebody accepted to be without. */
  accepted(importJob: string): AcceptedRecord[];
  compare: TenderPort['compare'];
  /** Ids of the findings that somebody overrode. */
  overridden(id: string): ReadonlySet<string>;
  groups: GroupMaking;
  /** Jobs were made, or may be made now. */
  wake(): void;
}

export interface Migrations {
  forBridge: BridgePort;
  forTender: TenderPort;
}

/** Without what was left open. */
const given = (parts: object): object =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));

const noFailures = { open: 0, total: 0, truncated: false };

export function createMigrations(parts: MigrationParts): Migrations {
  const { store, jobs, clock } = parts;

  const failuresOf = (project: StoredProject) =>
    project.jobs.import?.status === 'succeeded' ? parts.failures(project.jobs.import.jobId) : noFailures;
  /** Null while nobody compared what arrived since the last of its imports. */
  const agrees = ({ reconciliation, retries, jobs: { import: imported } }: StoredProject): boolean | null => {
    if (reconciliation === null || imported === undefined || retries.uncompared > 0) return null;
    return reconciliation.reconciled || agreesButAccepted(reconciliation, parts.accepted(imported.jobId));
  };
  const migrating = (project: StoredProject): Migrating => ({
    sourceId: project.sourceId,
    wave: project.wave,
    leftOut: project.leftOut,
    jobs: project.jobs,
    reconciled: agrees(project),
    openFailures: failuresOf(project).open,
    retrying: project.retries.open > 0,
  });

  const shown = (migration: StoredMigration): Migration => {
    const { id, draft, createdAt, check } = migration;
    const projects = store.projects(id).map(migrating);
    const counts = Object.fromEntries(migratingStates.map((state) => [state, 0])) as Migration['projects'];
    for (const project of projects) counts[stateOf(project, draft.freeze, migration.status)] += 1;
    const wave = currentWave(projects, draft.freeze);
    const isOver =
      migration.status === 'running' &&
      projects.every((project) => isSettled(project, draft.freeze)) &&
      counts.finishing === 0;
    const overridden = parts.overridden(id);
    const total = Math.max(0, ...projects.map((project) => project.wave));
    return {
      ...draft,
      id,
      createdAt: isoTime(createdAt),
      status: isOver ? 'ended' : migration.status,
      wave: { current: migration.status === 'draft' ? 0 : (wave ?? total), total },
      projects: counts,
      check:
        check === null
          ? null
          : {
              at: isoTime(check.at),
              blockers: check.blockers.filter((finding) => !overridden.has(finding)).length,
            },
    };
  };

  const shownProjects = (migration: StoredMigration): MigratingProject[] => {
    const projects = store.projects(migration.id);
    const conflicts = conflictsOf(projects);
    const { freeze } = migration.draft;
    const wave = currentWave(projects.map(migrating), freeze);
    return projects.map((project, at): MigratingProject => {
      const own = migrating(project);
      const state = stateOf(own, freeze, migration.status);
      const { reconciliation, target, changedSince } = project;
      return {
        sourceId: project.sourceId,
        sourcePath: project.sourcePath,
        wave: project.wave,
        placement: project.placement,
        conflicts: conflicts[at] ?? [],
        state,
        waitsFor: waitsFor(project, migration, wave),
        error: failedMove(own)?.error ?? null,
        exportJob: project.jobs.export?.jobId ?? null,
        importJob: project.jobs.import?.jobId ?? null,
        retryJobs: project.retryJobs,
        archiveId: project.archive?.id ?? null,
        targetId: target?.id ?? null,
        targetPath: target?.fullPath ?? null,
        targetUrl: target?.webUrl ?? null,
        failures: failuresOf(project),
        missing: reconciliation?.missingCount ?? null,
        changedSince: changedSince === null ? null : isoTime(changedSince),
        frozen: isFrozen(own),
      };
    });
  };

  const waitsFor = (
    project: StoredProject,
    migration: StoredMigration,
    wave: number | null,
  ): string | null => {
    if (
      project.leftOut ||
      migration.status === 'draft' ||
      isSettled(migrating(project), migration.draft.freeze)
    ) {
      return null;
    }
    for (const move of moves.toReversed()) {
      const made = project.jobs[move];
      const state = made === undefined ? null : jobs.get(made.jobId)?.state;
      if (state?.status === 'waiting') return state.text;
      if (state?.status === 'running') return null;
    }
    if (migration.status === 'paused') return 'The migration is paused.';
    if (wave !== null && project.wave > wave) return `Wave ${wave} comes first.`;
    return parts.groups.isUnderWay(migration.id) ? 'Groups are being created.' : null;
  };

  const changed = (id: string): Migration => {
    parts.announce('migration.changed', { migrationId: id });
    parts.wake();
    return shown(store.get(id));
  };
  const mustBeDraft = (migration: StoredMigration): void => {
    if (migration.status === 'draft') return;
    throw new AppError('migration-started', `"${migration.draft.name}" was started.`);
  };
  /** Nothing that was found stands in its way, unless somebody overrode it. */
  const mustBeReady = ({ id, draft, check }: StoredMigration, createGroups: boolean): void => {
    const blocked = (why: string): AppError =>
      new AppError('migration-blocked', why, { details: { migration: draft.name } });
    if (check === null) throw blocked(`"${draft.name}" was not checked since it was last changed.`);
    const overridden = parts.overridden(id);
    const [first, ...more] = check.blockers.filter((finding) => !overridden.has(finding));
    if (first !== undefined) {
      const others = more.length === 0 ? '' : ` and ${more.length} more`;
      throw blocked(`The check found what stands in its way: ${first}${others}.`);
    }
    const [lacking] = createGroups ? [] : parts.groups.lacking(id, check.missingGroups);
    if (lacking !== undefined) {
      throw blocked(`The target lacks the group ${lacking.path}, and groups are not to be created.`);
    }
  };
  /** One that was started and did not end may be paused, and one that was paused started. */
  const mustRun = (migration: StoredMigration): void => {
    if (migration.status === 'draft' || migration.status === 'cancelled') {
      throw new AppError('invalid-input', `"${migration.draft.name}" is not under way.`);
    }
  };

  const chooseProjects = async (draft: MigrationDraft, signal: AbortSignal) => {
    const chosen = await parts.choose(draft.source, draft.selection, signal);
    return chosen
      .toSorted((one, other) => (one.fullPath < other.fullPath ? -1 : 1))
      .map(({ id, fullPath }, at) => ({
        sourceId: id,
        sourcePath: fullPath,
        wave: waveOf(at, draft.waveSize),
        placement: placed(fullPath, draft.rules),
      }));
  };

  return {
    forBridge: {
      list: () => store.list().map(shown),
      show: (reference) => shown(store.get(reference)),
      projects: (reference) => shownProjects(store.get(reference)),
      async create(draft, signal) {
        const projects = await chooseProjects(draft, signal);
        return changed(store.create(draft, projects, clock.now()).id);
      },
      async change(reference, changes, signal) {
        const migration = store.get(reference);
        mustBeDraft(migration);
        const draft = { ...migration.draft, ...changes };
        const chosenAnew = changes.selection === undefined ? null : await chooseProjects(draft, signal);
        store.change(migration.id, draft, chosenAnew);
        if (chosenAnew === null && (changes.rules !== undefined || changes.waveSize !== undefined)) {
          const before = migration.draft;
          store.place(
            migration.id,
            store.projects(migration.id).map((project, at) => {
              const { namespace } = placed(project.sourcePath, draft.rules);
              const byRule =
                placed(project.sourcePath, before.rules).namespace === project.placement.namespace;
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
        const { status } = shown(migration);
        if (status === 'running' || status === 'paused') {
          throw new AppError('migration-started', `"${migration.draft.name}" has not ended.`);
        }
        store.remove(migration.id);
        parts.announce('migration.changed', { migrationId: migration.id });
      },
      place(reference, wanted) {
        const migration = store.get(reference);
        const changes = wanted.map(({ project: named, placement, wave, leftOut }) => {
          const project = store.project(migration.id, named);
          if (project.jobs.import !== undefined && project.jobs.import.status === 'succeeded') {
            throw new AppError('migration-started', `${project.sourcePath} was imported.`);
          }
          if (project.jobs.import !== undefined && !isSettled(migrating(project), migration.draft.freeze)) {
            throw new AppError('migration-started', `${project.sourcePath} is on its way.`);
          }
          return {
            sourceId: project.sourceId,
            placement: placementSchema.parse({ ...project.placement, ...given(placement ?? {}) }),
            wave: wave ?? project.wave,
            leftOut: leftOut ?? project.leftOut,
          };
        });
        store.place(migration.id, changes);
        changed(migration.id);
      },
      start(reference, createGroups) {
        const migration = store.get(reference);
        mustBeReady(migration, createGroups);
        if (createGroups) parts.groups.want(migration.id, migration.check?.missingGroups ?? []);
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
        for (const job of store.openJobs(migration.id)) parts.cancelJob(job, by);
        return changed(migration.id);
      },
      again(reference, named) {
        const migration = store.get(reference);
        const all = named === null ? store.projects(migration.id) : [store.project(migration.id, named)];
        for (const project of all) {
          const failed = failedMove(migrating(project));
          if (failed === null) continue;
          const from = moves.slice(moves.indexOf(failed.move));
          // The mark was taken away again, or never set.
          const refreeze = project.jobs.thaw === undefined ? [] : (['freeze'] as const);
          store.forget(migration.id, project.sourceId, [...refreeze, ...from]);
        }
        parts.groups.want(migration.id, []);
        store.setStatus(migration.id, 'running');
        return changed(migration.id);
      },
    },

    forTender: {
      tended: () =>
        store
          .list()
          .filter(({ status }) => status !== 'draft')
          .map(({ id, draft, status }) => ({
            id,
            draft,
            status,
            waitsForGroups: parts.groups.isUnderWay(id),
          })),
      projects: (id) =>
        store.projects(id).map((project) => ({
          ...migrating(project),
          sourcePath: project.sourcePath,
          placement: project.placement,
          target: project.target,
          archive: project.archive,
        })),
      beginGroups: (id) => parts.groups.tend(id, store.get(id).draft.target),
      begin(id, project, move, job) {
        const made = store.begin(
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
    },
  };
}
