/**
 * @file A relation of a migrated project imported again, from an archive of just the records that are missing or failed; and what
 * came of it. The trimmed archive stands in the data folder until its job has ended.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../src-preload/contract/errors.ts';
import {
  relationImportInputSchema,
  type Job,
  type RelationImportInput,
} from '../../../src-preload/contract/job.ts';
import type { ImportableRelation } from '../../../src-preload/contract/projects/transfer.ts';
import type { Manifest } from '../../../src-preload/contract/archive.ts';
import type { RecordIndex } from '../../archive/records/record-index.ts';
import { trimArchive, trimByIndex, type Trimmed } from '../../archive/trim.ts';
import type { FailuresPort } from '../../bridge/migrations/failure-ports.ts';
import type { JobsPort } from '../../bridge/runs/run-ports.ts';
import type { ImportFailures } from '../../catalogue/migrating/import-failures.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import type { StoredProject } from '../../catalogue/migrating/migrating-rows.ts';
import type { MigrationJobs } from '../../catalogue/migrating/migration-jobs.ts';
import type { ProjectMigrations } from '../../catalogue/migrating/project-migrations.ts';
import type { MigrationsPort as TenderPort } from '../../jobs/migrations/migration-ports.ts';
import { isThere } from '../../jobs/migrations/settled.ts';
import { makePrivateFolder } from '../../platform/private-folder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Announce } from '../events.ts';
import type { Differences } from './differences.ts';
import { nothingToSend } from './nothing-to-send.ts';

export interface RetryParts {
  /** Where trimmed archives stand. */
  folder: string;
  store: ProjectMigrations;
  moves: Pick<MigrationJobs, 'addRetry' | 'endedRetries' | 'relationsUnderWay' | 'retriesCompared'>;
  ledger: ImportFailures;
  differences: Pick<Differences, 'judged'>;
  jobs: JobStore;
  enqueue: JobsPort['enqueue'];
  /** All that is written in it, or nothing. */
  atOnce<T>(work: () => T): T;
  /** Throws where the archive is not known any more. */
  manifest(archiveId: string): Manifest;
  withIndex<T>(path: string, signal: AbortSignal, use: (index: RecordIndex) => Promise<T>): Promise<T | null>;
  clock: Clock;
  announce: Announce;
}

export interface Retrying {
  start: FailuresPort['retry'];
  /** A comparison that also settles what became of failures, but for those of retries which had not ended when it began. */
  comparing(compare: TenderPort['compare']): TenderPort['compare'];
  /** Removes the archive of a job that has ended. */
  jobEnded(job: Job): void;
  /** Removes archives of jobs that have ended, as after a crash. */
  sweep(): Promise<void>;
}

/** One that was just made may not have its job yet. */
const youngMs = 3_600_000;

