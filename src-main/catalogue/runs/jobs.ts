/** @file Jobs, their steps and events. A change of state is one transaction with one event; events never change. */
import { AppError } from '../../../src-contract/errors.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import { hasEnded, jobKinds } from '../../../src-contract/runs/job.ts';
import { jobEventSchema, jobHeaderSchema, jobStateSchema } from '../../../src-contract/runs/job-schema.ts';
import type { StoredJob, JobEvent, JobKind, JobState } from '../../../src-contract/runs/job.ts';
import { z } from '../../../src-contract/schema.ts';
import { newId } from '../../platform/ids.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { jsonColumn, readRow } from '../rows.ts';
import { endedStatusesSql } from './ended.ts';
import { isSameWork, mergeInput } from './same-work.ts';

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
const startedStepRow = z.object({
  name: z.string(),
  attempt: z.number().int(),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
});
/**
 * A started step; times are epoch milliseconds. If a finished step runs again, `startedAt` is later than the old
 * `finishedAt`.
 */
export type StartedStep = z.infer<typeof startedStepRow>;
const valueRow = z.object({ step: z.string(), value: jsonColumn });
const openRow = z.object({ id: z.string(), input: jsonColumn });
const sameProjectSql = 'kind = @kind AND instance = @instance AND project = @project COLLATE NOCASE';

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

export interface NewJob {
  id: string;
  kind: JobKind;
  instance: string;
  project: string;
  input: unknown;
  firstStep: string;
}

export class JobStore extends CatalogueTable {
  readonly #onJobAdded: ((runId: string) => void)[] = [];

  /** Calls `listener` with the run of every job that this process enqueues: a migration adds jobs to its ended runs. */
  onJobAdded(listener: (runId: string) => void): void {
    this.#onJobAdded.push(listener);
  }

  /** Returns an id that sorts after all earlier ones, even those made while the clock was ahead. */
  newId(at: number): string {
    const [newest] = this.catalogue.column(
      'SELECT max(id) FROM (SELECT max(id) AS id FROM jobs UNION ALL SELECT max(id) FROM runs)',
    ) as [string | null];
    return newId(at, newest);
  }

  /** Stores all changes that `work` makes in one transaction, or none if it throws. `work` must be synchronous. */
  transaction<T>(work: () => T): T {
    return this.catalogue.transaction(work);
  }

  createRun(run: { id: string; kind: string; request: unknown; at: number }): void {
    this.catalogue.run(
      'INSERT INTO runs (id, kind, request, created_at) VALUES (@id, @kind, @request, @at)',
      { ...run, request: toJson(run.request) },
    );
  }

