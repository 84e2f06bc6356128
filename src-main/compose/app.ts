/** @file The app as every host holds it, and what it is started with. It is built in `compose.ts`. */
import type { AppError } from '../../src-contract/errors.ts';
import type { StoredJob } from '../../src-contract/job.ts';
import type { Disk } from '../platform/disk/disk.ts';
import type { Awaited } from '../catalogue/jobs/awaited.ts';
import type { Dispatch } from '../bridge/dispatch.ts';
import type { HostPort } from '../bridge/host/host-port.ts';
import type { ThroughOutage } from '../bridge/runs/run-ports.ts';
import type { HttpLimits } from '../gitlab/http/limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Keychain } from '../platform/credentials-keychain.ts';
import type { Power } from '../platform/power.ts';
import type { DiskLimits } from '../services/archives/disk-questions.ts';
import type { EventListener } from '../services/events.ts';
import type { TokenRecipient } from '../services/instances/token-recipient.ts';
import type { NewTokens } from '../services/instances/new-tokens.ts';

export interface AppOptions {
  /** Null: as the environment says, or the platform's usual place. */
  dataDir: string | null;
  env: Readonly<Record<string, string | undefined>>;
  /** Only tests pass another. */
  clock?: Clock;
  keychain?: Keychain;
  disk?: Disk;
  diskLimits?: Partial<DiskLimits>;
  httpLimits?: Partial<HttpLimits>;
  /** How long an instance may not answer before its jobs fail. */
  maxOutageMs?: number;
  /** What the host does for the window; without it nothing, as on the command line. */
  host?: HostPort;
  /** Keeps the machine awake while a job transfers; without it, it sleeps when it likes. */
  power?: Power;
  /** Whether this process stays until a person ends it: then the practice servers, where there are any, run in it again. */
  longLived?: boolean;
}

export interface App {
  dispatch: Dispatch;
  /** What people must be told about the opening itself, in sentences; usually nothing. */
  notices: readonly string[];
  /** Calls the listener for every event until the returned function is called. */
  subscribe(listener: EventListener): () => void;
  /**
   * From now on also runs the jobs that `claims` accepts, and those that other processes wait for, while this process holds the lease.
   * `awaits` says what it is that `claims` accepts: the process that has the lease runs it meanwhile.
   */
  startJobs(claims: (job: StoredJob) => boolean, awaits?: Awaited): void;
  /** Whether another process waits for that run, or runs all jobs: then it was not interrupted. */
  isAwaitedElsewhere(runId: string): boolean;
  /** From now on also fires plans that are due and proves archives again, while this process holds the lease: for hosts that stay. */
  startSchedule(): void;
  throughOutage: ThroughOutage;
  /** Keeps as a failed run that one of a plan, which was asked for, ended before the plan itself was. */
  planCouldNotBegin(planId: string, error: AppError): void;
  /**
   * Looks whether the archives that the ended jobs of a run stored are still there, and marks the others as failed.
   * @returns how many those are.
   */
  confirmStored(runId: string): Promise<number>;
  /** Whether the job moves a project of that migration, by its id. */
  isOfMigration(job: StoredJob, migration: string): boolean;
  /** Looks at once for what is due, as after a sleep of the machine or when the network is back. */
  wake(): void;
  /** False while another process runs the jobs and this one only watches. */
  runsJobs(): boolean;
  /** Whether this process or another one runs jobs of this data folder: else what stands as under way stands still. */
  anyRunsJobs(): boolean;
  /** What would be lost if this process ended now. */
  newTokens: Pick<NewTokens, 'isAsked' | 'unkept' | 'settle' | 'handOver'>;
  /** Takes new tokens that no keychain keeps, for the person at this process. */
  tokenRecipient: Pick<TokenRecipient, 'set'>;
  /** The first failure of the disk of the catalogue here, also one after which another try succeeded; null: none. Also after closing. */
  diskFailure(): AppError | null;
  /** Why no job can go on here, once that has lasted some seconds: a full disk, a catalogue that cannot be written. */
  trouble(): AppError | null;
  /**
   * Starts no plan and no job until told to again, and has jobs that run stored as interrupted: no instance is asked for a new
   * token any more. No other process runs them meanwhile. Repeatable.
   */
  rest(): Promise<void>;
  /** Comes to rest, closes everything. */
  close(): Promise<void>;
}
