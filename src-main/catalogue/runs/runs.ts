/** @file Runs: requests that group jobs, by a user or a plan. The outcome is derived from the jobs. */
import { changeSchema } from '../../../src-contract/projects/change-schema.ts';
import { changeKindOf } from '../../../src-contract/projects/change.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { jobKinds, jobStatuses, type StoredJob, type JobKind } from '../../../src-contract/runs/job.ts';
import type { OutOfScopeProject } from '../../../src-contract/projects/scope.ts';
import { runOutcomes, type Run, type RunNote, type RunOutcome } from '../../../src-contract/runs/run.ts';
import { runSchema } from '../../../src-contract/runs/run-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Catalogue } from '../database.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import type { JobStore, NewJob } from './jobs.ts';
import { maxStoredNames, newProjectNotes, ScopeProjects } from '../plans/scope-projects.ts';
import { jsonColumn } from '../rows.ts';
import { endedStatusesSql } from './ended.ts';
import { storeForecast, RunForecasts, type StoredForecast } from '../plans/run-forecasts.ts';

const countSql = (status: string): string => `count(*) FILTER (WHERE jobs.status = '${status}')`;
const openCountSql = `count(*) FILTER (WHERE jobs.status NOT IN ${endedStatusesSql})`;
const warnedCountSql = `count(*) FILTER (WHERE jobs.status = 'succeeded' AND jobs.state -> '$.warnings' <> '[]')`;
/** Jobs of older versions have no condition in their result, only the findings. */
const incompleteCountSql = `count(*) FILTER (WHERE jobs.status = 'succeeded' AND (EXISTS (
    SELECT 1 FROM json_each(jobs.state, '$.warnings') WHERE value ->> '$.severity' = 'error')
  OR jobs.kind = 'export' AND coalesce(jobs.result ->> '$.condition', 'complete') <> 'complete'))`;
const leftOutCountSql = `coalesce(runs.left_out ->> '$.count', 0)`;
const hasWarningNoteSql = `EXISTS (SELECT 1 FROM json_each(runs.notes) WHERE value ->> '$.severity' = 'warning')`;

/** True for a run that did not take place. */
const hasErrorNoteSql = `EXISTS (SELECT 1 FROM json_each(runs.notes) WHERE value -> '$.error' IS NOT NULL)`;
/** True for a run that a user cancelled before it began. */
const wasCancelledSql = `EXISTS (SELECT 1 FROM json_each(runs.notes) WHERE value ->> '$.error.code' = 'cancelled')`;

/** SQL for the outcome, over the rows of `runs LEFT JOIN jobs`, grouped by run. */
const outcomeSql = `CASE
    WHEN runs.skipped_why IS NOT NULL THEN 'skipped'
    WHEN count(jobs.id) = 0 AND ${wasCancelledSql} THEN 'cancelled'
    WHEN count(jobs.id) = 0 AND ${hasErrorNoteSql} THEN 'failed'
    WHEN count(jobs.id) = 0 THEN iif(${leftOutCountSql} > 0 OR ${hasWarningNoteSql}, 'warnings', 'nothing')
    WHEN ${openCountSql} > 0 THEN 'running'
    WHEN ${countSql('failed')} = count(jobs.id) THEN 'failed'
    WHEN ${countSql('failed')} > 0 THEN 'partly-failed'
    WHEN ${countSql('cancelled')} > 0 THEN 'cancelled'
    WHEN ${incompleteCountSql} > 0 THEN 'incomplete'
    WHEN ${warnedCountSql} > 0 OR ${leftOutCountSql} > 0 OR ${hasWarningNoteSql} THEN 'warnings'
    WHEN ${countSql('skipped')} = count(jobs.id) THEN 'skipped'
    ELSE 'succeeded'
  END`;
/** SQL for the end of a run; null while a job is open. A run without jobs ended when it was created. */
const endedAtSql = `CASE WHEN ${openCountSql} = 0 THEN max(runs.created_at, coalesce(max(jobs.updated_at), 0)) END`;
const bytesSql = `coalesce(sum(CASE WHEN jobs.status <> 'succeeded' THEN 0 WHEN jobs.kind = 'export'
    THEN jobs.result ->> '$.sizeBytes' ELSE jobs.input ->> '$.sizeBytes' END), 0)`;
const joinJobsSql = `LEFT JOIN run_jobs ON run_jobs.run_id = runs.id LEFT JOIN jobs ON jobs.id = run_jobs.job_id`;

