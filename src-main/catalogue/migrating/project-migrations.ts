/**
 * @file Migrations of projects: what each is meant to do, where every project goes, and which jobs move it. How a project
 * stands follows from its jobs; nothing about that is stored.
 */
import { AppError, type ErrorData } from '../../../src-preload/contract/errors.ts';
import { reconciliationSchema, type Reconciliation } from '../../../src-preload/contract/import.ts';
import {
  jobStateSchema,
  jobStatuses,
  type JobKind,
  type JobStatus,
} from '../../../src-preload/contract/job.ts';
import {
  migrationDraftSchema,
  placementSchema,
  type MigrationDraft,
  type Placement,
} from '../../../src-preload/contract/migrations/migration.ts';
import { visibilities } from '../../../src-preload/contract/projects/project-details.ts';
import { z } from '../../../src-preload/contract/schema.ts';
import type { Catalogue } from '../database.ts';
import type { JobStore, NewJob } from '../jobs/jobs.ts';
import { jsonColumn, readRow } from '../rows.ts';

type Visibility = (typeof visibilities)[number];

/** `ended` is derived, so it is not among them. */
export type StoredStatus = 'draft' | 'running' | 'paused' | 'cancelled';

export interface StoredMigration {
  id: string;
  draft: MigrationDraft;
  status: StoredStatus;
  createdAt: number;
  /** Of the last check: ids of its blockers, and the groups that the target lacked, outermost first. Null: none holds any more. */
  check: { at: number; blockers: string[]; missingGroups: { path: string; visibility: Visibility }[] } | null;
}

/** Jobs that move a project, by what they do. */
const moveColumns = {
  freeze: 'freeze_job',
  export: 'export_job',
  import: 'import_job',
  unmark: 'unmark_job',
  thaw: 'thaw_job',
} as const;
export type MoveColumn = keyof typeof moveColumns;
const columnNames = Object.keys(moveColumns) as MoveColumn[];

export interface StoredMove {
  jobId: string;
  status: JobStatus;
  error: ErrorData | null;
  /** Of a change that succeeded: whether the project was not so already. */
  changed: boolean;
}

export interface StoredProject {
  sourceId: number;
  sourcePath: string;
  wave: number;
  placement: Placement;
  leftOut: boolean;
  jobs: Partial<Record<MoveColumn, StoredMove>>;
  retryJobs: string[];
  /** Of these, how many have not ended, and after how many nobody compared yet what arrived. */
  retries: { open: number; uncompared: number };
  changedSince: number | null;
  /** As compared after its import, with its source as it was then; null before. */
  reconciliation: Reconciliation | null;
  /** Of the import that succeeded. */
  target: { id: number; fullPath: string; webUrl: string } | null;
  /** What its export stored. It may be gone meanwhile. */
  archive: { id: string; path: string; sha256: string; sizeBytes: number } | null;
}

export interface NewProject {
  sourceId: number;
  sourcePath: string;
  wave: number;
  placement: Placement;
}

const migrationRow = z
  .object({
    id: z.string(),
    draft: jsonColumn.pipe(migrationDraftSchema),
    status: z.enum(['draft', 'running', 'paused', 'cancelled']),
    createdAt: z.number(),
    checkedAt: z.number().nullable(),
    blockers: jsonColumn.pipe(z.array(z.string()).nullable()),
    missingGroups: jsonColumn.pipe(
      z.array(z.object({ path: z.string(), visibility: z.enum(visibilities) })).nullable(),
    ),
  })
  .transform(({ checkedAt: at, blockers, missingGroups, ...migration }): StoredMigration => ({
    ...migration,
    check: at === null ? null : { at, blockers: blockers ?? [], missingGroups: missingGroups ?? [] },
  }));