  /** Creates a queued job, or joins the open job of the project. Throws `job-busy` if that job has other settings. */
  enqueue(request: NewJob & { runId: string; at: number }): { job: StoredJob; joined: boolean } {
    return this.catalogue.transaction(() => {
      const openJob = this.#openJob(request);
      const input = toJson(request.input);
      if (openJob !== null && !isSameWork(request.kind, openJob.input, JSON.parse(input))) {
        throw new AppError('job-busy', 'An open job does this work with other settings.', {
          retry: 'later',
          details: { jobId: openJob.id, project: request.project },
        });
      }
      const id = openJob?.id ?? request.id;
      if (openJob === null) {
        this.catalogue.run(
          `INSERT INTO jobs (id, run_id, kind, instance, project, status, state, step, created_at, updated_at, input)
             VALUES (@id, @runId, @kind, @instance, @project, 'queued', '{"status":"queued"}', @firstStep, @at, @at, @input)`,
          { ...request, input },
        );
      } else {
        const joinedJson = toJson(mergeInput(request.kind, openJob.input, JSON.parse(input)));
        this.catalogue.run('UPDATE jobs SET input = ? WHERE id = ?', joinedJson, id);
      }
      this.catalogue.run('INSERT OR IGNORE INTO run_jobs (run_id, job_id) VALUES (?, ?)', request.runId, id);
      for (const listener of this.#onJobAdded) listener(request.runId);
      const type = openJob === null ? 'queued' : 'joined';
      this.appendEvent(id, type, `${type} by run ${request.runId}`, request.at);
      return { job: this.#requireJob(id), joined: openJob !== null };
    });
  }

  jobsOfRun(runId: string): StoredJob[] {
    const runCondition = 'id IN (SELECT job_id FROM run_jobs WHERE run_id = ?)';
    const sql = `SELECT ${jobColumns} FROM jobs WHERE ${runCondition} ORDER BY id`;
    return this.catalogue.all(sql, runId).map(readJob);
  }

  /**
   * Marks every open job of a restored catalogue as failed, because running it might repeat requests. Returns these
   * jobs.
   */
  failOpenJobs(error: ErrorData, at: number): StoredJob[] {
    return this.catalogue.transaction(() =>
      this.openJobs().map(({ id, revision }) =>
        this.change(id, revision, {
          state: { status: 'failed', error },
          event: { type: 'fail', message: error.message },
          at,
        }),
      ),
    );
  }

  get(id: string): StoredJob | null {
    const row = this.catalogue.get(`SELECT ${jobColumns} FROM jobs WHERE id = ?`, id);
    return row === undefined ? null : readJob(row);
  }

  openJobs(): StoredJob[] {
    return this.catalogue
      .all(`SELECT ${jobColumns} FROM jobs WHERE status NOT IN ${endedStatusesSql} ORDER BY id`)
      .map(readJob);
  }

  /** Stores a change of state and its event. Throws `job-missing`, and `job-busy` for another revision. */
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
    return this.catalogue.transaction(() => {
      const job = this.#requireJob(id);
      if (job.revision !== expectedRevision) {
        throw new AppError('job-busy', 'The job was changed meanwhile.', {
          retry: 'later',
          details: { jobId: id, revision: job.revision, expectedRevision },
        });
      }
      const { state, step = job.step, attempt = job.attempt, result = job.result, at } = change;
      this.catalogue.run(
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
      return this.#requireJob(id);
    });
  }

  /**
   * Records a new attempt of `step` before it runs. After a crash, a request that may have been sent is then not
   * repeated blindly. Returns the number of the attempt, and the memo of an earlier one.
   */
  beginStep(jobId: string, step: string, at: number): { attempt: number; memo: unknown } {
    return this.catalogue.transaction(() => {
      this.catalogue.run(
        `INSERT INTO job_steps (job_id, step, attempt, started_at) VALUES (@jobId, @step, 1, @at)
           ON CONFLICT DO UPDATE SET attempt = attempt + 1, started_at = @at`,
        { jobId, step, at },
      );
      const select = 'SELECT attempt, memo FROM job_steps WHERE job_id = ? AND step = ?';
      const startedStep = readRow(stepRow, this.catalogue.get(select, jobId, step), 'job_steps');
      const update = 'UPDATE jobs SET step = ?, attempt = ?, updated_at = ? WHERE id = ?';
      this.catalogue.run(update, step, startedStep.attempt, at, jobId);
      return startedStep;
    });
  }

  saveMemo(jobId: string, step: string, memo: unknown): void {
    const sql = 'UPDATE job_steps SET memo = ? WHERE job_id = ? AND step = ?';
    const changed = this.catalogue.run(sql, toJson(memo), jobId, step);
    if (changed === 0) throw stepNotBegunError(jobId, step);
  }

  /**
   * Stores the output of a step and deletes its memo, sets the next step (null if there is none), and appends the
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
    return this.catalogue.transaction(() => {
      const changed = this.catalogue.run(
        'UPDATE job_steps SET output = @output, memo = NULL, finished_at = @at WHERE job_id = @jobId AND step = @step',
        { jobId, step, output: toJson(output), at },
      );
      if (changed === 0) throw stepNotBegunError(jobId, step);
      const update = 'UPDATE jobs SET step = ?, attempt = 0, updated_at = ? WHERE id = ?';
      this.catalogue.run(update, nextStep, at, jobId);
      this.appendEvent(jobId, event.type, event.message, at);
      return this.#requireJob(jobId);
    });
  }

  steps(jobId: string): StartedStep[] {
    return this.catalogue.rows(
      'job_steps',
      startedStepRow,
      `SELECT step AS name, attempt, started_at AS startedAt, finished_at AS finishedAt
         FROM job_steps WHERE job_id = ? ORDER BY started_at`,
      jobId,
    );
  }

  outputs(jobId: string): Record<string, unknown> {
    return this.#stepValues(jobId, 'output', 'finished_at IS NOT NULL');
  }

  /** Returns ended jobs of the project before this one, newest first. Throws `job-missing`. */
  earlierJobs(id: string): EarlierJob[] {
    const { kind, instance, project } = this.#requireJob(id);
    return this.catalogue
      .all(
        `SELECT ${jobColumns} FROM jobs WHERE ${sameProjectSql} AND id < @id AND status IN ${endedStatusesSql} ORDER BY id DESC`,
        { id, kind, instance, project },
      )
      .map((row) => {
        const job = readJob(row);
        const memos = this.#stepValues(job.id, 'memo', 'finished_at IS NULL AND memo IS NOT NULL');
        return { job, outputs: this.outputs(job.id), memos };
      });
  }

  /** Returns events, oldest first. To read only new events, pass the highest known id as `afterId`. */
  events(filter: { jobId?: string | undefined; afterId?: number | undefined; limit: number }): JobEvent[] {
    const { jobId = null, afterId = 0, limit } = filter;
    return this.catalogue.rows(
      'job_events',
      jobEventSchema,
      `SELECT id, job_id AS jobId, at, type, message FROM job_events
         WHERE id > @afterId AND (@jobId IS NULL OR job_id = @jobId) ORDER BY id LIMIT @limit`,
      { jobId, afterId, limit },
    );
  }

  appendEvent(jobId: string, type: string, message: string, at: number): void {
    const sql = 'INSERT INTO job_events (job_id, at, type, message) VALUES (?, ?, ?, ?)';
    this.catalogue.run(sql, jobId, at, type, message);
  }

  #openJob({ kind, instance, project }: NewJob): z.output<typeof openRow> | null {
    const sql = `SELECT id, input FROM jobs WHERE ${sameProjectSql} AND status NOT IN ${endedStatusesSql}`;
    return this.catalogue.row('jobs', openRow, sql, { kind, instance, project });
  }

  /** Deletes the memos of an unfinished step in this job and earlier ones of the project. Throws `job-missing`. */
  deleteMemos(id: string, step: string, event: NewJobEvent, at: number): void {
    this.catalogue.transaction(() => {
      const { kind, instance, project } = this.#requireJob(id);
      this.catalogue.run(
        `UPDATE job_steps SET memo = NULL WHERE step = @step AND finished_at IS NULL AND job_id IN
           (SELECT id FROM jobs WHERE ${sameProjectSql} AND id <= @id AND status IN ${endedStatusesSql})`,
        { step, id, kind, instance, project },
      );
      this.appendEvent(id, event.type, event.message, at);
    });
  }

  #stepValues(jobId: string, column: 'output' | 'memo', condition: string): Record<string, unknown> {
    const sql = `SELECT step, ${column} AS value FROM job_steps WHERE job_id = ? AND ${condition}`;
    const rows = this.catalogue.rows('job_steps', valueRow, sql, jobId);
    return Object.fromEntries(rows.map(({ step, value }) => [step, value]));
  }

  #requireJob(id: string): StoredJob {
    const job = this.get(id);
    if (job === null) throw jobMissingError(id);
    return job;
  }
}

export function readJob(row: unknown): StoredJob {
  return readRow(jobRow, row, 'jobs');
}

/** Serializes a value. JSON has no undefined, so a step without output stores null. */
function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

export function jobMissingError(id: string): AppError {
  return new AppError('job-missing', 'There is no such job.', { details: { id } });
}

function stepNotBegunError(jobId: string, step: string): AppError {
  return new AppError('internal', 'The step was never begun.', { details: { jobId, step } });
}
