/** @file What the handlers need of jobs and plans. Types only. */
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import type { AppError, ErrorData } from '../../../src-contract/errors.ts';
import type { StoredJob, JobEvent, JobKind, JobStatus, JobStep } from '../../../src-contract/job.ts';
import type { PlanStatus, Retention, ScheduleDraft } from '../../../src-contract/plans/plan.ts';
import type { RunForecast, RunNote } from '../../../src-contract/plans/run.ts';

export interface JobsPort {
  /**
   * All in one; a job whose project has an open job with another input is refused, the others are not. An equal request
   * that was interrupted is gone on with (`resumed`) instead, so that nothing it has done is done twice.
   */
  enqueue(run: {
    kind: JobKind;
    request: unknown;
    jobs: { instance: string; project: string; input: unknown }[];
    /** What was noticed when the projects were chosen. */
    notes?: readonly RunNote[];
  }): { runId: string; jobs: StoredJob[]; refused: { project: string; error: AppError }[]; resumed: boolean };
  list(filter: {
    runId: string | null;
    status: JobStatus | 'open' | 'ended' | null;
    instance: string | null;
    project: string | null;
    before: string | null;
    limit: number;
  }): StoredJob[];
  /** By id or a unique beginning of one; throws `job-missing`. */
  get(reference: string): StoredJob;
  events(jobId: string, afterId: number, limit: number): JobEvent[];
  steps(job: StoredJob): JobStep[];
  cancel(jobId: string, by: string): StoredJob;
  /** Jobs of a run that have not ended, by the id of the run or a unique beginning of it. Throws `job-missing`. */
  openOfRun(reference: string): { runId: string; jobs: StoredJob[] };
  /** Cancels those of these jobs that have not ended meanwhile. All is stored, or nothing. Returns them. */
  cancelAll(jobIds: readonly string[], by: string): StoredJob[];
  /** Nobody looks any more for what the request of this job, and of those before it for the same project, may have done. */
  notArrived(jobId: string, by: string): void;
  /** Jobs that have not ended, of one instance or of all, by status; a status that none has is absent. */
  open(instance: string | null): Record<string, number>;
  /**
   * Failed jobs that no later one of the same work made good, newest first; `since` in epoch milliseconds. Those of one kind
   * that failed on one instance with one code are one entry: the error of the newest, how many, and the newest of them.
   */
  failed(filter: { since: number; instances: readonly string[]; limit: number }): Some<{
    jobKind: JobKind;
    instance: string;
    error: ErrorData;
    total: number;
    jobs: { jobId: string; project: string }[];
    /** No archive of one of their projects is held. */
    isUnprotected: boolean;
  }>;
  /** Ids of all that `failed` tells as one. */
  failedAlike(
    filter: { since: number; instances: readonly string[] },
    likeness: { jobKind: JobKind; instance: string; code: string },
  ): string[];
  /** Likewise each that succeeded with warnings, with what the first of them say. */
  warned(filter: { since: number; instances: readonly string[]; limit: number }): Some<{
    jobId: string;
    jobKind: JobKind;
    instance: string;
    project: string;
    warnings: number;
    messages: string[];
  }>;
  /** Whether a job of any time reads, or read, the archive at this path. */
  hasRead(archivePath: string): boolean;
  /** False while another process runs the jobs. */
  runHere(): boolean;
  /** Why no job can go on here, or null. */
  trouble(): AppError | null;
}

/** What was dismissed from the overview: jobs by their id, and departures of projects. */
export interface DismissalsPort {
  /** `item`: the name of what told of them. */
  add(item: string, dismissed: { jobIds: readonly string[]; departures: readonly Departure[] }): void;
  /** Returns false where no such item was dismissed. */
  remove(item: string): boolean;
  hasDeparture(departure: Departure): boolean;
}

/** `leftAt` is ISO 8601 UTC. */
export interface Departure {
  instance: string;
  projectId: number;
  leftAt: string;
}

/** The first of a list; `total` counts also those beyond the limit. */
export interface Some<Entry> {
  entries: Entry[];
  total: number;
}

/**
 * Calls `ask`, which changes nothing before the instance has answered, until it is answered: it waits through an outage as jobs do, and
 * as long. `onWait` gets the sentence that a waiting job says.
 */
export type ThroughOutage = <T>(
  instance: string,
  ask: () => Promise<T>,
  how: { signal: AbortSignal; onWait(text: string): void },
) => Promise<T>;

/** Plans as they stand now: from the settings, the history of runs and the clock. */
export interface PlansPort {
  list(): PlanStatus[];
  /** The plan of an instance that needs looking at first: one that is overdue, else the one that is due next; null: it has none. */
  standing(instance: string): PlanStatus | null;
  /** Throws `instance-unknown`, `plan-missing`, `already-exists` for a name that is taken, `invalid-input` for a schedule that is never due. */
  save(request: ParsedRequest<'plan.save'>): Promise<PlanStatus>;
  /** Throws `plan-missing`. What it has fired goes on. */
  remove(id: string): Promise<void>;
  /** Throws `plan-missing` and what asking the instance throws; nothing has fired then. */
  run(
    request: ParsedRequest<'plan.run'>,
    signal: AbortSignal,
    /** Gets the sentence that a waiting job says. */
    onWait?: (text: string) => void,
  ): Promise<CallReply<'plan.run'>>;
  /** Asks that the program before a run be ended. Throws `plan-missing`, and `job-ended` where none is under way. */
  cancelBeginning(id: string, by: string): PlanStatus;
  /** `id` null: all. Throws `plan-missing`, and `invalid-input` for a time that has passed. */
  pause(id: string | null, until: string | null): Promise<PlanStatus[]>;
  /** Throws `plan-missing`, and `invalid-input` where the plan is off or will not be due. */
  skipNext(id: string, skip: boolean): Promise<PlanStatus>;
  dueTimes(schedule: ScheduleDraft, count: number): CallReply<'plan.dueTimes'>;
  /** Throws `plan-missing` and what asking the instance throws. */
  forecast(id: string, signal: AbortSignal): Promise<CallReply<'plan.forecast'>>;
  /** What was expected of a run, and how it came; null where nothing was. */
  runForecast(runId: string): RunForecast | null;
  /** Plans whose newest run backed nothing up: why it could not begin, null where the plan covers no project. */
  inVain(): { planId: string; plan: string; instance: string; runId: string; error: ErrorData | null }[];
  history(days: number): CallReply<'plan.history'>;
  prunePreview(planId: string, retention: Retention): Promise<CallReply<'plan.prunePreview'>>;
}
