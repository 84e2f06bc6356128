/** @file The ports of the migration coordinator. Types only; `compose/compose.ts` passes the real ones. */
import type { MigrationDraft } from '../../../src-contract/migrations/migration.ts';
import type { ChosenDepth } from '../../../src-contract/transfers/import.ts';
import type { AppError } from '../../../src-contract/errors.ts';
import type { JobKind } from '../../../src-contract/runs/job.ts';
import type { StoredProject } from '../../catalogue/migrations/migrating-rows.ts';
import type { JobDraft } from '../ports.ts';
import type { ProjectMigration, MigrationJobKind } from './migrating.ts';

export interface ActiveMigration {
  id: string;
  draft: Pick<MigrationDraft, 'source' | 'target' | 'freeze' | 'overrideParams'>;
  status: 'draft' | 'running' | 'paused' | 'cancelled';
  /** True while groups for its projects are being created on the target. */
  waitsForGroups: boolean;
}

export type ActiveProject = ProjectMigration &
  Pick<StoredProject, 'sourcePath' | 'placement' | 'target' | 'archive'>;

export type MigrationJob = JobDraft & { kind: JobKind };

export interface MigrationsPort {
  /** Returns the started migrations, except those marked as idle. */
  activeMigrations(): ActiveMigration[];
  /** Marks the migration as idle if it has no open or remaining work. Any change clears the mark. One transaction. */
  markIdle(id: string): void;
  projects(id: string): ActiveProject[];
  /**
   * Returns the ids of the findings of the last check that block only their project and are not overridden. Reads the
   * whole check.
   */
  projectBlockers(id: string): ReadonlySet<string>;
  /** Creates the jobs for the groups that can be created now. Returns false if there are none. Throws `job-busy`. */
  createGroupJobs(id: string): boolean;
  /**
   * Creates or joins the job and records it, in one transaction. Returns false if the project already has this job.
   * Throws `job-busy`.
   */
  createOrJoinJob(
    id: string,
    project: { sourceId: number; wave: number },
    jobKind: MigrationJobKind,
    job: MigrationJob,
  ): boolean;
  /**
   * Compares and stores the result; stores nothing if an instance cannot be read. With `isSourceOptional`, the counts
   * before and after the export replace an unreadable source. The depth is the greatest of `depth`, the one of the
   * migration, and that of the last comparison.
   */
  compare(
    id: string,
    sourceId: number,
    signal: AbortSignal,
    isSourceOptional: boolean,
    depth?: ChosenDepth,
  ): Promise<void>;
  /** Stores why a due comparison failed, until it succeeds. Every process shows the reason. */
  recordComparisonFailure(id: string, sourceId: number, error: AppError): void;
}
