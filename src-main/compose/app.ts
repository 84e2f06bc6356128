/** @file The interface of the app that every host uses, and the options it is started with. `compose.ts` builds it. */
import type { AppError } from '../../src-contract/errors.ts';
import type { StoredJob, Progress } from '../../src-contract/runs/job.ts';
import type { Disk } from '../platform/disk/disk.ts';
import type { AwaitedScope } from '../catalogue/runs/awaited.ts';
import type { Dispatch } from '../bridge/dispatch.ts';
import type { HostActions } from '../bridge/host/host-port.ts';
import type { RetryThroughOutage } from '../services/instances/retry-through-outage.ts';
import type { HttpLimits } from '../gitlab/http/limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Keychain } from '../platform/credentials-keychain.ts';
import type { Power } from '../platform/power.ts';
import type { DiskLimits } from '../services/archives/folders/timed-disk-access.ts';
import type { EventListener } from '../services/events.ts';
import type { TokenRecipient } from '../services/tokens/token-recipient.ts';
import type { NewTokens } from '../services/tokens/new-tokens.ts';

export interface AppOptions {
  /** Null for the folder that the environment names, or, if it names none, the platform's usual folder. */
  dataDir: string | null;
  env: Readonly<Record<string, string | undefined>>;
  /** The clock. Only tests pass another one. */
  clock?: Clock;
  keychain?: Keychain;
  disk?: Disk;
  diskLimits?: Partial<DiskLimits>;
  httpLimits?: Partial<HttpLimits>;
  /** How long an instance may be unreachable before its jobs fail. */
  maxOutageMs?: number;
  /** The host's actions for the window, such as file dialogs. Default: none, as on the command line. */
  host?: HostActions;
  /** Keeps the machine awake while a job transfers. Default: the machine may sleep. */
  power?: Power;
  /** True if this process runs until a user ends it. Such a process also starts the sandbox servers again. */
  longLived?: boolean;
}

export interface App {
  dispatch: Dispatch;
  /** Sentences for the user about the opening of the data folder; usually none. */
  notices: readonly string[];
  /** Calls the listener for every event until the returned function is called. */
  subscribe(listener: EventListener): () => void;
  /**
   * Runs jobs while this process holds the lease: the jobs that `claims` accepts, and the jobs that other processes
   * wait for. `awaitedScope` describes the jobs that `claims` accepts, so that the lease holder can run them.
   */
  startJobs(claims: (job: StoredJob) => boolean, awaitedScope?: AwaitedScope): void;
  /** Returns whether another process waits for the run or runs all jobs. If so, the run was not interrupted. */
  isAwaitedElsewhere(runId: string): boolean;
  /** Starts due plans and verifies archives, while this process holds the lease. For long-lived hosts. */
  startSchedule(): void;
  retryThroughOutage: RetryThroughOutage;
  /** Stores a failed run of the plan if a requested run failed before its jobs were created. */
  recordFailedPlanStart(planId: string, error: AppError): void;
  /** Fails jobs whose stored archive is missing, once all jobs of the run have ended. @returns their number. */
  failJobsWithLostArchives(runId: string): Promise<number>;
  belongsToMigration(job: StoredJob, migration: string): boolean;
  /** Polls at once for due work, for example after the machine slept or when the network is back. */
  wake(): void;
  /** Returns the progress of a job's step; null if this process does not run the job. */
  progressOf(jobId: string): Progress | null;
  /** Returns false while another process runs the jobs and this one only watches. */
  isRunningJobs(): boolean;
  /** Returns whether any process runs this data folder's jobs. If not, jobs shown as running are stalled. */
  isAnyProcessRunningJobs(): boolean;
  /** New tokens that would be lost if this process ended now. */
  newTokens: Pick<NewTokens, 'isRequestPending' | 'unstored' | 'storePending' | 'handOver'>;
  /** The recipient of new tokens that no keychain stores: the user of this process. */
  tokenRecipient: Pick<TokenRecipient, 'set'>;
  /**
   * Returns the first disk failure of the catalogue, even if a later attempt succeeded, or null. Also works after
   * `close`.
   */
  diskFailure(): AppError | null;
  /** Returns the error that has blocked all jobs of this process for some seconds, such as a full disk; else null. */
  blockingError(): AppError | null;
  /**
   * Stops starting plans and jobs, and stores running jobs as interrupted. No new token is requested from an instance
   * any more, and no other process runs the jobs meanwhile. Idempotent.
   */
  suspendJobs(): Promise<void>;
  close(): Promise<void>;
}
