/**
 * @file Jobs, their steps and their events. Every change of a job's state is one transaction with the one event that
 * reports it; events are never changed. `jobs/running/transition.ts` decides which transitions are allowed.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import { hasEnded, jobKinds } from '../../../src-contract/runs/job.ts';
import { jobEventSchema, jobHeaderSchema, jobStateSchema } from '../../../src-contract/runs/job-schema.ts';
import type { StoredJob, JobEvent, JobKind, JobState } from '../../../src-contract/runs/job.ts';
import { z } from '../../../src-contract/schema.ts';
import { newId } from '../../platform/ids.ts';
import type { Catalogue } from '../database.ts';
import { jsonColumn, readRow } from '../rows.ts';
import { ended } from './ended.ts';
import { isSameWork, joinedInput } from './same-work.ts';

/** The columns for `readJob`. */
export const jobColumns = `id, run_id AS runId, kind, instance, project, state, step, attempt, created_at AS createdAt,
  updated_at AS updatedAt, revision, input, result`;
const jobRow = jobHeaderSchema.extend({
  kind: z.enum(jobKinds),
  state: jsonColumn.pipe(jobStateSchema),
  input: jsonColumn,
  result: jsonColumn,
});
const stepRow = z.object({ attempt: z.number().int(), memo: jsonColumn });
const begunRow = z.object({
  name: z.string(),
  attempt: z.number().int(),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
});
/**
 * A step that was begun; epoch milliseconds. A step that was repeated after it had finished has a later start than end.
 */
export type StartedStep = z.infer<typeof begunRow>;
const outputRow = z.object({ step: z.string(), output: jsonColumn });
const memoRow = z.object({ step: z.string(), memo: jsonColumn });
const openRow = z.object({ id: z.string(), input: jsonColumn });

/** The event of a change; `at` of the change is its time. */
export interface NewJobEvent {
  type: string;
  message: string;
}

/** A job that has ended, with the outputs of its steps, and the memos of unfinished steps. Both by step. */
export interface EarlierJob {
  job: StoredJob;
  outputs: Record<string, unknown>;
  memos: Record<string, unknown>;
}

/** Work to be done. A job that is joined keeps its own id, step and input. */
export interface NewJob {
  id: string;
  kind: JobKind;
  instance: string;
  project: string;
  input: unknown;
  firstStep: string;
}

