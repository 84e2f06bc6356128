/**
 * @file The jobs that move the projects of a migration, and the runs that group them. Jobs that were replaced still
 * belong to the migration.
 */
import { AppError, type ErrorData } from '../../../src-contract/errors.ts';
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import type { JobKind } from '../../../src-contract/runs/job.ts';
import { z } from '../../../src-contract/schema.ts';
import type { Catalogue } from '../database.ts';
import type { JobStore, NewJob } from '../runs/jobs.ts';
import { jsonColumn, readRow } from '../rows.ts';
import { ended } from '../runs/ended.ts';
import { hasEnded, moveColumns, type MoveColumn } from './migrating-rows.ts';
import { keepCheckOf } from './migration-checks.ts';

/** Moves that need a check; the others undo what these did. */
const checkedMoves: ReadonlySet<MoveColumn> = new Set(['freeze', 'export', 'import']);

const leftOutRow = z.object({
  at: z.number(),
  request: jsonColumn.pipe(z.unknown()),
  projects: jsonColumn.pipe(z.array(z.string())),
});
/** The time, the requested work, and the paths of the projects that got no job. */
export type LeftOutFinish = z.infer<typeof leftOutRow>;

/** Synchronous: when a method returns, the change is on disk. `id` is that of the migration. */
export class MigrationJobs {
  readonly #catalogue: Catalogue;
  readonly #jobs: JobStore;

  constructor(catalogue: Catalogue, jobs: JobStore) {
    this.#catalogue = catalogue;
    this.#jobs = jobs;
  }

