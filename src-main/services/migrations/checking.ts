/**
 * @file The checks before a migration: reads facts from both instances, applies pure rules, and stores the findings.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Lint } from '../../../src-contract/archives/lint-schema.ts';
import type {
  MigrationCheck,
  Placement,
  PreflightFinding,
} from '../../../src-contract/migrations/migration.ts';
import { visibilities } from '../../../src-contract/projects/project-details.ts';
import type { LintTarget } from '../../archive/lint.ts';
import type { MigrationChecks, Override } from '../../catalogue/migrations/migration-checks.ts';
import type { NewGroup } from '../../catalogue/migrations/migration-groups.ts';
import type { StoredProject } from '../../catalogue/migrations/migrating-rows.ts';
import type { StoredMigration } from '../../catalogue/migrations/project-migrations.ts';
import type { ProjectMigration } from '../../jobs/migrations/migrating.ts';
import { conflictsOf, isValidGroupPath } from '../../jobs/migrations/placing.ts';
import type { ArchivePort } from '../../jobs/ports.ts';
import type {
  ExistingProjectFacts,
  Facts,
  NamespaceFacts,
  ProjectFacts,
} from '../../jobs/migrations/preflight/facts.ts';
import { findingsOf, findMissingGroups } from '../../jobs/migrations/preflight/findings.ts';
import type { RuleFinding } from '../../jobs/migrations/preflight/rule-finding.ts';
import { userNamespaceAbove } from '../../jobs/migrations/preflight/namespace-findings.ts';
import { plannedWrites } from '../../jobs/migrations/preflight/planned-writes.ts';
import { comparisonForecast } from '../../../src-contract/transfers/comparison-forecast.ts';
import { waveForecasts } from '../../jobs/migrations/preflight/wave-forecast.ts';
import { isoTime } from '../../platform/clock.ts';
import { lintContents, lintTarget } from '../archives/linting.ts';
import { mapInParallel } from './map-in-parallel.ts';
import { assertAnyRead, readOrError, type ReadResult } from './reading-facts.ts';
import { assertHasProjects } from './migration-validation.ts';
import type { SharedDeps } from '../shared-deps.ts';
import type { Connections } from '../instances/connections.ts';
import type { RecordAccess } from '../archives/record-access.ts';
import type { ArchiveCollection } from '../archives/archive-collection.ts';

interface CheckingDeps
  extends
    ArchiveCollection,
    Pick<SharedDeps, 'announce' | 'clock' | 'exportDurations' | 'jobs' | 'settings' | 'projectMigrations'> {
  checks: MigrationChecks;
  archivePort: Pick<ArchivePort, 'archivesOf'>;
  records: RecordAccess;
  connections: Connections;
}

/** `reference` is the id or the name of a migration. Every method throws `migration-missing`. */
export function createChecking(deps: CheckingDeps) {
  const { projectMigrations, checks, settings, connections, index, records, clock } = deps;

  const withOverrides = (
    check: MigrationCheck,
    overrides: ReadonlyMap<string, Override>,
  ): MigrationCheck => ({
    ...check,
    findings: check.findings.map((finding) => withOverride(finding, overrides.get(finding.id))),
  });

  const lintStored = async (archiveId: string, target: LintTarget, signal: AbortSignal): Promise<Lint> => {
    const { inspection } = index.manifest(archiveId);
    const lint = await records.withIndex(index.get(archiveId).absolutePath, signal, (recordIndex) =>
      lintContents(inspection, recordIndex, target, signal),
    );
    return lint ?? lintContents(inspection, null, target, signal);
  };

  async function gather(
    { draft }: StoredMigration,
    pendingProjects: readonly StoredProject[],
    conflicts: readonly string[][],
    onProgress: (done: number) => void,
    signal: AbortSignal,
  ): Promise<GatheredFacts> {
    const [from, to] = [settings.instance(draft.source), settings.instance(draft.target)];
    const [source, target] = [connections.connect(from), connections.connect(to)];
    const [sourceSide, targetSide, freeBytes] = await Promise.all([
      source.preflight.instanceFacts(signal),
      target.preflight.instanceFacts(signal),
      deps.roots.freeBytes(),
    ]);
    const namespacesByPath = new Map<string, NamespaceFacts>();
    const namespaceErrors = new Map<string, AppError>();
    const namespaces = [...new Set(pendingProjects.map(({ placement }) => placement.namespace))].filter(
      isValidGroupPath,
    );
    // The groups above a missing group decide whether it can be created.
    const pathByKey = new Map(namespaces.flatMap(prefixesOf).map((path) => [path.toLowerCase(), path]));
    await mapInParallel([...pathByKey], async ([key, path]) => {
      const request = target.preflight.namespaceFacts(path, targetSide.user, signal);
      const { value, error } = await readOrError(target.preflight, request, signal);
      if (error === null) namespacesByPath.set(key, value);
      else namespaceErrors.set(key, error);
    });
    const exists = (path: string): boolean => namespacesByPath.get(path)?.kind !== 'missing';
    const readExistingProject = async ({
      namespace,
      path,
    }: Placement): Promise<ReadResult<ExistingProjectFacts | null>> => {
      const key = namespace.toLowerCase();
      const [namespaceError] = prefixesOf(key).flatMap((prefix) => namespaceErrors.get(prefix) ?? []);
      if (namespaceError !== undefined) return { value: null, error: namespaceError };
      if (!isValidGroupPath(namespace) || !exists(key)) return { value: null, error: null };
      const request = target.preflight.existingProject(`${namespace}/${path}`, signal);
      return readOrError(target.preflight, request, signal);
    };
    const targetForLint = lintTarget(to.name, targetSide);
    const reads: { source: ReadResult<unknown>[]; target: ReadResult<unknown>[] } = {
      source: [],
      target: [],
    };
    let done = 0;
    const sourceTimes: number[] = [];
    const targetStart = clock.monotonic();
    await target.preflight.user(signal);
    const targetMs = clock.monotonic() - targetStart;
    const projects = await mapInParallel(pendingProjects, async (project, at): Promise<ProjectFacts> => {
      const { sourceId, sourcePath, wave, placement } = project;
      const sourceRequest = source.preflight.sourceFacts(sourceId, sourceSide.user, signal);
      const [atSource, atTarget, archives] = await Promise.all([
        readOrError(source.preflight, sourceRequest, signal),
        readExistingProject(placement),
        deps.archivePort.archivesOf({
          instanceName: from.name,
          instanceUrl: from.url,
          projectId: sourceId,
          fullPath: sourcePath,
        }),
      ]);
      reads.source.push(atSource);
      reads.target.push(atTarget);
      const counted =
        atSource.value === null
          ? null
          : (await readOrError(source.preflight, source.preflight.comparedNumbers(sourceId, signal), signal))
              .value;
      if (counted !== null) sourceTimes.push(counted.msPerRequest);
      const latest = newest(archives.filter(({ readable }) => readable));
      onProgress((done += 1));
      return {
        ...{ sourceId, sourcePath, wave, placement },
        conflicts: conflicts[at] ?? [],
        source: atSource.value,
        numbers: counted?.numbers ?? null,
        sourceError: atSource.error?.message ?? null,
        existingProject: atTarget.value,
        targetError: atTarget.error?.message ?? null,
        archiveBytes: latest?.sizeBytes ?? null,
        lint: latest === undefined ? null : await lintStored(latest.id, targetForLint, signal),
        hasExportJob: deps.jobs
          .openJobs()
          .some((job) => job.kind === 'export' && job.instance === from.name && job.project === sourcePath),
      };
    });
    assertAnyRead(reads.source);
    // Projects of a group that the target cannot show were not looked up.
    if (namespaceErrors.size === 0) assertAnyRead(reads.target);
    return {
      draft,
      source: { name: from.name, url: from.url, ...sourceSide },
      target: { name: to.name, url: to.url, ...targetSide },
      namespacesByPath,
      missingGroups: findMissingGroups(
        namespaces.filter((path) => userNamespaceAbove(path, namespacesByPath) === null),
        exists,
      ),
      projects,
      freeBytes,
      now: clock.now(),
      msPerRequest: { source: averageOf(sourceTimes), target: targetMs },
    };
  }

  return {
    /** Sends requests to both instances, and stores the findings. `progress` counts projects. */
    async check(reference: string, signal: AbortSignal, progress: (done: number, total: number) => void) {
      const migration = projectMigrations.get(reference);
      const { draft } = migration;
      const all = projectMigrations.projects(migration.id);
      assertHasProjects(draft.name, all);
      const conflicts = conflictsOf(all);
      const pending = all
        .map((project, at) => ({ project, conflicts: conflicts[at] ?? [] }))
        .filter(({ project }) => !project.leftOut && project.jobs.import?.status !== 'succeeded');
      const projects = pending.map(({ project }) => project);
      progress(0, projects.length);
      const facts = await gather(
        migration,
        projects,
        pending.map((one) => one.conflicts),
        (done) => {
          progress(done, projects.length);
        },
        signal,
      );
      const paces = {
        source: connections.forInstance(draft.source).pace,
        target: connections.forInstance(draft.target).pace,
      };
      const forecast = waveForecasts(
        projects,
        deps.exportDurations.byProject(draft.source),
        paces,
        facts.now,
      );
      const last = forecast.at(-1);
      const found = findingsOf({ ...facts, endsAt: last === undefined ? null : Date.parse(last.endsAt) });
      const writes = plannedWrites({
        ...draft,
        missingGroups: facts.missingGroups,
        projects: projects.map((project, at) => ({
          facts: requireDefined(facts.projects[at]),
          state: toProjectMigration(project),
        })),
      });
      const check: MigrationCheck = {
        at: isoTime(facts.now),
        findings: found.map((finding) => withOverride(finding, undefined)),
        missingGroups: [...facts.missingGroups],
        writes,
        forecast,
        comparison: comparisonForecast(
          draft.compare,
          facts.projects.map(({ numbers }) => numbers ?? null),
          facts.msPerRequest,
        ),
      };
      checks.store(migration.id, check, groupsFor(facts), facts.now);
      deps.announce('migration.changed', { migrationId: migration.id });
      return withOverrides(check, checks.overrides(migration.id));
    },
    /** Returns the last check; null if the migration has changed since, or was never checked. */
    last(reference: string) {
      const { id } = projectMigrations.get(reference);
      const check = checks.current(id);
      return check === null ? null : withOverrides(check, checks.overrides(id));
    },
    /** Overrides the finding with this id. A null note removes the override. Throws `not-found`. */
    override(reference: string, findingId: string, note: string | null) {
      const { id, draft } = projectMigrations.get(reference);
      const finding = checks.current(id)?.findings.find((one) => one.id === findingId);
      if (finding === undefined) {
        throw new AppError('not-found', `The last check of "${draft.name}" found no "${findingId}".`, {
          details: { finding: findingId },
        });
      }
      checks.override(id, finding.id, note, clock.now());
      deps.announce('migration.changed', { migrationId: id });
      return withOverride(finding, checks.overrides(id).get(finding.id));
    },
  };
}