const timeColumn = z.number().transform(isoTime);
const textList = jsonColumn.pipe(z.array(z.string()));
const runRow = z
  .object({
    id: z.string(),
    kind: z.enum(jobKinds),
    planId: z.string().nullable(),
    dueAt: timeColumn.nullable(),
    createdAt: timeColumn,
    endedAt: timeColumn.nullable(),
    bytes: z.number(),
    outcome: z.enum(runOutcomes),
    instances: textList,
    asked: z.string().nullable(),
    manual: z.number(),
    jobs: jsonColumn.pipe(z.record(z.string(), z.number())),
    project: z.string().nullable(),
    changed: jsonColumn.pipe(z.unknown()),
    leftOut: jsonColumn.pipe(runSchema.shape.leftOut.nullable()),
    skippedWhy: z.string().nullable(),
    notes: jsonColumn.pipe(runSchema.shape.notes.nullable()),
  })
  .transform(({ asked, changed, ...run }): Run => {
    // Also null for a change of a later version.
    const change = changeSchema.safeParse(changed).data;
    const jobs = Object.fromEntries(Object.entries(run.jobs).filter(([, number]) => number > 0));
    const instances = run.instances.length === 0 && asked !== null ? [asked] : run.instances;
    return {
      ...run,
      jobs,
      instances,
      manual: run.manual === 1,
      deed: change === undefined ? null : changeKindOf(change),
      leftOut: {
        count: run.leftOut?.count ?? 0,
        projects: run.leftOut?.projects.slice(0, maxStoredNames) ?? [],
      },
      skippedWhy: run.skippedWhy === null ? null : skippedText(run.skippedWhy),
      notes: run.notes ?? [],
    };
  });
const firingRow = z.object({ runId: z.string(), dueAt: z.number(), startedAt: z.number() });
/** True for a run with an open job. */
const hasOpenJobSql = `EXISTS (SELECT 1 FROM run_jobs JOIN jobs ON jobs.id = run_jobs.job_id
  WHERE run_jobs.run_id = runs.id AND jobs.status NOT IN ${endedStatusesSql})`;

/** Why a plan skips a due time. A later firing for a paused due time replaces the skipped run. */
export type SkipReason = 'paused' | 'once';

const isFinal = (run: Run): boolean =>
  run.outcome !== 'running' && run.notes.every(({ awaits }) => awaits === undefined);

const skippedText = (why: string): string =>
  why === 'paused' ? 'The plan was paused.' : 'This time was skipped on request.';

export interface NewRun {
  id: string;
  kind: JobKind;
  request: unknown;
  at: number;
}

/** `refused` is `job-busy`, with the id of the other job as `details.jobId`. */
export type EnqueueResult = { job: StoredJob; joined: boolean } | { refused: AppError };

export class RunStore extends CatalogueTable {
  readonly #jobs: JobStore;
  readonly #scopes: ScopeProjects;
  /** A cache by id of runs whose jobs had all ended. A job that is added to a run removes the run from the cache. */
  readonly #endedRuns = new Map<string, Run>();
  /** SQLite's `data_version` for `#endedRuns`; it changes when another process changes the catalogue. */
  #dataVersion = NaN;
  readonly forecasts: RunForecasts;