  /**
   * Creates the job of a move, or joins the open one that does the same work, and records it for the project: one
   * transaction. Returns null without a write if the project already has a job of that move. Throws `job-busy`, also
   * for an export that was requested before the source was frozen.
   */
  begin(
    id: string,
    project: { sourceId: number; wave: number },
    move: MoveColumn,
    job: Omit<NewJob, 'id'>,
    at: number,
  ): string | null {
    const column = moveColumns[move];
    return this.#catalogue.transaction(() => {
      const place = { id, sourceId: project.sourceId };
      const free = this.#catalogue.get(
        `SELECT 1 FROM migration_projects WHERE migration_id = @id AND source_id = @sourceId AND ${column} IS NULL`,
        place,
      );
      if (free === undefined) return null;
      const runId = this.#runOf(id, project.wave, move, job.kind, at);
      const { job: made, joined } = this.#jobs.enqueue({ ...job, id: this.#jobs.newId(at), runId, at });
      if (joined && move === 'export' && this.#wasOpen(place, made.createdAt)) {
        throw new AppError('job-busy', 'The source is exported as it was before it was frozen.', {
          retry: 'later',
          details: { jobId: made.id, project: made.project },
        });
      }
      this.#catalogue.run(
        `UPDATE migration_projects SET ${column} = @job WHERE migration_id = @id AND source_id = @sourceId`,
        { ...place, job: made.id },
      );
      if (checkedMoves.has(move)) keepCheckOf(this.#catalogue, id, project.sourceId);
      return made.id;
    });
  }

  /**
   * Lets these moves of a project be made again; their effects stay. `seen` is the state that the decision was based
   * on: the job that removes a mark, and whether the source may carry a mark of ours. The last fact is kept if the job
   * that set the mark is removed. Returns false without a write if the mark is being removed meanwhile.
   */
  forget(
    id: string,
    sourceId: number,
    moves: readonly MoveColumn[],
    seen: { thaw: string | null; marked: boolean },
  ): boolean {
    if (moves.length === 0) return true;
    const forgotten = moves.map((name) => `${moveColumns[name]} = NULL`);
    const changed = this.#catalogue.run(
      `UPDATE migration_projects SET ${forgotten.join(', ')}, left_marked = iif(@freeze, @marked, left_marked)
         WHERE migration_id = @id AND source_id = @sourceId AND thaw_job IS @thaw`,
      {
        id,
        sourceId,
        thaw: seen.thaw,
        marked: seen.marked ? 1 : 0,
        freeze: moves.includes('freeze') ? 1 : 0,
      },
    );
    return changed > 0;
  }

  addRetry(id: string, sourceId: number, jobId: string): void {
    this.#catalogue.run(
      'INSERT OR IGNORE INTO migration_retries (migration_id, source_id, job_id) VALUES (?, ?, ?)',
      id,
      sourceId,
      jobId,
    );
  }

  /** `leftOut`: paths of projects that got no job because other work on them was in progress. */
  addFinish(id: string, runId: string, leftOut: readonly string[]): void {
    this.#catalogue.transaction(() => {
      this.#catalogue.run(
        'INSERT OR IGNORE INTO migration_finishes (migration_id, run_id) VALUES (?, ?)',
        id,
        runId,
      );
      if (leftOut.length === 0) return;
      const kept = JSON.stringify({ count: leftOut.length, projects: leftOut.toSorted() });
      this.#catalogue.run('UPDATE runs SET left_out = ? WHERE id = ?', kept, runId);
    });
  }

  /** Returns requests on sources that left projects out, oldest first. */
  finishesLeftOut(id: string): LeftOutFinish[] {
    return this.#catalogue
      .all(
        `SELECT runs.created_at AS at, runs.request, runs.left_out -> '$.projects' AS projects
           FROM migration_finishes JOIN runs ON runs.id = run_id
           WHERE migration_id = ? AND runs.left_out IS NOT NULL ORDER BY runs.id`,
        id,
      )
      .map((row) => readRow(leftOutRow, row, 'runs'));
  }

  /** Returns ended relation imports of a project that no comparison has followed. */
  endedRetries(id: string, sourceId: number): string[] {
    const rows = this.#catalogue.all(
      `SELECT r.job_id AS id FROM migration_retries r JOIN jobs j ON j.id = r.job_id
         WHERE r.migration_id = @id AND r.source_id = @sourceId AND r.compared = 0 AND ${hasEnded}`,
      { id, sourceId },
    );
    return rows.map((row) => readRow(idRow, row, 'migration_retries').id);
  }

  /**
   * Returns relations of a project that were imported again, or are being imported, without a comparison since; ignores
   * the given jobs.
   */
  relationsInProgress(id: string, sourceId: number, without: readonly string[]): Set<string> {
    const rows = this.#catalogue.all(
      `SELECT DISTINCT j.input ->> '$.relation' AS relation FROM migration_retries r JOIN jobs j ON j.id = r.job_id
         WHERE r.migration_id = @id AND r.source_id = @sourceId AND r.compared = 0
           AND j.id NOT IN (SELECT value FROM json_each(@without))`,
      { id, sourceId, without: JSON.stringify(without) },
    );
    return new Set(rows.map((row) => readRow(relationRow, row, 'migration_retries').relation));
  }

  /** Records that a comparison was made after these jobs ended. */
  retriesCompared(jobIds: readonly string[]): void {
    this.#catalogue.transaction(() => {
      for (const id of jobIds)
        this.#catalogue.run('UPDATE migration_retries SET compared = 1 WHERE job_id = ?', id);
    });
  }

  /** Returns the errors of failed imports of the migration to the same destination, newest first. */
  earlierFailures(id: string, importJob: string): ErrorData[] {
    const rows = this.#catalogue.all(
      `SELECT j.state -> '$.error' AS error FROM jobs j JOIN jobs this ON this.id = @importJob
         WHERE j.kind = 'import' AND j.status = 'failed' AND j.instance = this.instance AND j.id < this.id
           AND lower(j.project) = lower(this.project) AND j.id IN (${everMade}) ORDER BY j.id DESC`,
      { id, importJob },
    );
    return rows.map((row) => readRow(errorRow, row, 'jobs').error);
  }

  /** Returns whether the migration created or joined the job. */
  owns(id: string, jobId: string): boolean {
    return this.#catalogue.get(`SELECT 1 FROM (${everMade}) WHERE id = @jobId`, { id, jobId }) !== undefined;
  }

  /** Returns the ids of all jobs that the migration ever created or joined, oldest first, including replaced ones. */
  jobsOf(id: string): string[] {
    const rows = this.#catalogue.all(`SELECT DISTINCT id FROM (${everMade}) ORDER BY id`, { id });
    return rows.map((row) => readRow(idRow, row, 'jobs').id);
  }

  /** Returns the ids of the open jobs that a migration created or joined. */
  openJobs(id: string): string[] {
    const rows = this.#catalogue.all(
      `SELECT id FROM jobs WHERE id IN (${allJobs}) AND status NOT IN ${ended}`,
      { id },
    );
    return rows.map((row) => readRow(idRow, row, 'jobs').id);
  }

  /** Returns whether the freeze of a project had not ended at that time. */
  #wasOpen(place: { id: string; sourceId: number }, at: number): boolean {
    const row = this.#catalogue.get(
      `SELECT 1 FROM migration_projects m JOIN jobs j ON j.id = m.freeze_job
         WHERE m.migration_id = @id AND m.source_id = @sourceId AND (j.updated_at >= @at OR NOT ${hasEnded})`,
      { ...place, at },
    );
    return row !== undefined;
  }

  /** Returns the run that groups the jobs of one move of a wave. */
  #runOf(id: string, wave: number, move: MoveColumn, kind: JobKind, at: number): string {
    const place = { id, wave, move };
    const known = this.#catalogue.get(
      'SELECT run_id AS id FROM migration_runs WHERE migration_id = @id AND wave = @wave AND move = @move',
      place,
    );
    if (known !== undefined) return readRow(idRow, known, 'migration_runs').id;
    const runId = this.#jobs.newId(at);
    this.#jobs.createRun({ id: runId, kind, request: { migration: id, wave, move }, at });
    this.#catalogue.run(
      'INSERT INTO migration_runs (migration_id, wave, move, run_id) VALUES (@id, @wave, @move, @runId)',
      { ...place, runId },
    );
    return runId;
  }
}

const allJobs = `${Object.values(moveColumns)
  .map(
    (column) =>
      `SELECT ${column} AS id FROM migration_projects WHERE migration_id = @id AND ${column} IS NOT NULL`,
  )
  .join(' UNION ALL ')} UNION ALL SELECT job_id AS id FROM migration_retries WHERE migration_id = @id
  UNION ALL SELECT job_id AS id FROM migration_groups WHERE migration_id = @id AND job_id IS NOT NULL`;
const everMade = `${['runs', 'finishes']
  .map(
    (table) =>
      `SELECT job_id AS id FROM migration_${table} made JOIN run_jobs USING (run_id) WHERE made.migration_id = @id`,
  )
  .join(' UNION ALL ')} UNION ALL SELECT job_id AS id FROM migration_retries WHERE migration_id = @id
  UNION ALL SELECT job_id AS id FROM migration_groups WHERE migration_id = @id AND job_id IS NOT NULL`;
const idRow = z.object({ id: z.string() });
const relationRow = z.object({ relation: z.string() });
const errorRow = z.object({ error: jsonColumn.pipe(errorDataSchema) });
