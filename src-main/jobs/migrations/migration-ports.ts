/** @file What the tending of migrations needs of the rest. Types only; `compose/compose.ts` fits the real ones. */
import type { MigrationDraft, Placement } from '../../../src-contract/migrations/migration.ts';
import type { AppError } from '../../../src-contract/errors.ts';
import type { JobKind } from '../../../src-contract/job.ts';
import type { Migrating, Move } from './migrating.ts';

export interface RunningMigration {
  id: string;
  draft: Pick<MigrationDraft, 'source' | 'target' | 'freeze' | 'overrideParams'>;
  status: 'draft' | 'running' | 'paused' | 'cancelled';
  /** Groups are being created on the target that its projects go to. */
  waitsForGroups: boolean;
}

export interface RunningProject extends Migrating {
  sourcePath: string;
  placement: Placement;
  target: { id: number; fullPath: string } | null;
  /** What its export stored; null before. It may be gone meanwhile. */
  archive: { id: string; path: string; sha256: string; sizeBytes: number } | null;
}

/** A job that is to be made for a move. */
export interface MoveJob {
  kind: JobKind;
  instance: string;
  project: string;
  input: unknown;
}

export interface MigrationsPort {
  /** Those that were started, but for those that rest. */
  tended(): RunningMigration[];
  /**
   * Lets it rest, until something of it is changed, where nothing is under way and nothing to do. That is decided anew, as another
   * process may just have asked for more.
   */
  rest(id: string): void;
  projects(id: string): RunningProject[];
  /** Makes the jobs of groups that can be created now; false where there was none to make. Throws `job-busy`. */
  beginGroups(id: string): boolean;
  /**
   * Makes the job, or joins the open one that does the same work, and keeps it as that of the project, in one transaction.
   * False, and nothing is written, where the project has one of that move already. Throws `job-busy`.
   */
  begin(id: string, project: { sourceId: number; wave: number }, move: Move, job: MoveJob): boolean;
  /**
   * Compares source, archive and target of an imported project and keeps what it found. Rejects where an instance could not be
   * asked; nothing is kept then. @param mayDoWithoutSource where the source could not be asked, whyever, archive and target are
   * compared with what was counted of it around the export, and that is declared.
   */
  compare(id: string, sourceId: number, signal: AbortSignal, mayDoWithoutSource: boolean): Promise<void>;
  /** Keeps why a comparison that is due could not be made, until it is; every process shows it. */
  compareFailed(id: string, sourceId: number, error: AppError): void;
}