  constructor(catalogue: Catalogue, jobs: JobStore) {
    super(catalogue);
    this.#jobs = jobs;
    jobs.onJobAdded((runId) => this.#endedRuns.delete(runId));
    this.#scopes = new ScopeProjects(catalogue);
    this.forecasts = new RunForecasts(catalogue);
  }

  /**
   * Creates a run with its jobs. A job that is refused with `job-busy` does not stop the others. A run without jobs is
   * not stored. Returns the result for each job.
   */
  enqueueAll(
    { notes = [], ...run }: NewRun & { notes?: readonly RunNote[] | undefined },
    jobs: readonly NewJob[],
  ): EnqueueResult[] {
    return this.catalogue.transaction(() => {
      this.#jobs.createRun(run);
      if (notes.length > 0) {
        this.catalogue.run('UPDATE runs SET notes = ? WHERE id = ?', JSON.stringify(notes), run.id);
      }
      const enqueued = this.#enqueue(run, jobs);
      if (enqueued.every((one) => 'refused' in one)) {
        this.catalogue.run('DELETE FROM runs WHERE id = ?', run.id);
      }
      return enqueued;
    });
  }

  /**
   * Creates the run of a due time in one transaction, even without jobs. Returns null if the plan already fired for
   * this time or skipped it. `projects` are the chosen projects. `departures` are those that left the scope; `notes`
   * name them.
   */
  fire(
    run: NewRun & {
      planId: string;
      dueAt: number;
      notes?: readonly RunNote[];
      projects?: ReadonlyArray<{ id: number; fullPath: string }>;
      departures?: readonly OutOfScopeProject[];
      forecast?: StoredForecast | null;
    },
    jobs: readonly NewJob[],
  ): { jobs: StoredJob[]; leftOut: string[] } | null {
    return this.catalogue.transaction(() => {
      const { id, planId, dueAt, kind, request, at } = run;
      if (this.hasFired(planId, dueAt)) return null;
      const deletePausedSql = `DELETE FROM runs WHERE plan_id = ? AND due_at = ? AND skipped_why = 'paused'`;
      this.catalogue.run(deletePausedSql, planId, dueAt);
      this.#jobs.createRun({ id, kind, request, at });
      const enqueued = this.#enqueue(run, jobs);
      const leftOut = jobs.flatMap(({ project }, index) => {
        const one = enqueued[index];
        return one !== undefined && 'refused' in one ? [project] : [];
      });
      const added = this.#scopes.recordProjects(planId, run.projects ?? []);
      this.catalogue.run(
        'UPDATE runs SET plan_id = ?, due_at = ?, left_out = ?, notes = ? WHERE id = ?',
        planId,
        dueAt,
        JSON.stringify({ count: leftOut.length, projects: leftOut.toSorted().slice(0, maxStoredNames) }),
        JSON.stringify([...(run.notes ?? []), ...newProjectNotes(added)]),
        id,
      );
      this.#scopes.recordDepartures(planId, run.departures ?? [], at);
      storeForecast(this.catalogue, id, run.forecast ?? null);
      this.catalogue.run('DELETE FROM plan_failures WHERE plan_id = ?', planId);
      return { jobs: enqueued.flatMap((one) => ('job' in one ? [one.job] : [])), leftOut };
    });
  }

  /** Returns whether the plan has fired for that time, or skipped it once. */
  hasFired(planId: string, dueAt: number): boolean {
    const sql = `SELECT 1 FROM runs WHERE plan_id = ? AND due_at = ? AND skipped_why IS NOT 'paused'`;
    return this.catalogue.has(sql, planId, dueAt);
  }

  /** Stores a skipped due time as a run without jobs. Returns false if the due time already has a run. */
  recordSkip(run: NewRun & { planId: string; dueAt: number }, why: SkipReason): boolean {
    return this.catalogue.transaction(() => {
      const { id, planId, dueAt, kind, request, at } = run;
      if (this.catalogue.has('SELECT 1 FROM runs WHERE plan_id = ? AND due_at = ?', planId, dueAt))
        return false;
      this.#jobs.createRun({ id, kind, request, at });
      const update = 'UPDATE runs SET plan_id = ?, due_at = ?, skipped_why = ? WHERE id = ?';
      this.catalogue.run(update, planId, dueAt, why, id);
      return true;
    });
  }

  /** Returns the newest due time, not after `upTo`, that the plan skipped once. */
  lastSkippedDueTime(planId: string, upTo: number): number | null {
    const sql = `SELECT max(due_at) FROM runs WHERE plan_id = ? AND due_at <= ? AND skipped_why = 'once'`;
    return this.catalogue.number(sql, planId, upTo);
  }

  /** Returns all runs of a plan that were due from `from` to before `to`, oldest first. */
  runsOfPlan(planId: string, from: number, to: number): Run[] {
    const dueClause = 'WHERE plan_id = @planId AND due_at >= @from AND due_at < @to ORDER BY due_at';
    return this.#runs(dueClause, { planId, from, to });
  }

  /** Returns the newest run of the plan with an open job; null if there is none. */
  openRunOfPlan(planId: string): { runId: string; jobs: number } | null {
    const [runId] = this.#newestOpen('plan_id = @planId', { planId });
    return runId === undefined ? null : { runId, jobs: this.#jobs.jobsOfRun(runId).length };
  }

  hasOpenJobs(runId: string): boolean {
    return this.catalogue.has(`SELECT 1 FROM runs WHERE id = ? AND ${hasOpenJobSql}`, runId);
  }

  /** Clears the cache. Must be called after a succeeded job was marked as failed. */
  clearCache(): void {
    this.#endedRuns.clear();
  }

  /**
   * Returns runs whose steps after the end are not done, oldest first. `endedAt` is null while a job of the run is
   * open.
   */
  runsAwaitingAfterRunWork(): { run: Run; endedAt: number | null }[] {
    const clause = `WHERE plan_id IS NOT NULL AND notes LIKE '%"awaits":"end"%' ORDER BY id`;
    return this.#runs(clause).map((run) => {
      const endTimes = this.#jobs.jobsOfRun(run.id).map(({ updatedAt }) => updatedAt);
      const endedAt = Math.max(Date.parse(run.createdAt), ...endTimes);
      return { run, endedAt: run.outcome === 'running' ? null : endedAt };
    });
  }

