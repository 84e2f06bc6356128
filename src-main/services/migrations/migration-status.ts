/**
 * @file Derives the status of migrations from stored rows. Thousands of projects are read whenever one of their jobs
 * ends. The long texts of a comparison are therefore read only if the status depends on them, and only once.
 */
import { errorText } from '../../../src-contract/error-messages.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import {
  countProjects,
  type MigratingProject,
  type Migration,
  type Placement,
} from '../../../src-contract/migrations/migration.ts';
import { coversContents } from '../../../src-contract/transfers/import.ts';
import type { StoredProject } from '../../catalogue/migrations/migrating-rows.ts';
import type { ProjectMigrations, StoredMigration } from '../../catalogue/migrations/project-migrations.ts';
import {
  currentWave,
  findFailedJob,
  isPossiblyArchived,
  isSettled,
  isComparisonDue,
  migrationJobKinds,
  projectState,
  type ProjectMigration,
} from '../../jobs/migrations/migrating.ts';
import { conflictsOf } from '../../jobs/migrations/placing.ts';
import { agreementOf, type Agreement } from '../../jobs/migrations/settled.ts';
import { isoTime } from '../../platform/clock.ts';
import type { ComparisonProgress } from './comparing/comparison-progress.ts';
import type { Differences } from './comparing/differences.ts';

export interface MigrationStatusReaderDeps {
  projectMigrations: Pick<ProjectMigrations, 'projects' | 'reconciliation'>;
  assessDifferences: Differences['assess'];
  /** Errors of earlier failed imports to the same place, newest first. */
  earlierFailures(id: string, importJob: string): ErrorData[];
  overriddenFindings(id: string): ReadonlySet<string>;
  isCreatingGroups(id: string): boolean;
  progress: Pick<ComparisonProgress, 'of'>;
}

/** Adds the first cause to a `path-taken` error if the existing project remains from an earlier failed import. */
function withFirstCause(error: ErrorData, earlierErrors: readonly ErrorData[]): ErrorData {
  const first = earlierErrors.find(
    ({ code, details }) => code !== 'path-taken' && details['projectId'] === error.details['projectId'],
  );
  if (first === undefined || error.details['projectId'] === undefined) return error;
  return { ...error, details: { ...error.details, leftBy: errorText(first).what } };
}

/**
 * Adds the user's later change of the placement to a `path-taken` error: the advice then does not suggest it again.
 */
function withNewPlacement(error: ErrorData, { namespace, path, overwrite }: Placement): ErrorData {
  const { project, replaceable } = error.details;
  // `replaceable` is true if the import was not allowed to replace the existing project.
  if (replaceable !== true || typeof project !== 'string') return error;
  const isElsewhere = `${namespace}/${path}`.toLowerCase() !== project.toLowerCase();
  if (!isElsewhere && !overwrite) return error;
  return { ...error, details: { ...error.details, placedAnew: isElsewhere ? 'elsewhere' : 'replaces' } };
}

interface Assessment {
  agreement: Agreement;
  /** Number of differences that were accepted directly. */
  accepted: number;
}

export type MigrationStatusReader = ReturnType<typeof createMigrationStatusReader>;

