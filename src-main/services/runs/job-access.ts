/**
 * @file The stored jobs: created, listed and cancelled.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instances/instance.ts';
import {
  hasEnded,
  type StoredJob,
  type JobEvent,
  type JobKind,
  type JobStep,
} from '../../../src-contract/runs/job.ts';
import type { RunNote } from '../../../src-contract/runs/run.ts';
import { upperFirst } from '../../../src-contract/words/first-letter.ts';
import type { JobAttention } from '../../catalogue/runs/job-attention.ts';
import type { JobSearch } from '../../catalogue/runs/job-search.ts';
import type { JobStore } from '../../catalogue/runs/jobs.ts';
import type { RunStore } from '../../catalogue/runs/runs.ts';
import { interleaveNamespaces } from '../../jobs/exporting/spread.ts';
import type { JobDraft } from '../../jobs/ports.ts';
import { stepsOf } from '../../jobs/running/progress-of-steps.ts';
import type { JobRunner } from '../../jobs/running/runner.ts';
import type { JobDefinition } from '../../jobs/running/step.ts';
import type { Clock } from '../../platform/clock.ts';

export interface JobAccessParts {
  definitions: readonly JobDefinition[];
  jobs: JobStore;
  search: JobSearch;
  runs: RunStore;
  attention: Pick<JobAttention, 'open'>;
  runner: JobRunner;
  clock: Clock;
  /** Throws `instance-unknown`. */
  paceOf(instance: string): Pace;
}

/** One request and the jobs that it asks for. */
export interface RunDraft {
  kind: JobKind;
  /** Stored, so it contains no secret and no confirmation. */
  request: unknown;
  jobs: readonly JobDraft[];
  /** Notes from choosing the projects. */
  notes?: readonly RunNote[];
}

export interface EnqueuedRun {
  runId: string;
  jobs: StoredJob[];
  refused: { project: string; error: AppError }[];
  resumed: boolean;
}

/** Name of the step with which jobs of a kind begin. */
export function firstStepOf(definitions: readonly JobDefinition[], kind: string): string {
  const firstStep = definitions.find((definition) => definition.kind === kind)?.steps[0]?.name;
  if (firstStep === undefined) throw new AppError('internal', `There is no job kind "${kind}".`);
  return firstStep;
}

export class JobAccess {
  readonly #parts: JobAccessParts;

  constructor(parts: JobAccessParts) {
    this.#parts = parts;
  }

  /**
   * Stores all in one transaction. A job whose project has an open job with another input is refused, the
   * others are not. An equal request that was interrupted is continued (`resumed`) instead, so that none of
   * its work is done twice.
   */
  enqueue({ kind, request, jobs: given, notes }: RunDraft): EnqueuedRun {
    const { runs, jobs, runner, definitions, clock } = this.#parts;
    const interrupted = runs.unfinished(kind, request);
    if (interrupted !== null) {
      runner.wake();
      return { ...interrupted, refused: [], resumed: true };
    }
    const [first] = given;
    const drafts =
      kind === 'export' && first !== undefined
        ? interleaveNamespaces(given, this.#parts.paceOf(first.instance))
        : given;
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
      refused: enqueued.flatMap((one, index) =>
        'refused' in one ? [{ project: drafts[index]?.project ?? '', error: one.refused }] : [],
      ),
      resumed: false,
    };
  }

  /** The same with one job, which may be an open one that does the same work. Throws `job-busy`. */
  enqueueOne(kind: JobKind, request: unknown, draft: JobDraft): { runId: string; job: StoredJob } {
    const { runId, jobs, refused } = this.enqueue({ kind, request, jobs: [draft] });
    const [busy] = refused;
    if (busy !== undefined) throw busy.error;
    const [job] = jobs;
    if (job === undefined) throw new AppError('internal', 'Nothing was enqueued.');
    return { runId, job };
  }

  list(filter: Parameters<JobSearch['find']>[0]): StoredJob[] {
    return this.#parts.search.find(filter).map((job) => this.#withProgress(job));
  }

  /** By id or a unique beginning of one. Throws `job-missing`. */
  get(reference: string): StoredJob {
    const { jobs, search } = this.#parts;
    const job = jobs.get(search.resolveId(reference));
    if (job === null) throw new AppError('job-missing', `There is no job ${reference}.`);
    return this.#withProgress(job);
  }

  events(jobId: string, afterId: number, limit: number): JobEvent[] {
    return this.#parts.jobs.events({ jobId, afterId, limit });
  }

  steps(job: StoredJob): JobStep[] {
    const definition = this.#parts.definitions.find(({ kind }) => kind === job.kind);
    const names = (definition?.steps ?? []).map(({ name }) => name);
    return stepsOf(job, names, this.#parts.jobs.steps(job.id));
  }

  cancel(jobId: string, by: string): StoredJob {
    return this.#parts.runner.cancel(jobId, by);
  }

  /** Jobs of a run that have not ended, by the id of the run or a unique beginning of it. Throws `job-missing`. */
  openOfRun(reference: string): { runId: string; jobs: StoredJob[] } {
    const { jobs, search } = this.#parts;
    const runId = search.resolveRun(reference);
    return { runId, jobs: jobs.ofRun(runId).filter(({ state }) => !hasEnded(state)) };
  }

  /**
   * Cancels those that have not ended meanwhile, and returns them. Either all are stored as cancelled, or
   * none.
   */
  cancelAll(jobIds: readonly string[], by: string): StoredJob[] {
    return this.#parts.runner.cancelAll(jobIds, by);
  }

  /** Stops looking for effects of the request of this job, and of those before it for the same project. */
  markUndelivered(jobId: string, by: string): void {
    const message = `${upperFirst(by)} reported that its request did not arrive.`;
    this.#parts.jobs.forgetMemos(jobId, 'send', { type: 'note', message }, this.#parts.clock.now());
  }

  /** Number of jobs of an instance that have not ended. */
  countOpen(instance: string): number {
    return Object.values(this.#parts.attention.open(instance)).reduce((sum, jobs) => sum + jobs, 0);
  }

  /** True where a job of any time reads, or read, the archive at this path. */
  hasRead(archivePath: string): boolean {
    return this.#parts.search.hasRead(archivePath);
  }

  /** False while another process runs the jobs. */
  runHere(): boolean {
    return this.#parts.runner.runsJobs;
  }

  /** Why no job can continue here, or null. */
  trouble(): AppError | null {
    return this.#parts.runner.lastError;
  }

  #withProgress(job: StoredJob): StoredJob {
    return { ...job, progress: this.#parts.runner.progressOf(job.id) };
  }
}
