/**
 * @file Collects the known facts about migrated projects from the catalogue and the archives. Sends no request to an
 * instance.
 */
import { knownReading, receptionTimeOf } from '../../../../src-contract/archives/archive.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import {
  jobChangeKind,
  hasEnded,
  type ExportResult,
  type StoredJob,
} from '../../../../src-contract/runs/job.ts';
import {
  exportResultSchema,
  importResultSchema,
  jobSchema,
} from '../../../../src-contract/runs/job-schema.ts';
import type { MigratingProject } from '../../../../src-contract/migrations/migration.ts';
import {
  passportSchema,
  type JobRecord,
  type Passport,
} from '../../../../src-contract/migrations/passport-schema.ts';
import { z } from '../../../../src-contract/schema.ts';
import { relationImportResultSchema } from '../../../../src-contract/transfers/transfer-schema.ts';
import type { WriteRequest } from '../../../../src-contract/instances/write-request-schema.ts';
import type { Instance } from '../../../../src-contract/instances/instance.ts';
import type { ArchiveContents } from '../../archives/archive-contents.ts';
import type { StoredArchives } from '../../archives/stored-archives.ts';
import type { MigrationChecks } from '../../../catalogue/migrations/migration-checks.ts';
import type { StoredProject } from '../../../catalogue/migrations/migrating-rows.ts';
import type { StoredMigration } from '../../../catalogue/migrations/project-migrations.ts';
import { isoTime } from '../../../platform/clock.ts';
import { withOverride } from '../checking.ts';
import type { Differences } from '../comparing/differences.ts';
import { acceptedLosses } from './accepted-losses.ts';
import { failedRecords } from './failed-records.ts';
import { finishOf, skippedFinish } from './finishing.ts';
import { withoutSecrets } from './secrets.ts';
import { neverExported } from '../../../jobs/migrations/never-exported.ts';
import { jobEffectText, outcomeOf } from './words.ts';
import type { SharedDeps } from '../../shared-deps.ts';
import { appVersion } from '../../version.ts';

export interface CollectingDeps extends Pick<
  SharedDeps,
  'clock' | 'jobs' | 'importFailures' | 'migrationJobs' | 'settings' | 'projectMigrations' | 'writeRequests'
> {
  checks: MigrationChecks;
  differences: Pick<Differences, 'assess'>;
  archives: Pick<StoredArchives, 'resolve' | 'describe'>;
  contents: Pick<ArchiveContents, 'findFailedRecords'>;
}

/** The jobs of a migration by project, and its other jobs, such as the creation of a group. */
export class MigrationHistory {
  readonly #jobs: readonly StoredJob[];
  readonly #projectJobIds = new Set<string>();

  constructor({ migrationJobs, jobs }: CollectingDeps, id: string) {
    this.#jobs = migrationJobs.jobsOf(id).flatMap((job) => jobs.get(job) ?? []);
  }

  /** Oldest first. Includes jobs that were replaced by others. */
  jobsOf({ draft }: StoredMigration, { sourceId, jobs: phaseJobs, retries }: StoredProject): StoredJob[] {
    const ownIds = new Set([...Object.values(phaseJobs).map(({ jobId }) => jobId), ...retries.jobs]);
    const subjectOf = (job: StoredJob) => subjectSchema.parse(job.input);
    const sourceJobs = this.#jobs.filter(
      (job) =>
        job.instance === draft.source &&
        (job.kind === 'export' || job.kind === 'change') &&
        subjectOf(job).projectId === sourceId,
    );
    const archiveIds = new Set(sourceJobs.flatMap((job) => exportOf(job)?.archiveId ?? []));
    const imports = this.#jobs.filter(
      (job) =>
        job.kind === 'import' && (ownIds.has(job.id) || archiveIds.has(subjectOf(job).archiveId ?? '')),
    );
    const targetIds = new Set(
      imports.flatMap((job) => importResultSchema.safeParse(job.result).data?.projectId ?? []),
    );
    const targetJobs = this.#jobs.filter(
      (job) =>
        job.instance === draft.target &&
        (job.kind === 'relation-import' || job.kind === 'change') &&
        targetIds.has(subjectOf(job).projectId ?? -1),
    );
    const all = new Set([
      ...sourceJobs,
      ...imports,
      ...targetJobs,
      ...this.#jobs.filter(({ id }) => ownIds.has(id)),
    ]);
    for (const job of all) this.#projectJobIds.add(job.id);
    return [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  otherJobs(): StoredJob[] {
    return this.#jobs.filter(({ id }) => !this.#projectJobIds.has(id));
  }
}

