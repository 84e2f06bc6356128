/** @file Creates, lists, retries and cancels the stored jobs. */
import { AppError } from '../../../src-contract/errors.ts';
import { paceForVersion, type Pace } from '../../../src-contract/instances/instance.ts';
import {
  hasEnded,
  type StoredJob,
  type JobEvent,
  type JobKind,
  type JobStep,
} from '../../../src-contract/runs/job.ts';
import type { CallReply } from '../../../src-contract/calls.ts';
import type { RunNote } from '../../../src-contract/runs/run.ts';
import { upperFirst } from '../../../src-contract/words/first-letter.ts';
import type { JobAttention } from '../../catalogue/runs/job-attention.ts';
import { interleaveNamespaces } from '../../jobs/exporting/spread.ts';
import type { JobDraft } from '../../jobs/ports.ts';
import { stepsOf } from '../../jobs/running/progress-of-steps.ts';
import type { JobRunner } from '../../jobs/running/runner.ts';
import type { JobDefinition } from '../../jobs/running/step.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';
import { assertRepeatable, mayHaveArrived, cancelRefusedError } from './job-refusals.ts';

export interface JobServiceDeps extends Pick<
  SharedDeps,
  'clock' | 'jobs' | 'runs' | 'jobSearch' | 'settings'
> {
  definitions: readonly JobDefinition[];
  attention: JobAttention;
  runner: JobRunner;
}

export interface RunDraft {
  kind: JobKind;
  /** Must contain no secret and no confirmation, because it is stored. */
  request: unknown;
  jobs: readonly JobDraft[];
  notes?: readonly RunNote[];
}

export interface EnqueuedRun {
  runId: string;
  jobs: StoredJob[];
  refused: { project: string; error: AppError }[];
  resumed: boolean;
}

export interface EnqueuedJob {
  runId: string;
  jobId: string;
  job: StoredJob;
}

export class JobService extends Service<JobServiceDeps> {
  firstStepOf(kind: JobKind): string {
    const firstStep = this.deps.definitions.find((definition) => definition.kind === kind)?.steps[0]?.name;
    if (firstStep === undefined) throw new AppError('internal', `There is no job kind "${kind}".`);
    return firstStep;
  }

  /**
   * Stores all jobs in one transaction, and refuses a job whose project has an open job with another input. An equal
   * request that was interrupted is resumed (`resumed`), so that no work is done twice.
   */
  enqueue({ kind, request, jobs: jobDrafts, notes }: RunDraft): EnqueuedRun {
    const { runs, jobs, runner, clock } = this.deps;
    const interrupted = runs.findUnfinishedRun(kind, request);
    if (interrupted !== null) {
      runner.wake();
      return { ...interrupted, refused: [], resumed: true };
    }
    const [first] = jobDrafts;
    const drafts =
      kind === 'export' && first !== undefined
        ? interleaveNamespaces(jobDrafts, this.#paceOf(first.instance))
        : jobDrafts;
    const at = clock.now();
    const runId = jobs.newId(at);
    const firstStep = this.firstStepOf(kind);
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

  /** Like `enqueue` with one job. Returns an open job if it does the same work. Throws `job-busy`. */
  enqueueOne(kind: JobKind, request: unknown, draft: JobDraft): EnqueuedJob {
    const { runId, jobs, refused } = this.enqueue({ kind, request, jobs: [draft] });
    const [busy] = refused;
    if (busy !== undefined) throw busy.error;
    const [job] = jobs;
    if (job === undefined) throw new AppError('internal', 'Nothing was enqueued.');
    return { runId, jobId: job.id, job };
  }

  list(filter: Parameters<SharedDeps['jobSearch']['find']>[0]): StoredJob[] {
    return this.deps.jobSearch.find(filter).map((job) => this.#withProgress(job));
  }

  /** Returns a job by its id or a unique beginning of the id. Throws `job-missing`. */
  get(reference: string): StoredJob {
    const { jobs, jobSearch } = this.deps;
    const job = jobs.get(jobSearch.resolveId(reference));
    if (job === null) throw new AppError('job-missing', `There is no job ${reference}.`);
    return this.#withProgress(job);
  }

  events(reference: string, afterId: number, limit: number): JobEvent[] {
    return this.deps.jobs.events({ jobId: this.get(reference).id, afterId, limit });
  }

  steps(reference: string): JobStep[] {
    const job = this.get(reference);
    const definition = this.deps.definitions.find(({ kind }) => kind === job.kind);
    const names = (definition?.steps ?? []).map(({ name }) => name);
    return stepsOf(job, names, this.deps.jobs.steps(job.id));
  }

  /** Repeats a job that ended without success. Throws `invalid-input` for a job that must not be repeated. */
  retry(reference: string): EnqueuedJob {
    const job = this.get(reference);
    assertRepeatable(job);
    const { id, kind, instance, project, input } = job;
    this.deps.settings.instance(instance);
    return this.enqueueOne(kind, { retryOf: id }, { instance, project, input });
  }

  /** Throws `job-ended`, and `job-busy` for a rotation whose request was sent. */
  cancel(reference: string, by: string): StoredJob {
    const job = this.get(reference);
    const refusal = cancelRefusedError(job);
    if (refusal !== null) throw refusal;
    return this.deps.runner.cancel(job.id, by);
  }

  /**
   * Cancels the open jobs of a run in one transaction, except jobs that must not be stopped. Throws `job-missing`,
   * `job-ended`.
   */
  cancelRun(reference: string, by: string): CallReply<'run.cancel'> {
    const { jobs, jobSearch, runner } = this.deps;
    const runId = jobSearch.resolveRun(reference);
    const open = jobs.jobsOfRun(runId).filter(({ state }) => !hasEnded(state));
    if (open.length === 0) throw new AppError('job-ended', 'All jobs of this run have already ended.');
    const candidates = open.map((job) => ({ job, error: cancelRefusedError(job) }));
    const cancelled = runner.cancelAll(
      candidates.flatMap(({ job, error }) => (error === null ? [job.id] : [])),
      by,
    );
    const stopping = cancelled.filter(({ state }) => state.status === 'cancelling').length;
    return {
      ...{ runId, cancelled: cancelled.length - stopping, stopping },
      refused: candidates.flatMap(({ job, error }) =>
        error === null ? [] : [{ project: job.project, error: error.toData() }],
      ),
    };
  }

  /** Stops checking whether the request of this job, or an earlier request for the same project, had an effect. */
  markUndelivered(reference: string, by: string): StoredJob {
    const job = this.get(reference);
    if (!mayHaveArrived(job)) {
      const why = `The job ${job.id} is not an import with an unknown outcome.`;
      throw new AppError('invalid-input', why);
    }
    const message = `${upperFirst(by)} reported that the job's request did not arrive.`;
    this.deps.jobs.deleteMemos(job.id, 'send', { type: 'note', message }, this.deps.clock.now());
    return job;
  }

  countOpen(instance: string): number {
    return Object.values(this.deps.attention.countOpenByStatus(instance)).reduce(
      (sum, jobs) => sum + jobs,
      0,
    );
  }

  hasImportOf(archivePath: string): boolean {
    return this.deps.jobSearch.hasJobFor(archivePath);
  }

  #paceOf(instance: string): Pace {
    const { pace, serverVersion } = this.deps.settings.instance(instance);
    return paceForVersion(pace, serverVersion);
  }

  #withProgress(job: StoredJob): StoredJob {
    return { ...job, progress: this.deps.runner.progressOf(job.id) };
  }
}