  /** Stores that the steps after a run's end are done. Has no effect if that is already stored. */
  storeAfterRunNotes(runId: string, notes: readonly RunNote[]): void {
    this.catalogue.transaction(() => {
      const [run] = this.#derive([runId]);
      if (run?.notes.some(({ awaits }) => awaits === 'end') !== true) return;
      const others = run.notes.filter(({ awaits }) => awaits === undefined);
      const json = JSON.stringify([...others, ...notes]);
      this.catalogue.run('UPDATE runs SET notes = ? WHERE id = ?', json, runId);
    });
  }

  /** Deletes everything about a removed plan except its runs. */
  forgetPlan(planId: string): void {
    this.#scopes.forget(planId);
  }

  /** Returns the run of a plan with the newest due time that is not after `upTo`, ignoring skipped ones. */
  lastFiring(
    planId: string,
    upTo: number,
  ): { runId: string; dueAt: number; startedAt: number; outcome: RunOutcome } | null {
    const firing = this.catalogue.row(
      'runs',
      firingRow,
      `SELECT id AS runId, due_at AS dueAt, created_at AS startedAt FROM runs
         WHERE plan_id = @planId AND due_at <= @upTo AND skipped_why IS NULL ORDER BY due_at DESC LIMIT 1`,
      { planId, upTo },
    );
    const [run] = firing === null ? [] : this.#findByIds([firing.runId]);
    return firing === null || run === undefined ? null : { ...firing, outcome: run.outcome };
  }

  /** Returns the newest run of an equal request with an open job, with all its jobs; null if there is none. */
  findUnfinishedRun(kind: JobKind, request: unknown): { runId: string; jobs: StoredJob[] } | null {
    const parameters = { kind, request: JSON.stringify(request) };
    const [runId] = this.#newestOpen('kind = @kind AND request = @request', parameters);
    return runId === undefined ? null : { runId, jobs: this.#jobs.jobsOfRun(runId) };
  }

  #newestOpen(condition: string, parameters: object): string[] {
    const sql = `SELECT id FROM runs WHERE ${condition} AND ${hasOpenJobSql} ORDER BY id DESC LIMIT 1`;
    return this.catalogue.column(sql, parameters) as string[];
  }

  /** Returns runs, newest first. `before` is the id of the last run of the previous page. */
  list(filter: { before: string | null; limit: number }): Run[] {
    return this.#runs('WHERE @before IS NULL OR id < @before ORDER BY id DESC LIMIT @limit', filter);
  }

  #runs(clause: string, parameters: object = {}): Run[] {
    return this.#findByIds(this.catalogue.column(`SELECT id FROM runs ${clause}`, parameters) as string[]);
  }

  /** Returns the runs in the order of `ids`. */
  #findByIds(ids: readonly string[]): Run[] {
    // Another process may have marked a job of a run as failed since.
    const version = this.catalogue.dataVersion();
    if (version !== this.#dataVersion) this.#endedRuns.clear();
    this.#dataVersion = version;
    const found = new Map(
      this.#derive(ids.filter((id) => !this.#endedRuns.has(id))).map((run) => [run.id, run]),
    );
    for (const run of found.values()) if (isFinal(run)) this.#endedRuns.set(run.id, run);
    return ids.flatMap((id) => this.#endedRuns.get(id) ?? found.get(id) ?? []);
  }

  #derive(ids: readonly string[]): Run[] {
    if (ids.length === 0) return [];
    const statuses = jobStatuses.map((status) => `'${status}', ${countSql(status)}`).join(', ');
    return this.catalogue.rows(
      'runs',
      runRow,
      `SELECT runs.id, runs.kind, runs.plan_id AS planId, runs.due_at AS dueAt, runs.created_at AS createdAt,
           runs.left_out AS leftOut, runs.skipped_why AS skippedWhy, runs.notes, runs.request ->> '$.instance' AS asked, runs.request ->> '$.manual' IS 1 AS manual, ${outcomeSql} AS outcome,
           ${endedAtSql} AS endedAt, ${bytesSql} AS bytes,
           json_group_array(DISTINCT jobs.instance) FILTER (WHERE jobs.id IS NOT NULL) AS instances,
           json_object(${statuses}) AS jobs, iif(count(jobs.id) = 1, min(jobs.project), NULL) AS project,
           iif(count(jobs.id) = 1, min(jobs.input -> '$.change'), NULL) AS changed
         FROM (SELECT * FROM runs WHERE id IN (SELECT value FROM json_each(?))) runs ${joinJobsSql} GROUP BY runs.id`,
      JSON.stringify(ids),
    );
  }

  #enqueue(run: NewRun, jobs: readonly NewJob[]): EnqueueResult[] {
    return jobs.map((job): EnqueueResult => {
      try {
        return this.#jobs.enqueue({ ...job, runId: run.id, at: run.at });
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code === 'job-busy') return { refused: thrown };
        throw thrown;
      }
    });
  }
}