/** Synchronous: when a method returns, the change is on disk. Times are epoch milliseconds, passed by the caller. */
export class JobStore {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * Returns an id for a run or a job. Later ids sort after earlier ones, even after those made while the clock was
   * ahead.
   */
  newId(at: number): string {
    const [newest] = this.#catalogue.column(
      'SELECT max(id) FROM (SELECT max(id) AS id FROM jobs UNION ALL SELECT max(id) FROM runs)',
    ) as [string | null];
    return newId(at, newest);
  }

  /** Stores all changes that `work` makes in one transaction, or none if it throws. `work` must be synchronous. */
  together<T>(work: () => T): T {
    return this.#catalogue.transaction(work);
  }

  createRun(run: { id: string; kind: string; request: unknown; at: number }): void {
    this.#catalogue.run(
      'INSERT INTO runs (id, kind, request, created_at) VALUES (@id, @kind, @request, @at)',
      { ...run, request: toJson(run.request) },
    );
  }

  /**
   * Creates a queued job, or joins the open one of the same kind, instance and project; the run then waits for it.
   * Throws `job-busy` without a write if the open job does that work in another way.
   */
  enqueue(request: NewJob & { runId: string; at: number }): { job: StoredJob; joined: boolean } {
    return this.#catalogue.transaction(() => {
      const open = this.#openJob(request);
      const input = toJson(request.input);
      if (open !== null && !isSameWork(request.kind, open.input, JSON.parse(input))) {
        throw new AppError('job-busy', 'An open job does the same work in another way.', {
          retry: 'later',
          details: { jobId: open.id, project: request.project },
        });
      }
      if (open === null) {
        this.#catalogue.run(
          `INSERT INTO jobs (id, run_id, kind, instance, project, status, state, step, created_at, updated_at, input)
             VALUES (@id, @runId, @kind, @instance, @project, 'queued', '{"status":"queued"}', @firstStep, @at, @at, @input)`,
          { ...request, input },
        );
      }
      const id = open?.id ?? request.id;
      if (open !== null) {
        const joined = toJson(joinedInput(request.kind, open.input, JSON.parse(input)));
        this.#catalogue.run('UPDATE jobs SET input = ? WHERE id = ?', joined, id);
      }
      this.#catalogue.run('INSERT OR IGNORE INTO run_jobs (run_id, job_id) VALUES (?, ?)', request.runId, id);
      const type = open === null ? 'queued' : 'joined';
      this.appendEvent(id, type, `${type} by run ${request.runId}`, request.at);
      return { job: this.#existing(id), joined: open !== null };
    });
  }

  /** Returns all jobs that a run waits for, oldest first. */
  ofRun(runId: string): StoredJob[] {
    return this.#catalogue
      .all(
        `SELECT ${jobColumns} FROM jobs WHERE id IN (SELECT job_id FROM run_jobs WHERE run_id = ?) ORDER BY id`,
        runId,
      )
      .map(readJob);
  }

  /**
   * Ends every open job as failed, in one transaction. Used for a catalogue that was restored from a copy: its jobs may
   * have continued after the copy, so that running them would repeat requests.
   * @returns those jobs.
   */
  giveUpOpenJobs(error: ErrorData, at: number): StoredJob[] {
    return this.#catalogue.transaction(() =>
      this.open().map(({ id, revision }) =>
        this.change(id, revision, {
          state: { status: 'failed', error },
          event: { type: 'fail', message: error.message },
          at,
        }),
      ),
    );
  }

  get(id: string): StoredJob | null {
    const row = this.#catalogue.get(`SELECT ${jobColumns} FROM jobs WHERE id = ?`, id);
    return row === undefined ? null : readJob(row);
  }

  /** Returns all open jobs, oldest first. */
  open(): StoredJob[] {
    return this.#catalogue
      .all(`SELECT ${jobColumns} FROM jobs WHERE status NOT IN ${ended} ORDER BY id`)
      .map(readJob);
  }

  /**
   * Stores a change of state and appends its event. Without `step` and `attempt` the old ones stay; a job that has
   * ended has no step. Throws `job-missing`, and `job-busy` if the job's revision is not `expectedRevision`.
   */
  change(
    id: string,
    expectedRevision: number,
    change: {
      state: JobState;
      step?: string | null | undefined;
      attempt?: number | undefined;
      result?: unknown;
      event: NewJobEvent;
      at: number;
    },
  ): StoredJob {
    return this.#catalogue.transaction(() => {
      const job = this.#existing(id);
      if (job.revision !== expectedRevision) {
        throw new AppError('job-busy', 'The job was changed meanwhile.', {
          retry: 'later',
          details: { jobId: id, revision: job.revision, expectedRevision },
        });
      }
      const { state, step = job.step, attempt = job.attempt, result = job.result, at } = change;
      this.#catalogue.run(
        `UPDATE jobs SET status = @status, state = @state, step = @step, attempt = @attempt, result = @result,
           updated_at = @at, revision = revision + 1 WHERE id = @id`,
        {
          id,
          status: state.status,
          state: toJson(state),
          step: hasEnded(state) ? null : step,
          attempt,
          result: result === null ? null : toJson(result),
          at,
        },
      );
      this.appendEvent(id, change.event.type, change.event.message, at);
      return this.#existing(id);
    });
  }

  /**
   * Counts one more try of `step` before it runs. Once this returns, the row is on disk: it is the intent of a request
   * that must not be repeated blindly. Keeps the revision, like every method about steps.
   * @returns `attempt` 1 for the first try, and the memo of an earlier one, or null.
   */
  beginStep(jobId: string, step: string, at: number): { attempt: number; memo: unknown } {
    return this.#catalogue.transaction(() => {
      this.#catalogue.run(
        `INSERT INTO job_steps (job_id, step, attempt, started_at) VALUES (@jobId, @step, 1, @at)
           ON CONFLICT DO UPDATE SET attempt = attempt + 1, started_at = @at`,
        { jobId, step, at },
      );
      const row = this.#catalogue.get(
        'SELECT attempt, memo FROM job_steps WHERE job_id = ? AND step = ?',
        jobId,
        step,
      );
      const begun = readRow(stepRow, row, 'job_steps');
      this.#catalogue.run(
        'UPDATE jobs SET step = @step, attempt = @attempt, updated_at = @at WHERE id = @jobId',
        { jobId, step, attempt: begun.attempt, at },
      );
      return begun;
    });
  }

  /** Stores the facts that a step needs when it is tried again. */
  saveMemo(jobId: string, step: string, memo: unknown): void {
    const changed = this.#catalogue.run(
      'UPDATE job_steps SET memo = ? WHERE job_id = ? AND step = ?',
      toJson(memo),
      jobId,
      step,
    );
    if (changed === 0) throw stepNotBegun(jobId, step);
  }

  /**
   * Stores the output of a step and deletes its memo, sets the next step (null: it was the last), and appends the
   * event.
   */
  finishStep(
    jobId: string,
    step: string,
    output: unknown,
    nextStep: string | null,
    event: NewJobEvent,
    at: number,
  ): StoredJob {
    return this.#catalogue.transaction(() => {
      const changed = this.#catalogue.run(
        'UPDATE job_steps SET output = @output, memo = NULL, finished_at = @at WHERE job_id = @jobId AND step = @step',
        { jobId, step, output: toJson(output), at },
      );
      if (changed === 0) throw stepNotBegun(jobId, step);
      this.#catalogue.run(
        'UPDATE jobs SET step = @nextStep, attempt = 0, updated_at = @at WHERE id = @jobId',
        {
          jobId,
          nextStep,
          at,
        },
      );
      this.appendEvent(jobId, event.type, event.message, at);
      return this.#existing(jobId);
    });
  }

  /** Returns the steps of a job that were ever begun. */
  steps(jobId: string): StartedStep[] {
    return this.#catalogue
      .all(
        `SELECT step AS name, attempt, started_at AS startedAt, finished_at AS finishedAt
           FROM job_steps WHERE job_id = ? ORDER BY started_at`,
        jobId,
      )
      .map((row) => readRow(begunRow, row, 'job_steps'));
  }

  /** Returns the outputs of the finished steps of a job, by step. */
  outputs(jobId: string): Record<string, unknown> {
    const rows = this.#catalogue.all(
      'SELECT step, output FROM job_steps WHERE job_id = ? AND finished_at IS NOT NULL',
      jobId,
    );
    return Object.fromEntries(
      rows.map((row) => {
        const { step, output } = readRow(outputRow, row, 'job_steps');
        return [step, output];
      }),
    );
  }

  /**
   * Returns ended jobs of the same kind, instance and project that were created before this one, newest first, with the
   * outputs of finished steps and the memos of others. Throws `job-missing`.
   */
  earlier(id: string): EarlierJob[] {
    const { kind, instance, project } = this.#existing(id);
    return this.#catalogue
      .all(
        `SELECT ${jobColumns} FROM jobs WHERE kind = @kind AND instance = @instance AND project = @project COLLATE NOCASE
           AND id < @id AND status IN ${ended} ORDER BY id DESC`,
        { id, kind, instance, project },
      )
      .map((row) => {
        const job = readJob(row);
        return { job, outputs: this.outputs(job.id), memos: this.#memos(job.id) };
      });
  }

  /** Oldest first. To follow the tail, pass the highest id seen as `afterId`. */
  events(filter: { jobId?: string | undefined; afterId?: number | undefined; limit: number }): JobEvent[] {
    const { jobId = null, afterId = 0, limit } = filter;
    const rows = this.#catalogue.all(
      `SELECT id, job_id AS jobId, at, type, message FROM job_events
         WHERE id > @afterId AND (@jobId IS NULL OR job_id = @jobId) ORDER BY id LIMIT @limit`,
      { jobId, afterId, limit },
    );
    return rows.map((row) => readRow(jobEventSchema, row, 'job_events'));
  }

  appendEvent(jobId: string, type: string, message: string, at: number): void {
    this.#catalogue.run(
      'INSERT INTO job_events (job_id, at, type, message) VALUES (?, ?, ?, ?)',
      jobId,
      at,
      type,
      message,
    );
  }

  #openJob(work: Pick<NewJob, 'kind' | 'instance' | 'project'>): z.output<typeof openRow> | null {
    const { kind, instance, project } = work;
    const row = this.#catalogue.get(
      `SELECT id, input FROM jobs WHERE kind = @kind AND instance = @instance AND project = @project COLLATE NOCASE
         AND status NOT IN ${ended}`,
      { kind, instance, project },
    );
    return row === undefined ? null : readRow(openRow, row, 'jobs');
  }

  /**
   * Deletes the memos of that step if it did not finish, in this job and in all earlier ones of the same kind, instance
   * and project, and appends the event to this job. Throws `job-missing`.
   */
  forgetMemos(id: string, step: string, event: NewJobEvent, at: number): void {
    this.#catalogue.transaction(() => {
      const { kind, instance, project } = this.#existing(id);
      this.#catalogue.run(
        `UPDATE job_steps SET memo = NULL WHERE step = @step AND finished_at IS NULL AND job_id IN
           (SELECT id FROM jobs WHERE kind = @kind AND instance = @instance AND project = @project COLLATE NOCASE
              AND id <= @id AND status IN ${ended})`,
        { step, id, kind, instance, project },
      );
      this.appendEvent(id, event.type, event.message, at);
    });
  }

  #memos(jobId: string): Record<string, unknown> {
    const rows = this.#catalogue.all(
      'SELECT step, memo FROM job_steps WHERE job_id = ? AND finished_at IS NULL AND memo IS NOT NULL',
      jobId,
    );
    return Object.fromEntries(
      rows.map((row) => {
        const { step, memo } = readRow(memoRow, row, 'job_steps');
        return [step, memo];
      }),
    );
  }

  #existing(id: string): StoredJob {
    const job = this.get(id);
    if (job === null) throw jobMissing(id);
    return job;
  }
}

/** Reads a row of `jobColumns` as a job; throws `catalogue-damaged`. */
export function readJob(row: unknown): StoredJob {
  return readRow(jobRow, row, 'jobs');
}

/** JSON has no undefined; a step without output stores null. */
function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** The error for an unknown job id. */
export function jobMissing(id: string): AppError {
  return new AppError('job-missing', 'There is no such job.', { details: { id } });
}

function stepNotBegun(jobId: string, step: string): AppError {
  return new AppError('internal', 'The step was never begun.', { details: { jobId, step } });
}
