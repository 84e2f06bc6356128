/** @file The persisted jobs and whoever runs them as one thing, for the bridge. */
import { AppError, type ErrorData } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instance.ts';
import {
  hasEnded,
  type Job,
  type JobStep,
  type JobStatus,
  type JobKind,
  type JobEvent,
} from '../../../src-contract/job.ts';
import type { JobAttention, Some } from '../../catalogue/jobs/job-attention.ts';
import type { JobSearch } from '../../catalogue/jobs/job-search.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import type { RunStore } from '../../catalogue/jobs/runs.ts';
import { stepsOf } from '../../jobs/running/progress-of-steps.ts';
import type { JobRunner } from '../../jobs/running/runner.ts';
import { spread } from '../../jobs/exporting/spread.ts';
import type { JobDefinition } from '../../jobs/running/step.ts';
import type { Clock } from '../../platform/clock.ts';
import { upperFirst } from '../../../src-contract/words/first-letter.ts';
import type { RunNote } from '../../../src-contract/plans/run.ts';

export interface JobAccess {
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
  }): { runId: string; jobs: Job[]; refused: { project: string; error: AppError }[]; resumed: boolean };
  list(filter: {
    runId: string | null;
    status: JobStatus | 'open' | 'ended' | null;
    instance: string | null;
    project: string | null;
    before: string | null;
    limit: number;
  }): Job[];
  /** By id or a unique beginning of one; throws `job-missing`. */
  get(reference: string): Job;
  events(jobId: string, afterId: number, limit: number): JobEvent[];
  steps(job: Job): JobStep[];
  cancel(jobId: string, by: string): Job;
  /** Jobs of a run that have not ended, by the id of the run or a unique beginning of it. Throws `job-missing`. */
  openOfRun(reference: string): { runId: string; jobs: Job[] };
  /** Cancels those of these jobs that have not ended meanwhile. All is stored, or nothing. Returns them. */
  cancelAll(jobIds: readonly string[], by: string): Job[];
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

export interface JobAccessParts {
  definitions: readonly JobDefinition[];
  jobs: JobStore;
  search: JobSearch;
  runs: RunStore;
  attention: JobAttention;
  runner: JobRunner;
  clock: Clock;
  /** Ids of imports of which all that is lost was accepted by itself. */
  acceptedImports(): string[];
  /** Throws `instance-unknown`. */
  paceOf(instance: string): Pace;
}

/** Name of the step with which jobs of a kind begin. */
export function firstStepOf(definitions: readonly JobDefinition[], kind: string): string {
  const firstStep = definitions.find((definition) => definition.kind === kind)?.steps[0]?.name;
  if (firstStep === undefined) throw new AppError('internal', `There is no job kind "${kind}".`);
  return firstStep;
}

export function createJobAccess(parts: JobAccessParts): JobAccess {
  const { definitions, jobs, search, runs, attention, runner, clock } = parts;
  const withProgress = (job: Job): Job => ({ ...job, progress: runner.progressOf(job.id) });
  return {
    enqueue({ kind, request, jobs: given, notes }) {
      const interrupted = runs.unfinished(kind, request);
      if (interrupted !== null) {
        runner.wake();
        return { ...interrupted, refused: [], resumed: true };
      }
      const [first] = given;
      const drafts =
        kind === 'export' && first !== undefined ? spread(given, parts.paceOf(first.instance)) : given;
      const at = clock.now();
      const runId = jobs.newId(at);
      const firstStep = firstStepOf(definitions, kind);
      const enqueued = runs.enqueueAll(
        { id: runId, kind, request, at, notes },
        drafts.map((draft) => ({ ...draft, id: jobs.newId(at), kind, firstStep })),
      );
      runner.wake();
      return {
        runId,
        jobs: enqueued.flatMap((one) => ('job' in one ? [one.job] : [])),
        refused: enqueued.flatMap((one, at) =>
          'refused' in one ? [{ project: drafts[at]?.project ?? '', error: one.refused }] : [],
        ),
        resumed: false,
      };
    },
    list: (filter) => search.find(filter).map(withProgress),
    get(reference) {
      const job = jobs.get(search.resolveId(reference));
      if (job === null) throw new AppError('job-missing', `There is no job ${reference}.`);
      return withProgress(job);
    },
    events: (jobId, afterId, limit) => jobs.events({ jobId, afterId, limit }),
    steps(job) {
      const definition = definitions.find(({ kind }) => kind === job.kind);
      const names = (definition?.steps ?? []).map(({ name }) => name);
      return stepsOf(job, names, jobs.steps(job.id));
    },
    cancel: (jobId, by) => runner.cancel(jobId, by),
    openOfRun(reference) {
      const runId = search.resolveRun(reference);
      return { runId, jobs: jobs.ofRun(runId).filter(({ state }) => !hasEnded(state)) };
    },
    cancelAll: (jobIds, by) => runner.cancelAll(jobIds, by),
    notArrived(jobId, by) {
      const message = `${upperFirst(by)} reported that its request did not arrive.`;
      jobs.forgetMemos(jobId, 'send', { type: 'note', message }, clock.now());
    },
    open: (instance) => attention.open(instance),
    failed: (filter) => attention.failed(filter),
    failedAlike: (filter, likeness) => attention.failedAlike(filter, likeness),
    warned: (filter) => attention.warned(filter, parts.acceptedImports()),
    hasRead: (archivePath) => search.hasRead(archivePath),
    runHere: () => runner.runsJobs,
    trouble: () => runner.trouble,
  };
}
