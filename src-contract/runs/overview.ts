/**
 * @file The noun *overview*: whether everything is backed up, which jobs run and which items need attention,
 * in one reply.
 */
import type { ErrorData } from '../errors.ts';
import type { JobKind } from './job.ts';
import type { PlanStatus } from '../plans/plan.ts';
import type { BackupStatus } from '../projects/project.ts';
import type { DepartureReason } from '../projects/scope.ts';
import type { TokenRefusal } from '../instances/instance.ts';

/** Items that need attention, worst first. Ids and names only; the window has the words. */
export type Attention =
  /**
   * An archive folder is not there, or another folder is in its place (`replaced`): an empty mount point, a
   * new folder.
   */
  | {
      kind: 'archives-absent';
      path: string;
      replaced: boolean;
      archives: number;
      projects: number;
    }
  | {
      kind: 'archive-damaged';
      archiveId: string;
      instance: string;
      project: string;
      reason: string;
    }
  /** The same, where a newer archive of the project is readable. */
  | {
      kind: 'older-archive-damaged';
      archiveId: string;
      instance: string;
      project: string;
      reason: string;
    }
  | {
      kind: 'job-failed';
      jobKind: JobKind;
      jobId: string;
      instance: string;
      project: string;
      error: ErrorData;
      dismissal?: string | undefined;
    }
  /** Several that failed in the same way on one instance: the newest of them, its error, and the total. */
  | {
      kind: 'jobs-failed';
      jobKind: JobKind;
      instance: string;
      error: ErrorData;
      total: number;
      jobs: { jobId: string; project: string }[];
      dismissal?: string | undefined;
    }
  | {
      kind: 'job-warnings';
      jobKind: JobKind;
      jobId: string;
      instance: string;
      project: string;
      warnings: number;
      /** The texts of the first of them. */
      messages: string[];
      dismissal?: string | undefined;
    }
  | {
      kind: 'plan-overdue';
      planId: string;
      /** Its name. */
      plan: string;
      instance: string;
      since: string;
      error: ErrorData | null;
    }
  /** The newest run of a plan, which could not begin. */
  | {
      kind: 'plan-failed';
      planId: string;
      plan: string;
      instance: string;
      runId: string;
      error: ErrorData;
    }
  /** The same for one that backed nothing up, as the plan covers no project. */
  | { kind: 'plan-empty'; planId: string; plan: string; instance: string; runId: string }
  /**
   * The project left the scope of a plan (`plan`: its name), or of "back up all" (null), so that no new
   * archive of it is made.
   */
  | {
      kind: 'left-scope';
      instance: string;
      project: string;
      projectId: number;
      reason: DepartureReason;
      /** The day of the mark for deletion, or the new path. */
      detail: string | null;
      /** How many archives of it are kept. */
      archives: number;
      plan: string | null;
      leftAt: string;
      dismissal?: string | undefined;
    }
  | { kind: 'token-missing'; instance: string }
  /** The instance refuses the token, or the day on which it expires has come. */
  | { kind: 'token-refused'; instance: string; code: TokenRefusal }
  /** The token can only read, neither export nor import; replaces `never-backed-up`. */
  | { kind: 'token-read-only'; instance: string }
  | { kind: 'token-expires'; instance: string; expiresOn: string }
  | { kind: 'never-backed-up'; instance: string; projects: number }
  /** Their newest archives lack records of the source. */
  | { kind: 'projects-incomplete'; instance: string; projects: number }
  /** Their newest archives hold data that no export should. */
  | { kind: 'projects-suspicious'; instance: string; projects: number }
  | { kind: 'list-old'; instance: string; refreshedAt: string | null }
  | { kind: 'disk-low'; path: string; freeBytes: number }
  | { kind: 'jobs-stuck'; error: ErrorData }
  | { kind: 'notice'; text: string };

export interface InstanceOverview {
  name: string;
  url: string;
  username: string | null;
  /** False: nothing can be backed up with its token, or imported; null: not known. */
  tokenCanWrite: boolean | null;
  /** Used without an account; and set to be read only. Either way nothing can be backed up or imported. */
  anonymous: boolean;
  readOnly: boolean;
  /** When the project list was last refreshed; null: never. */
  refreshedAt: string | null;
  projects: number;
  /** Projects by backup status; every status is present. */
  statusCounts: Record<BackupStatus, number>;
  /** How many projects with the status `failed` still have an earlier readable archive. */
  failedHeld: number;
  /** How many projects with the status `never` were imported within the last day from an archive that is still kept. */
  newCopies: number;
  /**
   * The time of the oldest newest archive among projects that changed since, or whose newest backup failed.
   */
  oldestArchive: string | null;
  plan: PlanStatus | null;
}

export interface Overview {
  instances: InstanceOverview[];
  /** Archives in folders that are present; `absent` counts the others. */
  archives: { count: number; bytes: number; absent: number; freeBytes: number | null };
  /** Jobs that have not ended, by status. */
  openJobs: Record<string, number>;
  /** False: another process runs the jobs, this one watches. */
  runsJobs: boolean;
  attention: Attention[];
  /** The number of further items of kinds that have too many to list. */
  moreAttention: number;
}
