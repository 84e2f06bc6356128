/** @file The jobs that move the projects of a migration. Jobs that were replaced still belong to it. */
import { AppError, type ErrorData } from '../../../src-contract/errors.ts';
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { NewJob } from '../runs/jobs.ts';
import { jsonColumn } from '../rows.ts';
import { endedStatusesSql } from '../runs/ended.ts';
import { hasEndedSql, migrationJobColumns, type MigrationJobColumn } from './migrating-rows.ts';
import { storeCheckForProject } from './migration-checks.ts';
import { MigrationTable } from './migration-table.ts';

/** Moves that need a check. `thaw` and `unmark` only unarchive a project, and need none. */
const checkedMoves: ReadonlySet<MigrationJobColumn> = new Set(['freeze', 'export', 'import']);

const leftOutRow = z.object({
  at: z.number(),
  request: jsonColumn.pipe(z.unknown()),
  projects: jsonColumn.pipe(z.array(z.string())),
});
/** The time, the requested work, and the paths of the projects that got no job. */
export type PartialFinish = z.infer<typeof leftOutRow>;

/** In all methods, `id` is the id of the migration. */
export class MigrationJobs extends MigrationTable {
  /**
   * Creates or joins the job of a move and records it, in one transaction. Returns null if the project already has one.
   * Throws `job-busy` if other work is in progress, or if an open export was requested before the source was frozen.
   */
  enqueueJob(
    id: string,
    project: { sourceId: number; wave: number },
    move: MigrationJobColumn,
    job: Omit<NewJob, 'id'>,
    at: number,
  ): string | null {
    const column = migrationJobColumns[move];
    return this.catalogue.transaction(() => {
      const key = { id, sourceId: project.sourceId };
      const hasNoJobSql = `SELECT 1 FROM migration_projects WHERE migration_id = @id AND source_id = @sourceId AND ${column} IS NULL`;
      if (!this.catalogue.has(hasNoJobSql, key)) return null;
      const runId = this.findOrCreateRun({ id, wave: project.wave, move }, job.kind, at);
      const { job: queuedJob, joined } = this.jobs.enqueue({ ...job, id: this.jobs.newId(at), runId, at });
      if (joined && move === 'export' && this.#wasBeforeFreeze(key, queuedJob.createdAt)) {
        throw new AppError('job-busy', 'The source is exported as it was before it was frozen.', {
          retry: 'later',
          details: { jobId: queuedJob.id, project: queuedJob.project },
        });
      }
      this.catalogue.run(
        `UPDATE migration_projects SET ${column} = @job WHERE migration_id = @id AND source_id = @sourceId`,
        { ...key, job: queuedJob.id },
      );
      if (checkedMoves.has(move)) storeCheckForProject(this.catalogue, id, project.sourceId);
      return queuedJob.id;
    });
  }

  /**
   * Allows these moves of a project to be repeated; their effects stay. `expected` is the state that the decision used:
   * `thaw` is the job that unarchives the source. `mayBeArchived`: we may have archived the source; stored if
   * `freeze` is reset. Returns false without a write if the project has another `thaw` job meanwhile.
   */
  resetMoves(
    id: string,
    sourceId: number,
    moves: readonly MigrationJobColumn[],
    expected: { thaw: string | null; mayBeArchived: boolean },
  ): boolean {
    if (moves.length === 0) return true;
    const resetColumns = moves.map((name) => `${migrationJobColumns[name]} = NULL`);
    const changed = this.catalogue.run(
      `UPDATE migration_projects SET ${resetColumns.join(', ')}, left_marked = iif(@freeze, @marked, left_marked)
         WHERE migration_id = @id AND source_id = @sourceId AND thaw_job IS @thaw`,
      {
        id,
        sourceId,
        thaw: expected.thaw,
        marked: Number(expected.mayBeArchived),
        freeze: Number(moves.includes('freeze')),
      },
    );
    return changed > 0;
  }

  addRetry(id: string, sourceId: number, jobId: string): void {
    const sql = 'INSERT OR IGNORE INTO migration_retries (migration_id, source_id, job_id) VALUES (?, ?, ?)';
    this.catalogue.run(sql, id, sourceId, jobId);
  }

  /** `leftOut`: paths of projects that got no job because other work on them was in progress. */
  addFinish(id: string, runId: string, leftOut: readonly string[]): void {
    this.catalogue.transaction(() => {
      const sql = 'INSERT OR IGNORE INTO migration_finishes (migration_id, run_id) VALUES (?, ?)';
      this.catalogue.run(sql, id, runId);
      if (leftOut.length === 0) return;
      const leftOutJson = JSON.stringify({ count: leftOut.length, projects: leftOut.toSorted() });
      this.catalogue.run('UPDATE runs SET left_out = ? WHERE id = ?', leftOutJson, runId);
    });
  }