export function createMigrationStatusReader(deps: MigrationStatusReaderDeps) {
  const { projectMigrations } = deps;
  /**
   * Cached assessments of comparisons. `fingerprint` identifies the assessed data.
   */
  const assessments = new Map<string, Assessment & { fingerprint: string }>();
  const notAssessed: Assessment = { agreement: 'differs', accepted: 0 };

  const assess = (id: string, project: StoredProject): Assessment => {
    const { sourceId, failures, acceptances, comparison, jobs } = project;
    const { ref, missing, settings, reconciled } = comparison ?? noComparison;
    if (reconciled || jobs.import === undefined) return notAssessed;
    const noneAccepted = failures.accepted + acceptances.count === 0;
    if (noneAccepted && missing + settings > 0) return notAssessed;
    const key = `${id} ${sourceId}`;
    const { count, newest } = acceptances;
    const fingerprint = `${ref} ${failures.accepted} ${failures.settledAt ?? ''} ${count} ${newest}`;
    const cached = assessments.get(key);
    if (cached?.fingerprint === fingerprint) return cached;
    const reconciliation = projectMigrations.reconciliation(id, sourceId);
    if (reconciliation === null) return notAssessed;
    const differences = deps.assessDifferences(id, project, reconciliation);
    const found = {
      fingerprint,
      agreement: agreementOf(reconciliation, differences),
      accepted: differences.filter(({ isAcceptedItself }) => isAcceptedItself).length,
    };
    assessments.set(key, found);
    return found;
  };
  const acceptedCountOf = (id: string, project: StoredProject): number => {
    const { jobs, failures, acceptances } = project;
    if (jobs.import?.status !== 'succeeded') return 0;
    return failures.accepted + (acceptances.count === 0 ? 0 : assess(id, project).accepted);
  };
  /** Returns null until the results of the last import were compared. */
  const lastAgreement = (id: string, project: StoredProject): Agreement | null => {
    const { comparison, retries, failures, jobs } = project;
    if (comparison === null || jobs.import === undefined || retries.uncompared > 0) return null;
    // Older versions also called comparisons without contents reconciled.
    if (comparison.reconciled) return coversContents(comparison.depth) ? 'agrees' : 'uncompared';
    return failures.open === 0 ? assess(id, project).agreement : 'differs';
  };

  const errorOf = (
    id: string,
    failedJob: ReturnType<typeof findFailedJob>,
    placement: Placement,
  ): ErrorData | null => {
    const { error = null, jobId = '', kind: jobKind } = failedJob ?? {};
    if (error?.code !== 'path-taken' || jobKind !== 'import') return error;
    return withNewPlacement(withFirstCause(error, deps.earlierFailures(id, jobId)), placement);
  };

  const statusOf = (id: string, project: StoredProject): ProjectMigration => {
    const agreement = lastAgreement(id, project);
    return {
      sourceId: project.sourceId,
      wave: project.wave,
      isExcluded: project.leftOut,
      jobs: project.jobs,
      isPossiblyArchivedByUs: project.mayBeArchivedByUs,
      reconciled: agreement === null ? null : agreement === 'agrees',
      isUncompared: agreement === 'uncompared',
      openFailures: failuresOf(project).open,
      hasOpenRetries: project.retries.open > 0,
    };
  };

  return {
    statusOf,

    /** Returns whether there are losses, and all of them are accepted. */
    isAccepted: (id: string, project: StoredProject) =>
      project.failures.open === 0 &&
      !project.failures.hasUnlisted &&
      acceptedCountOf(id, project) > 0 &&
      lastAgreement(id, project) === 'agrees',

    toMigration({ id, draft, createdAt, check, status }: StoredMigration): Migration {
      const stored = projectMigrations.projects(id);
      const projects = stored.map((project) => statusOf(id, project));
      const counts = countProjects(
        projects.map((project, index) => ({
          state: projectState(project, draft.freeze, status),
          depth: stored[index]?.comparison?.depth ?? null,
          failures: stored[index]?.failures ?? noFailures,
        })),
      );
      const wave = currentWave(projects, draft.freeze);
      const isOver =
        status === 'running' &&
        projects.every((project) => isSettled(project, draft.freeze)) &&
        counts.projects.finishing === 0;
      const overridden = deps.overriddenFindings(id);
      const total = Math.max(0, ...projects.map((project) => project.wave));
      return {
        ...draft,
        id,
        createdAt: isoTime(createdAt),
        status: isOver ? 'ended' : status,
        wave: { current: status === 'draft' ? 0 : (wave ?? total), total },
        ...counts,
        accepted: stored.reduce((sum, project) => sum + acceptedCountOf(id, project), 0),
        check:
          check === null
            ? null
            : {
                at: isoTime(check.at),
                blockers: check.blockers.filter((finding) => !overridden.has(finding)).length,
                overridden: check.blockers.filter((finding) => overridden.has(finding)).length,
              },
      };
    },

    projects(migration: StoredMigration): MigratingProject[] {
      const { id, status } = migration;
      const { freeze } = migration.draft;
      const stored = projectMigrations.projects(id);
      const statuses = stored.map((project) => statusOf(id, project));
      const conflicts = conflictsOf(stored);
      const wave = currentWave(statuses, freeze);
      const isCreatingGroups = deps.isCreatingGroups(id);
      const waitReasonOf = (project: StoredProject, projectStatus: ProjectMigration): string | null => {
        if (status === 'draft') return null;
        if (isComparisonDue(projectStatus, freeze)) return comparisonText(project);
        if (isSettled(projectStatus, freeze)) return null;
        for (const jobKind of migrationJobKinds.toReversed()) {
          const job = project.jobs[jobKind];
          if (job?.status === 'waiting') return job.waitsFor;
          if (job?.status === 'running') return null;
        }
        if (status === 'paused') return 'The migration is paused.';
        if (wave !== null && project.wave > wave) return `Wave ${wave} must finish first.`;
        return isCreatingGroups ? 'Groups are being created.' : null;
      };
      return stored.flatMap((project, index): MigratingProject[] => {
        const projectStatus = statuses[index];
        if (projectStatus === undefined) return [];
        const { sourceId, sourcePath, placement, jobs, target, changedSince } = project;
        return [
          {
            ...{ sourceId, sourcePath, wave: project.wave, placement },
            conflicts: conflicts[index] ?? [],
            state: projectState(projectStatus, freeze, status),
            waitsFor: waitReasonOf(project, projectStatus),
            comparing: deps.progress.of(id, sourceId),
            error: errorOf(id, findFailedJob(projectStatus), placement),
            exportJob: jobs.export?.jobId ?? null,
            importJob: jobs.import?.jobId ?? null,
            retryJobs: [...project.retries.jobs],
            archiveId: project.archive?.id ?? null,
            targetId: target?.id ?? null,
            targetPath: target?.fullPath ?? null,
            targetUrl: target?.webUrl ?? null,
            failures: failuresOf(project),
            missing: project.comparison?.missing ?? null,
            depth: project.comparison?.depth ?? null,
            accepted: acceptedCountOf(id, project),
            changedSince: changedSince === null ? null : isoTime(changedSince),
            frozen: isPossiblyArchived(projectStatus),
          },
        ];
      });
    },
  };
}

const noComparison = { ref: 0, missing: 0, settings: 0, reconciled: false };

/** Returns why an imported project is not finished yet. */
function comparisonText({ comparingError: error }: StoredProject): string {
  if (error === null) return 'The imported project is being compared.';
  const { instance } = error.details;
  const where = typeof instance === 'string' ? `${instance}: ` : '';
  return `The imported project could not be compared yet. Packhorse tries again. ${where}${errorText(error).what}`;
}

const noFailures: MigratingProject['failures'] = { open: 0, total: 0, hasUnlisted: false };

const failuresOf = ({ jobs, failures }: StoredProject): MigratingProject['failures'] => {
  const { open, total, hasUnlisted } = failures;
  return jobs.import?.status === 'succeeded' ? { open, total, hasUnlisted } : noFailures;
};