export function createRetrying(parts: RetryParts): Retrying {
  const { folder, store, moves, ledger, jobs, clock } = parts;

  const trimmed = async (
    archive: NonNullable<StoredProject['archive']>,
    relation: ImportableRelation,
    lines: number[],
    signal: AbortSignal,
  ): Promise<
    Pick<RelationImportInput, 'archivePath' | 'sha256' | 'sizeBytes' | 'archiveId' | 'missingOnly'>
  > => {
    makePrivateFolder(folder);
    const part = join(folder, `${randomUUID()}.part`);
    const choices = [{ relation, lines }];
    const byIndex = await parts.withIndex(archive.path, signal, async (index): Promise<Trimmed | null> => {
      const { version, gitlabVersion } = parts.manifest(archive.id).inspection;
      if (version === null || index.layout !== 'ndjson') return null;
      return trimByIndex(index, { version, gitlabVersion }, choices, part, signal);
    });
    const { sha256, sizeBytes } = byIndex ?? (await trimArchive(archive.path, choices, part, { signal }));
    // The same records make the same file, so whoever asks twice for the same work joins it.
    const archivePath = join(folder, `${sha256}.tar.gz`);
    await rename(part, archivePath);
    return { archivePath, sha256, sizeBytes, archiveId: null, missingOnly: true };
  };

  /** Lines of what is missing or failed, but for what somebody accepted. */
  const linesOf = (id: string, sourceId: number, importJob: string, relation: string): number[] => {
    const lines = new Set<number>();
    const reconciliation = store.reconciliation(id, sourceId);
    const found =
      reconciliation === null
        ? []
        : parts.differences.judged(id, store.project(id, String(sourceId)), reconciliation);
    for (const { kind, relation: lost, lost: where, open, lines: gone } of found) {
      if (kind !== 'record' || lost !== relation || where !== 'on-import' || open === 0) continue;
      for (const line of gone) lines.add(line);
    }
    const areWanted = found.every(({ kind, open }) => kind !== 'unnamed' || open > 0);
    for (const more of areWanted ? (reconciliation?.unnamed ?? []) : []) {
      if (more.relation !== relation) continue;
      for (const line of more.lines) lines.add(line);
    }
    for (const { relation: failed, line, state } of ledger.ofImport(importJob)) {
      if (failed !== relation || line === null) continue;
      if (state === 'accepted') lines.delete(line);
      else if (state !== 'resolved') lines.add(line);
    }
    return [...lines].sort((one, other) => one - other);
  };

  const isUsed = (path: string): boolean =>
    jobs.open().some((job) => relationImportInputSchema.safeParse(job.input).data?.archivePath === path);

  return {
    async start({ migration: reference, project: named, relation, records }, signal) {
      const { id, draft } = store.get(reference);
      const project = store.project(id, named);
      const { sourceId, sourcePath, archive, target } = project;
      const importJob = project.jobs.import;
      if (importJob?.status !== 'succeeded' || archive === null || target === null) {
        throw new AppError(
          'invalid-input',
          `${sourcePath} was not imported, so nothing of it can be tried again.`,
        );
      }
      const lines = records === 'all' ? null : linesOf(id, sourceId, importJob.jobId, relation);
      if (lines?.length === 0) {
        const why = nothingToSend(target.fullPath, relation, store.reconciliation(id, sourceId));
        throw new AppError('invalid-input', why);
      }
      const { id: archiveId, path: archivePath, sha256, sizeBytes } = archive;
      const file =
        lines === null
          ? { archivePath, sha256, sizeBytes, archiveId }
          : await trimmed(archive, relation, lines, signal);
      const input: RelationImportInput = {
        projectId: target.id,
        fullPath: target.fullPath,
        relation,
        ...file,
      };
      const { runId, job, refused } = parts.atOnce(() => {
        const enqueued = parts.enqueue({
          kind: 'relation-import',
          request: { migration: id, sourceId, relation, records },
          jobs: [{ instance: draft.target, project: target.fullPath, input }],
        });
        const [made] = enqueued.jobs;
        if (made !== undefined) {
          moves.addRetry(id, sourceId, made.id);
          ledger.retry(importJob.jobId, relation, lines, clock.now());
        }
        return { runId: enqueued.runId, job: made, refused: enqueued.refused[0] };
      });
      if (job === undefined) {
        if (lines !== null && !isUsed(file.archivePath)) await rm(file.archivePath, { force: true });
        throw refused?.error ?? new AppError('internal', 'Nothing was enqueued.');
      }
      parts.announce('migration.changed', { migrationId: id });
      return { runId, jobId: job.id };
    },

    comparing: (compare) => async (id, sourceId, signal, mayDoWithoutSource) => {
      const ended = moves.endedRetries(id, sourceId);
      await compare(id, sourceId, signal, mayDoWithoutSource);
      const reconciliation = store.reconciliation(id, sourceId);
      const { jobs: made } = store.project(id, String(sourceId));
      const importJob = made.import?.jobId;
      if (reconciliation === null || importJob === undefined) return;
      // No part of a record is imported again: one that is there without a part still lacks what failed.
      const isWhole = (relation: string, line: number): boolean | null =>
        reconciliation.missing.some(
          (one) => one.relation === relation && one.line === line && one.lost === 'on-import',
        )
          ? false
          : isThere(reconciliation, relation, line);
      parts.atOnce(() => {
        const underWay = moves.relationsUnderWay(id, sourceId, ended);
        ledger.conclude(importJob, underWay, isWhole, clock.now());
        moves.retriesCompared(ended);
      });
    },

    jobEnded(job) {
      const { archivePath } = relationImportInputSchema.safeParse(job.input).data ?? {};
      if (archivePath === undefined || dirname(archivePath) !== folder || isUsed(archivePath)) return;
      // What stays is swept.
      rm(archivePath, { force: true }).catch(() => undefined);
    },

    async sweep() {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        if (found === null || clock.now() - found.mtimeMs < youngMs || isUsed(path)) continue;
        await rm(path, { recursive: true, force: true });
      }
    },
  };
}