  /** Returns the finish requests that left projects out, oldest first. */
  partialFinishes(id: string): PartialFinish[] {
    return this.catalogue.rows(
      'runs',
      leftOutRow,
      `SELECT runs.created_at AS at, runs.request, runs.left_out -> '$.projects' AS projects
         FROM migration_finishes JOIN runs ON runs.id = run_id
         WHERE migration_id = ? AND runs.left_out IS NOT NULL ORDER BY runs.id`,
      id,
    );
  }

  uncomparedRetries(id: string, sourceId: number): string[] {
    return this.catalogue.column(
      `SELECT r.job_id FROM migration_retries r JOIN jobs j ON j.id = r.job_id
         WHERE r.migration_id = @id AND r.source_id = @sourceId AND r.compared = 0 AND ${hasEndedSql}`,
      { id, sourceId },
    ) as string[];
  }

  /** Returns the relations that were or are being imported again, and not compared since. Skips `ignoredJobs`. */
  relationsInProgress(id: string, sourceId: number, ignoredJobs: readonly string[]): Set<string> {
    const relations = this.catalogue.column(
      `SELECT DISTINCT j.input ->> '$.relation' FROM migration_retries r JOIN jobs j ON j.id = r.job_id
         WHERE r.migration_id = @id AND r.source_id = @sourceId AND r.compared = 0
           AND j.id NOT IN (SELECT value FROM json_each(@without))`,
      { id, sourceId, without: JSON.stringify(ignoredJobs) },
    );
    return new Set(relations as string[]);
  }

  /** Records that a comparison was made after these jobs ended. */
  markRetriesCompared(jobIds: readonly string[]): void {
    this.catalogue.transaction(() => {
      for (const id of jobIds)
        this.catalogue.run('UPDATE migration_retries SET compared = 1 WHERE job_id = ?', id);
    });
  }

  earlierImportErrors(id: string, importJob: string): ErrorData[] {
    const rows = this.catalogue.rows(
      'jobs',
      errorRow,
      `SELECT j.state -> '$.error' AS error FROM jobs j JOIN jobs this ON this.id = @importJob
         WHERE j.kind = 'import' AND j.status = 'failed' AND j.instance = this.instance AND j.id < this.id
           AND lower(j.project) = lower(this.project) AND j.id IN (${allJobsEverSql}) ORDER BY j.id DESC`,
      { id, importJob },
    );
    return rows.map(({ error }) => error);
  }

  owns(id: string, jobId: string): boolean {
    return this.catalogue.has(`SELECT 1 FROM (${allJobsEverSql}) WHERE id = @jobId`, { id, jobId });
  }

  /** Returns the ids of all jobs that the migration ever created or joined, oldest first, including replaced ones. */
  jobsOf(id: string): string[] {
    return this.catalogue.column(`SELECT DISTINCT id FROM (${allJobsEverSql}) ORDER BY id`, {
      id,
    }) as string[];
  }

  openJobs(id: string): string[] {
    const sql = `SELECT id FROM jobs WHERE id IN (${currentJobsSql}) AND status NOT IN ${endedStatusesSql}`;
    return this.catalogue.column(sql, { id }) as string[];
  }

  #wasBeforeFreeze(key: { id: string; sourceId: number }, at: number): boolean {
    return this.catalogue.has(
      `SELECT 1 FROM migration_projects m JOIN jobs j ON j.id = m.freeze_job
         WHERE m.migration_id = @id AND m.source_id = @sourceId AND (j.updated_at >= @at OR NOT ${hasEndedSql})`,
      { ...key, at },
    );
  }
}

const retryAndGroupJobsSql = [
  'SELECT job_id AS id FROM migration_retries WHERE migration_id = @id',
  'SELECT job_id AS id FROM migration_groups WHERE migration_id = @id AND job_id IS NOT NULL',
];
const currentJobsSql = [
  ...Object.values(migrationJobColumns).map(
    (job) => `SELECT ${job} AS id FROM migration_projects WHERE migration_id = @id AND ${job} IS NOT NULL`,
  ),
  ...retryAndGroupJobsSql,
].join(' UNION ALL ');
const allJobsEverSql = [
  ...['migration_runs', 'migration_finishes'].map(
    (table) => `SELECT job_id AS id FROM ${table} m JOIN run_jobs USING (run_id) WHERE m.migration_id = @id`,
  ),
  ...retryAndGroupJobsSql,
].join(' UNION ALL ');
const errorRow = z.object({ error: jsonColumn.pipe(errorDataSchema) });
