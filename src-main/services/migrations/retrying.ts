/** @file Imports a relation of a migrated project again, from an archive of only the missing or failed records. */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { RelationImportInput } from '../../../src-contract/runs/job.ts';
import { agreesWithoutFailures } from '../../../src-contract/transfers/import.ts';
import { assertKeepsMembers } from '../../../src-contract/transfers/relation-members.ts';
import type { RelationTarget } from '../../../src-contract/transfers/relation-target-schema.ts';
import type { Manifest } from '../../../src-contract/archives/archive.ts';
import type { JobService } from '../runs/job-service.ts';
import type { MigrationsPort } from '../../jobs/migrations/migration-ports.ts';
import { isRecordOnTarget } from '../../jobs/migrations/settled.ts';
import type { RelationArchives } from '../transfers/relation-archives.ts';
import type { Differences } from './comparing/differences.ts';
import { nothingToImportText } from './nothing-to-import.ts';
import { findMigrationProject } from './placement/find-migration-project.ts';
import type { SharedDeps } from '../shared-deps.ts';

type Compare = MigrationsPort['compare'];

export interface RetryDeps extends Pick<
  SharedDeps,
  'announce' | 'clock' | 'importFailures' | 'migrationJobs' | 'projectMigrations'
> {
  archives: Pick<RelationArchives, 'makeFromIndex' | 'countLines' | 'removeIfUnused'>;
  /** Returns the members and attributes of a project on this instance that a relation import may change. */
  readRelationTarget(instance: string, projectId: number, signal: AbortSignal): Promise<RelationTarget>;
  differences: Pick<Differences, 'assess'>;
  enqueue: JobService['enqueue'];
  inTransaction<T>(work: () => T): T;
  manifest(archiveId: string): Manifest;
}

export function createRelationRetries(deps: RetryDeps) {
  const { archives, projectMigrations, migrationJobs, importFailures, clock } = deps;

  const linesOf = (id: string, sourceId: number, importJob: string, relation: string): number[] => {
    const lines = new Set<number>();
    const reconciliation = projectMigrations.reconciliation(id, sourceId);
    const found =
      reconciliation === null
        ? []
        : deps.differences.assess(id, projectMigrations.project(id, String(sourceId)), reconciliation);
    for (const { kind, relation: lostRelation, lost: phase, open, lines: lostLines } of found) {
      if (kind !== 'record' || lostRelation !== relation || phase !== 'on-import' || open === 0) continue;
      for (const line of lostLines) lines.add(line);
    }
    const includesUnnamed = found.every(({ kind, open }) => kind !== 'unnamed' || open > 0);
    for (const entry of includesUnnamed ? (reconciliation?.unnamed ?? []) : []) {
      if (entry.relation !== relation) continue;
      for (const line of entry.lines) lines.add(line);
    }
    for (const { relation: failedRelation, line, state } of importFailures.findByImport(importJob)) {
      if (failedRelation !== relation || line === null) continue;
      if (state === 'accepted') lines.delete(line);
      else if (state !== 'resolved') lines.add(line);
    }
    return [...lines].sort((a, b) => a - b);
  };

  return {
    /**
     * Starts a retry. Throws `migration-missing`, `project-missing`, `job-busy`, and `invalid-input` if there is
     * nothing to import.
     */
    async start(
      {
        migration: reference,
        project: projectReference,
        relation,
        records,
        removeMembers,
      }: ParsedRequest<'migration.retry'>,
      signal: AbortSignal,
    ) {
      const { id, draft } = projectMigrations.get(reference);
      const project = findMigrationProject(projectMigrations, id, projectReference);
      const { sourceId, sourcePath, archive, target } = project;
      const importJob = project.jobs.import;
      if (importJob?.status !== 'succeeded' || archive === null || target === null) {
        throw new AppError(
          'invalid-input',
          `${sourcePath} was not imported, so no part of it can be retried.`,
          { details: { wrong: 'state' } },
        );
      }
      const wantedLines = records === 'all' ? null : linesOf(id, sourceId, importJob.jobId, relation);
      const lineCount =
        wantedLines === null ? null : await archives.countLines(archive.path, relation, signal);
      // GitLab may list a failure about a line that the archive does not have. There is nothing to import for it.
      const lines = wantedLines?.filter((line) => line >= 0 && line < (lineCount ?? Infinity)) ?? null;
      if (lines?.length === 0) {
        const why = nothingToImportText(
          target.fullPath,
          relation,
          projectMigrations.reconciliation(id, sourceId),
          wantedLines ?? [],
        );
        throw new AppError('invalid-input', why, { details: { wrong: 'state' } });
      }
      const members = await deps.readRelationTarget(draft.target, target.id, signal);
      assertKeepsMembers(members, target.fullPath, removeMembers);
      const { inspection } = deps.manifest(archive.id);
      const file = await archives.makeFromIndex(archive.path, { relation, lines }, inspection, signal);
      const input: RelationImportInput = {
        projectId: target.id,
        fullPath: target.fullPath,
        relation,
        ...file,
        archiveId: null,
        ...(lines !== null && { missingOnly: true }),
        ...(removeMembers && { removeMembers }),
      };
      const { runId, job, refused } = deps.inTransaction(() => {
        const enqueued = deps.enqueue({
          kind: 'relation-import',
          request: { migration: id, sourceId, relation, records },
          jobs: [{ instance: draft.target, project: target.fullPath, input }],
        });
        const [newJob] = enqueued.jobs;
        if (newJob !== undefined) {
          migrationJobs.addRetry(id, sourceId, newJob.id);
          importFailures.markRetried(importJob.jobId, relation, lines, clock.now());
        }
        return { runId: enqueued.runId, job: newJob, refused: enqueued.refused[0] };
      });
      if (job === undefined) {
        await archives.removeIfUnused(file.archivePath);
        throw refused?.error ?? new AppError('internal', 'Nothing was enqueued.');
      }
      deps.announce('migration.changed', { migrationId: id });
      return { runId, jobId: job.id };
    },

    /**
     * Wraps a comparison so that it also updates failures, except those of retries still running at its start. If it
     * resolves the last open failure and found no other difference, it is stored as `reconciled`.
     */
    wrapCompare:
      (compare: Compare): Compare =>
      async (id, sourceId, ...request) => {
        const ended = migrationJobs.uncomparedRetries(id, sourceId);
        await compare(id, sourceId, ...request);
        const reconciliation = projectMigrations.reconciliation(id, sourceId);
        const { jobs } = projectMigrations.project(id, String(sourceId));
        const importJob = jobs.import?.jobId;
        if (reconciliation === null || importJob === undefined) return;
        // A retry does not add parts to existing records, so a record with a missing part still lacks it.
        const isComplete = (relation: string, line: number): boolean | null =>
          reconciliation.missing.some(
            (one) => one.relation === relation && one.line === line && one.lost === 'on-import',
          )
            ? false
            : isRecordOnTarget(reconciliation, relation, line);
        deps.inTransaction(() => {
          const inProgress = migrationJobs.relationsInProgress(id, sourceId, ended);
          importFailures.applyComparison(importJob, inProgress, isComplete, clock.now());
          const hasOpenFailures = importFailures.listOpen(importJob).length > 0;
          if (!reconciliation.reconciled && !hasOpenFailures && agreesWithoutFailures(reconciliation)) {
            projectMigrations.saveReconciliation(id, sourceId, { ...reconciliation, reconciled: true });
          }
          migrationJobs.markRetriesCompared(ended);
        });
      },
  };
}