const move = z.object({
  jobId: z.string().nullable(),
  status: z.enum(jobStatuses).nullable(),
  state: jobStateSchema.nullable(),
  changed: z.boolean().nullable(),
});
const projectRow = z
  .object({
    sourceId: z.number().int(),
    sourcePath: z.string(),
    wave: z.number().int(),
    placement: jsonColumn.pipe(placementSchema),
    leftOut: z.number(),
    moves: jsonColumn.pipe(z.record(z.string(), move)),
    retryJobs: jsonColumn.pipe(z.array(z.string())),
    retries: jsonColumn.pipe(z.object({ open: z.number(), uncompared: z.number() })),
    changedSince: z.number().nullable(),
    reconciliation: jsonColumn.pipe(reconciliationSchema.nullable()),
    target: jsonColumn.pipe(
      z.object({ id: z.number(), fullPath: z.string(), webUrl: z.string() }).nullable(),
    ),
    archive: jsonColumn.pipe(
      z.object({ id: z.string(), path: z.string(), sha256: z.string(), sizeBytes: z.number() }).nullable(),
    ),
  })
  .transform(({ moves, leftOut, ...project }): StoredProject => ({
    ...project,
    leftOut: leftOut === 1,
    jobs: Object.fromEntries(
      columnNames.flatMap((name) => {
        const made = moves[name];
        if (made === undefined) return [];
        const { jobId, status, state, changed } = made;
        if (jobId === null || status === null) return [];
        const error = state?.status === 'failed' ? state.error : null;
        return [[name, { jobId, status, error, changed: changed === true }]];
      }),
    ),
  }));

// Names of moves are words of SQL, too.
const moveSql = columnNames
  .map(
    (name) => `'${name}', json_object('jobId', m.${moveColumns[name]}, 'status', "${name}".status,
      'state', json("${name}".state), 'changed', "${name}".result -> '$.changed')`,
  )
  .join(', ');
const joinSql = columnNames
  .map((name) => `LEFT JOIN jobs "${name}" ON "${name}".id = m.${moveColumns[name]}`)
  .join(' ');

const hasEnded = `j.status IN ('succeeded', 'failed', 'cancelled', 'skipped')`;
const selectProjects = `SELECT m.source_id AS sourceId, m.source_path AS sourcePath, m.wave, m.placement,
    m.left_out AS leftOut, json_object(${moveSql}) AS moves,
    (SELECT json_group_array(job_id) FROM (SELECT job_id FROM migration_retries r
       WHERE r.migration_id = m.migration_id AND r.source_id = m.source_id ORDER BY job_id)) AS retryJobs,
    (SELECT json_object('open', count(*) FILTER (WHERE NOT ${hasEnded}), 'uncompared', count(*) FILTER (WHERE compared = 0))
       FROM migration_retries r JOIN jobs j ON j.id = r.job_id
       WHERE r.migration_id = m.migration_id AND r.source_id = m.source_id) AS retries,
    m.changed_since AS changedSince,
    m.reconciliation,
    iif("import".result IS NULL, NULL, json_object('id', "import".result -> '$.projectId',
      'fullPath', "import".result ->> '$.fullPath', 'webUrl', "import".result ->> '$.webUrl')) AS target,
    iif("export".result IS NULL, NULL, json_object('id', "export".result ->> '$.archiveId',
      'path', "export".result ->> '$.archivePath', 'sha256', "export".result ->> '$.sha256',
      'sizeBytes', "export".result -> '$.sizeBytes')) AS archive
  FROM migration_projects m ${joinSql}`;

/** Synchronous: when a method returns, the change is on disk. Times are epoch milliseconds, given by the caller. */
export class ProjectMigrations {
  readonly #catalogue: Catalogue;
  readonly #jobs: JobStore;

  constructor(catalogue: Catalogue, jobs: JobStore) {
    this.#catalogue = catalogue;
    this.#jobs = jobs;
  }

  /** Newest first. */
  list(): StoredMigration[] {
    return this.#catalogue.all(`${selectMigrations} ORDER BY id DESC`).map(readMigration);
  }