const subjectSchema = z.looseObject({
  projectId: z.number().nullish(),
  archiveId: z.string().nullish(),
  relation: z.string().nullish(),
});
const exportOf = (job: StoredJob): ExportResult | undefined =>
  job.kind === 'export' ? exportResultSchema.safeParse(job.result).data : undefined;

/** Throws `instance-unknown` if one of the instances was removed. */
export async function collectPassport(
  deps: CollectingDeps,
  migration: StoredMigration,
  summary: MigratingProject,
  history: MigrationHistory,
  signal: AbortSignal,
): Promise<Passport> {
  const { projectMigrations, clock } = deps;
  const { id, draft } = migration;
  const project = projectMigrations.project(id, String(summary.sourceId));
  const jobs = history.jobsOf(migration, project);
  const stored = await resolveArchive(deps, project);
  const imports = jobs.filter(({ kind }) => kind === 'import');
  const { importFailures } = deps;
  const allFailures = imports.flatMap((job) => importFailures.findByImport(job.id));
  const records = await failedRecords(deps.archives, deps.contents, allFailures, imports, signal);
  const { importJob } = summary;
  const reconciliation = projectMigrations.reconciliation(id, summary.sourceId);
  const accepted = acceptedLosses(
    reconciliation === null ? [] : deps.differences.assess(id, project, reconciliation),
    // A failure of a replaced import says nothing about the project that is there now.
    importJob === null ? [] : importFailures.findByImport(importJob),
  );
  const { state } = summary;
  const passport: Passport = {
    schemaVersion: 1,
    madeAt: isoTime(clock.now()),
    appVersion,
    migration: {
      ...{ id, name: draft.name, createdAt: isoTime(migration.createdAt) },
      ...{ freeze: draft.freeze, compare: draft.compare },
    },
    wave: summary.wave,
    state,
    outcome: outcomeOf({ state, reconciliation, accepted, failures: summary.failures }).word,
    error: summary.error,
    source: sourceInfo(deps.settings.instance(draft.source), summary, stored),
    target: targetInfo(deps.settings.instance(draft.target), migration, summary, project),
    archive: archiveInfo(project, stored),
    check: checkOf(deps, id, summary.sourceId),
    imports: imports.map(importInfo),
    jobs: jobs.map((job) => jobRecord(deps, job)),
    requests: requestsOf(deps, jobs),
    failures: failuresInfo(deps, summary, records),
    retries: jobs.filter(({ kind }) => kind === 'relation-import').map(retryOf),
    reconciliation,
    accepted,
    changedSince: summary.changedSince,
    frozen: summary.frozen,
    finishes: finishesOf(deps, id, jobs, summary),
    neverCarried: [...neverExported],
  };
  return passportSchema.parse(withoutSecrets(passport));
}

function sourceInfo(
  instance: Instance,
  { sourceId, sourcePath }: MigratingProject,
  stored: StoredArchive | null,
): Passport['source'] {
  const url = `${instance.url.replace(/\/$/, '')}/${sourcePath}`;
  return {
    instance: instanceInfo(instance, stored?.manifest.serverVersion ?? null),
    project: { id: sourceId, fullPath: sourcePath, url },
  };
}

function targetInfo(
  instance: Instance,
  { draft }: StoredMigration,
  { placement }: MigratingProject,
  { target }: StoredProject,
): Passport['target'] {
  return {
    instance: instanceInfo(instance, null),
    wanted: { ...placement, overrideParams: { ...draft.overrideParams, ...placement.overrideParams } },
    project: target === null ? null : { id: target.id, fullPath: target.fullPath, url: target.webUrl },
  };
}

function importInfo({ id, state, result }: StoredJob): Passport['imports'][number] {
  const { projectId = null, correlationId = null } = importResultSchema.safeParse(result).data ?? {};
  return { jobId: id, status: state.status, projectId, correlationId };
}

/** @param records the failed records of all imports of the project. */
function failuresInfo(
  { importFailures }: CollectingDeps,
  { failures, importJob }: MigratingProject,
  records: Passport['failures']['records'],
): Passport['failures'] {
  const lastRecords = records.filter((failure) => failure.importJob === importJob);
  return {
    ...failures,
    total: lastRecords.length,
    unlistedCount: importJob === null ? null : importFailures.unlisted(importJob).unlistedCount,
    records: lastRecords,
    ofReplacedImports: records.filter((failure) => failure.importJob !== importJob),
  };
}

export function instanceInfo(instance: Instance, version: string | null): Passport['source']['instance'] {
  const { name, url, username, serverVersion } = instance;
  return { name, url, username, version: version ?? serverVersion };
}