type GatheredFacts = Omit<Facts, 'endsAt'> & {
  /** Null if nothing was measured. */
  msPerRequest: { source: number | null; target: number | null };
};

const averageOf = (times: readonly number[]): number | null =>
  times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length;

/** Returns the missing groups. Each gets the visibility that its projects need, limited by its parent. */
function groupsFor({ missingGroups, namespacesByPath, projects, draft }: Omit<Facts, 'endsAt'>): NewGroup[] {
  const visibilityByPath = new Map<string, NewGroup['visibility']>();
  return missingGroups.map((path) => {
    const groupPath = path.toLowerCase();
    const parentPath = groupPath.slice(0, Math.max(0, groupPath.lastIndexOf('/')));
    const maxLevel = levelOf(
      visibilityByPath.get(parentPath) ?? namespacesByPath.get(parentPath)?.visibility ?? 'public',
    );
    const projectLevels = projects.flatMap(({ placement, source }) => {
      const isBelow = `${placement.namespace.toLowerCase()}/`.startsWith(`${groupPath}/`);
      const overrides = { ...draft.overrideParams, ...placement.overrideParams };
      return isBelow ? [levelOf(overrides['visibility'] ?? source?.visibility ?? 'private')] : [];
    });
    const visibility = visibilities[Math.min(maxLevel, Math.max(0, ...projectLevels))] ?? 'private';
    visibilityByPath.set(groupPath, visibility);
    return { path, visibility };
  });
}

const levelOf = (visibility: string): number =>
  Math.max(0, (visibilities as readonly string[]).indexOf(visibility));

/** Planned writes do not depend on the result of the last import, so no result is given. */
const toProjectMigration = ({
  sourceId,
  wave,
  leftOut,
  jobs,
  mayBeArchivedByUs,
}: StoredProject): ProjectMigration => ({
  ...{ sourceId, wave, isExcluded: leftOut, jobs, isPossiblyArchivedByUs: mayBeArchivedByUs },
  reconciled: null,
  openFailures: 0,
  hasOpenRetries: false,
});

export const withOverride = (finding: RuleFinding, override: Override | undefined): PreflightFinding => ({
  ...finding,
  overridden: override === undefined ? null : { at: isoTime(override.at), note: override.note },
});

function prefixesOf(path: string): string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

const newest = <Archive extends { storedAt: string }>(archives: readonly Archive[]): Archive | undefined =>
  archives.toSorted((a, b) => (a.storedAt < b.storedAt ? 1 : -1))[0];

function requireDefined<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('internal', 'A project was not checked.');
  return value;
}