  /** By id or name; throws `migration-missing`. */
  get(reference: string): StoredMigration {
    const row = this.#catalogue.get(`${selectMigrations} WHERE id = @reference OR name = @reference`, {
      reference,
    });
    if (row === undefined) {
      throw new AppError('migration-missing', `There is no migration "${reference}".`, {
        details: { migration: reference },
      });
    }
    return readMigration(row);
  }

  /** Throws `already-exists` where another migration has that name. */
  create(draft: MigrationDraft, projects: readonly NewProject[], at: number): StoredMigration {
    return this.#catalogue.transaction(() => {
      this.#mustBeFree(draft.name, null);
      const id = this.#jobs.newId(at);
      this.#catalogue.run(
        `INSERT INTO migrations (id, name, draft, status, created_at) VALUES (@id, @name, @draft, 'draft', @at)`,
        { id, name: draft.name, draft: JSON.stringify(draft), at },
      );
      this.#add(id, projects);
      return this.get(id);
    });
  }

  /** Replaces what it is meant to do, and, where they are given, its projects. A check that was made is no longer one of it. */
  change(id: string, draft: MigrationDraft, projects: readonly NewProject[] | null): StoredMigration {
    return this.#catalogue.transaction(() => {
      this.#mustBeFree(draft.name, id);
      this.#catalogue.run('UPDATE migrations SET name = @name, draft = @draft WHERE id = @id', {
        id,
        name: draft.name,
        draft: JSON.stringify(draft),
      });
      this.#forgetCheck(id);
      if (projects !== null) {
        this.#catalogue.run('DELETE FROM migration_projects WHERE migration_id = ?', id);
        this.#add(id, projects);
      }
      return this.get(id);
    });
  }

  setStatus(id: string, status: StoredStatus): void {
    this.#catalogue.run('UPDATE migrations SET status = @status WHERE id = @id', { id, status });
  }

  /** What it made stays: its jobs, its runs and the archives. */
  remove(id: string): void {
    this.#catalogue.transaction(() => {
      for (const table of ['overrides', 'checks', 'groups', 'finishes', 'runs', 'retries', 'projects']) {
        this.#catalogue.run(`DELETE FROM migration_${table} WHERE migration_id = ?`, id);
      }
      this.#catalogue.run('DELETE FROM migrations WHERE id = ?', id);
    });
  }

  /** All of a migration, by path on the source. */
  projects(id: string): StoredProject[] {
    return this.#catalogue
      .all(`${selectProjects} WHERE m.migration_id = ? ORDER BY m.source_path`, id)
      .map((row) => readRow(projectRow, row, 'migration_projects'));
  }

  /** One of them by its path on the source or its id there; throws `project-missing`. */
  project(id: string, reference: string): StoredProject {
    const row = this.#catalogue.get(
      `${selectProjects} WHERE m.migration_id = @id AND (m.source_path = @reference OR m.source_id = CAST(@reference AS INTEGER))`,
      { id, reference },
    );
    if (row === undefined) {
      throw new AppError('project-missing', `The migration has no project ${reference}.`, {
        details: { project: reference },
      });
    }
    return readRow(projectRow, row, 'migration_projects');
  }

  /** In one transaction. What was found out by a check does not hold any more. */
  place(
    id: string,
    changes: readonly { sourceId: number; placement: Placement; wave: number; leftOut: boolean }[],
  ): void {
    this.#catalogue.transaction(() => {
      for (const { sourceId, placement, wave, leftOut } of changes) {
        this.#catalogue.run(
          `UPDATE migration_projects SET placement = @placement, wave = @wave, left_out = @leftOut
             WHERE migration_id = @id AND source_id = @sourceId`,
          { id, sourceId, placement: JSON.stringify(placement), wave, leftOut: leftOut ? 1 : 0 },
        );
      }
      this.#forgetCheck(id);
    });
  }

  /**
   * Makes the job of a move, or joins the open one that does the same work, and keeps it as that of the project: one
   * transaction. Null, and nothing is written, where the project has a job of that move already. Throws `job-busy`.
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
      const made = this.#jobs.enqueue({ ...job, id: this.#jobs.newId(at), runId, at }).job;
      this.#catalogue.run(
        `UPDATE migration_projects SET ${column} = @job WHERE migration_id = @id AND source_id = @sourceId`,
        { ...place, job: made.id },
      );
      return made.id;
    });
  }

  /** Lets these moves of a project be made anew; what they did stays done. */
  forget(id: string, sourceId: number, moves: readonly MoveColumn[]): void {
    if (moves.length === 0) return;
    this.#catalogue.run(
      `UPDATE migration_projects SET ${moves.map((name) => `${moveColumns[name]} = NULL`).join(', ')}
         WHERE migration_id = @id AND source_id = @sourceId`,
      { id, sourceId },
    );
  }

  addRetry(id: string, sourceId: number, jobId: string): void {
    this.#catalogue.run(
      'INSERT OR IGNORE INTO migration_retries (migration_id, source_id, job_id) VALUES (?, ?, ?)',
      id,
      sourceId,
      jobId,
    );
  }

  addFinish(id: string, runId: string): void {
    this.#catalogue.run(
      'INSERT OR IGNORE INTO migration_finishes (migration_id, run_id) VALUES (?, ?)',
      id,
      runId,
    );
  }

  /** Relation imports of a project that have ended and after which nobody compared yet what arrived. */
  endedRetries(id: string, sourceId: number): string[] {
    const rows = this.#catalogue.all(
      `SELECT r.job_id AS id FROM migration_retries r JOIN jobs j ON j.id = r.job_id
         WHERE r.migration_id = @id AND r.source_id = @sourceId AND r.compared = 0 AND ${hasEnded}`,
      { id, sourceId },
    );
    return rows.map((row) => readRow(idRow, row, 'migration_retries').id);
  }

  /** What arrived was compared since they ended. */
  retriesCompared(jobIds: readonly string[]): void {
    this.#catalogue.transaction(() => {
      for (const id of jobIds)
        this.#catalogue.run('UPDATE migration_retries SET compared = 1 WHERE job_id = ?', id);
    });
  }

  noteChangedSince(id: string, sourceId: number, at: number | null): void {
    this.#catalogue.run(
      'UPDATE migration_projects SET changed_since = @at WHERE migration_id = @id AND source_id = @sourceId',
      { id, sourceId, at },
    );
  }

  keepReconciliation(id: string, sourceId: number, reconciliation: Reconciliation): void {
    this.#catalogue.run(
      'UPDATE migration_projects SET reconciliation = @json WHERE migration_id = @id AND source_id = @sourceId',
      { id, sourceId, json: JSON.stringify(reconciliation) },
    );
  }

  /** The migration and the project there whose import this job is or was; null: none. */
  ofImport(jobId: string): { id: string; sourceId: number } | null {
    const row = this.#catalogue.get(
      'SELECT migration_id AS id, source_id AS sourceId FROM migration_projects WHERE import_job = ?',
      jobId,
    );
    return row === undefined ? null : readRow(placeRow, row, 'migration_projects');
  }

  /** Whether the job is one that the migration made or joined. */
  owns(id: string, jobId: string): boolean {
    return this.#catalogue.get(`SELECT 1 FROM (${everMade}) WHERE id = @jobId`, { id, jobId }) !== undefined;
  }

  /** Ids of all jobs that the migration ever made or joined, oldest first, with those that were made anew since. */
  jobsOf(id: string): string[] {
    const rows = this.#catalogue.all(`SELECT DISTINCT id FROM (${everMade}) ORDER BY id`, { id });
    return rows.map((row) => readRow(idRow, row, 'jobs').id);
  }

  /** Ids of the jobs that a migration made or joined and that have not ended. */
  openJobs(id: string): string[] {
    const rows = this.#catalogue.all(
      `SELECT id FROM jobs WHERE id IN (${allJobs}) AND status NOT IN ('succeeded', 'failed', 'cancelled', 'skipped')`,
      { id },
    );
    return rows.map((row) => readRow(idRow, row, 'jobs').id);
  }

  #add(id: string, projects: readonly NewProject[]): void {
    for (const { sourceId, sourcePath, wave, placement } of projects) {
      this.#catalogue.run(
        `INSERT INTO migration_projects (migration_id, source_id, source_path, wave, placement)
           VALUES (@id, @sourceId, @sourcePath, @wave, @placement)`,
        { id, sourceId, sourcePath, wave, placement: JSON.stringify(placement) },
      );
    }
  }

  /** The run that groups the jobs of one move of a wave. */
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

  #forgetCheck(id: string): void {
    this.#catalogue.run('DELETE FROM migration_checks WHERE migration_id = ?', id);
  }

  #mustBeFree(name: string, except: string | null): void {
    const row = this.#catalogue.get('SELECT id FROM migrations WHERE name = ?', name);
    if (row === undefined || readRow(idRow, row, 'migrations').id === except) return;
    throw new AppError('already-exists', `There is a migration named "${name}" already.`, {
      details: { migration: name },
    });
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
const selectMigrations = `SELECT id, draft, status, created_at AS createdAt, at AS checkedAt, blockers,
  missing_groups AS missingGroups FROM migrations LEFT JOIN migration_checks ON migration_id = id`;
const readMigration = (row: unknown): StoredMigration => readRow(migrationRow, row, 'migrations');
const idRow = z.object({ id: z.string() });
const placeRow = z.object({ id: z.string(), sourceId: z.number().int() });