type StoredArchive = { path: string; relativePath: string } & Awaited<ReturnType<StoredArchives['describe']>>;

/** Returns null if the archive is gone, or its disk is absent. */
async function resolveArchive(
  { archives }: CollectingDeps,
  { archive }: StoredProject,
): Promise<StoredArchive | null> {
  if (archive === null) return null;
  try {
    const { path, stored } = await archives.resolve(archive.id);
    return stored === null ? null : { path, relativePath: stored.path, ...(await archives.describe(stored)) };
  } catch (thrown) {
    if (AppError.from(thrown).code === 'internal') throw thrown;
    return null;
  }
}

function archiveInfo({ archive }: StoredProject, stored: StoredArchive | null): Passport['archive'] {
  if (archive === null) return null;
  const { id, sha256, sizeBytes } = archive;
  if (stored === null) return { id, path: null, sha256, sizeBytes, description: null };
  const { manifest, state } = stored;
  const { appVersion, serverVersion, sourceCounts, inspection } = manifest;
  // A later reading may have found the archive worse than its manifest says.
  const { verdict, findings } = knownReading(manifest, state);
  return {
    id,
    path: stored.relativePath,
    sha256,
    sizeBytes,
    description: {
      storedAt: receptionTimeOf(manifest),
      appVersion,
      serverVersion,
      verdict,
      relations: inspection.relations,
      sourceCounts,
      findings,
      proofs: state.proofs,
      damaged: state.damaged,
    },
  };
}

function checkOf({ checks }: CollectingDeps, id: string, sourceId: number): Passport['check'] {
  const check = checks.forProject(id, sourceId);
  if (check === null) return null;
  const { at, findings, overrides, placedSince } = check;
  return {
    at,
    placedSince,
    findings: findings.map((finding) => withOverride(finding, overrides.get(finding.id))),
  };
}

export function jobRecord({ jobs }: CollectingDeps, job: StoredJob): JobRecord {
  const { id, kind, instance, project, state, createdAt, updatedAt } = job;
  return {
    id,
    kind,
    does: jobEffectText(job),
    instance,
    project,
    status: state.status,
    error: state.status === 'failed' ? state.error : null,
    why:
      state.status === 'skipped'
        ? state.why
        : state.status === 'cancelled'
          ? `cancelled by ${state.by}`
          : null,
    warnings: state.status === 'succeeded' ? state.warnings : [],
    createdAt: isoTime(createdAt),
    endedAt: hasEnded(state) ? isoTime(updatedAt) : null,
    steps: jobs.steps(id).map(({ name, attempt, startedAt, finishedAt }) => ({
      name,
      attempts: attempt,
      startedAt: isoTime(startedAt),
      finishedAt: finishedAt === null ? null : isoTime(finishedAt),
    })),
  };
}

function finishesOf(
  deps: CollectingDeps,
  id: string,
  jobs: readonly StoredJob[],
  summary: MigratingProject,
): Passport['finishes'] {
  const markJobs = jobs.filter((job) => jobChangeKind(jobSchema.parse(job)) === 'mark-as-moved');
  const jobFinishes = markJobs.flatMap((job) => {
    return finishOf(job, requestsOf(deps, [job]), deps.jobs.outputs(job.id)['send']) ?? [];
  });
  const leftOut = deps.migrationJobs.partialFinishes(id).flatMap((run) => skippedFinish(run, summary) ?? []);
  return [...jobFinishes, ...leftOut].sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
}

const pageSize = 500;

/** Returns the requests that the jobs sent, oldest first. */
export function requestsOf(
  { writeRequests }: CollectingDeps,
  jobs: readonly StoredJob[],
): Passport['requests'] {
  const all = jobs.flatMap(({ id: job }) => {
    const found: WriteRequest[] = [];
    for (;;) {
      const before = found.at(-1)?.id ?? null;
      const page = writeRequests.list({ instance: null, job, before, limit: pageSize });
      found.push(...page);
      if (page.length < pageSize) return found;
    }
  });
  return all.sort((a, b) => a.id - b.id).map((request) => ({ ...request, at: isoTime(request.at) }));
}

function retryOf(job: StoredJob): Passport['retries'][number] {
  const result = relationImportResultSchema.safeParse(job.result).data;
  return {
    jobId: job.id,
    relation: result?.relation ?? subjectSchema.parse(job.input).relation ?? '',
    status: job.state.status,
    relationImportId: result?.id ?? null,
    before: result?.before ?? null,
    after: result?.after ?? null,
    error: job.state.status === 'failed' ? job.state.error : null,
  };
}
