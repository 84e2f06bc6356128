/** @file Migrations: drafts, projects, placements and comparisons. The status of a project follows from its jobs. */
import { isDeepStrictEqual } from 'node:util';
import { AppError, type ErrorData } from '../../../src-contract/errors.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { reconciliationSchema } from '../../../src-contract/transfers/import-schema.ts';
import type { MigrationDraft, Placement } from '../../../src-contract/migrations/migration.ts';
import { migrationDraftSchema } from '../../../src-contract/migrations/migration-schema.ts';
import { visibilities } from '../../../src-contract/projects/project-details.ts';
import { z } from '../../../src-contract/schema.ts';
import { jsonColumn } from '../rows.ts';
import { invalidateCheck } from './migration-checks.ts';
import { readProject, selectProjectsSql, type StoredProject } from './migrating-rows.ts';
import { MigrationTable } from './migration-table.ts';

export type NewMigrationProject = Pick<StoredProject, 'sourceId' | 'sourcePath' | 'wave' | 'placement'>;

const activeMigrationRow = z.object({
  id: z.string(),
  draft: jsonColumn.pipe(migrationDraftSchema),
  /** `ended` is derived, so it is not stored. */
  status: z.enum(['draft', 'running', 'paused', 'cancelled']),
});
const migrationRow = activeMigrationRow
  .extend({
    createdAt: z.number(),
    checkedAt: z.number().nullable(),
    blockers: jsonColumn.pipe(z.array(z.string()).nullable()),
    missingGroups: jsonColumn.pipe(
      z.array(z.object({ path: z.string(), visibility: z.enum(visibilities) })).nullable(),
    ),
  })
  .transform(({ checkedAt: at, blockers, missingGroups, ...migration }) => ({
    ...migration,
    /** From the last check: its blockers, and the groups that the target lacked, outermost first. */
    check: at === null ? null : { at, blockers: blockers ?? [], missingGroups: missingGroups ?? [] },
  }));
export type StoredMigration = z.output<typeof migrationRow>;

export class ProjectMigrations extends MigrationTable {
  list(): StoredMigration[] {
    return this.catalogue.rows('migrations', migrationRow, `${selectMigrations} ORDER BY id DESC`);
  }

  /** Returns the started migrations, except those marked as idle. */
  activeMigrations(): Pick<StoredMigration, 'id' | 'draft' | 'status'>[] {
    return this.catalogue.rows(
      'migrations',
      activeMigrationRow,
      `SELECT id, draft, status FROM migrations WHERE status <> 'draft' AND rests = 0 ORDER BY id DESC`,
    );
  }

  /** Marks a migration as idle until something of it changes, if `isIdle` returns true. Runs in one transaction. */
  markIdle(id: string, isIdle: () => boolean): void {
    this.catalogue.transaction(() => {
      if (isIdle()) this.catalogue.run('UPDATE migrations SET rests = 1 WHERE id = ?', id);
    });
  }

  /** Returns a migration by id or name; throws `migration-missing`. */
  get(reference: string): StoredMigration {
    const sql = `${selectMigrations} WHERE id = @reference OR name = @reference`;
    const found = this.catalogue.row('migrations', migrationRow, sql, { reference });
    if (found !== null) return found;
    throw new AppError('migration-missing', `There is no migration "${reference}".`, {
      details: { migration: reference },
    });
  }

  /** Throws `already-exists` if another migration has that name. */
  create(draft: MigrationDraft, projects: readonly NewMigrationProject[], at: number): StoredMigration {
    return this.catalogue.transaction(() => {
      this.#assertNameFree(draft.name, null);
      const id = this.jobs.newId(at);
      this.catalogue.run(
        `INSERT INTO migrations (id, name, draft, status, created_at) VALUES (@id, @name, @draft, 'draft', @at)`,
        { id, name: draft.name, draft: JSON.stringify(draft), at },
      );
      this.#add(id, projects);
      return this.get(id);
    });
  }

  /** Replaces the draft and, if given, the projects. An earlier check no longer applies. Only before the start. */
  change(
    id: string,
    draft: MigrationDraft,
    projects: readonly NewMigrationProject[] | null,
  ): StoredMigration {
    return this.catalogue.transaction(() => {
      this.#assertNameFree(draft.name, id);
      const sql = 'UPDATE migrations SET name = ?, draft = ? WHERE id = ?';
      this.catalogue.run(sql, draft.name, JSON.stringify(draft), id);
      // No project starts before the migration does, so no project needs these checks.
      this.catalogue.run('DELETE FROM migration_checks WHERE migration_id = ?', id);
      if (projects !== null) {
        this.catalogue.run('DELETE FROM migration_projects WHERE migration_id = ?', id);
        this.#add(id, projects);
      }
      return this.get(id);
    });
  }

  setStatus(id: string, status: StoredMigration['status']): void {
    this.catalogue.run('UPDATE migrations SET status = @status WHERE id = @id', { id, status });
  }

  /** Deletes a migration. Its jobs, its runs and the archives stay. */
  remove(id: string): void {
    this.catalogue.transaction(() => {
      const tables =
        'overrides project_checks checks groups finishes runs retries acceptances comparisons projects';
      for (const table of tables.split(' ')) {
        this.catalogue.run(`DELETE FROM migration_${table} WHERE migration_id = ?`, id);
      }
      this.catalogue.run('DELETE FROM migrations WHERE id = ?', id);
    });
  }

  projects(id: string): StoredProject[] {
    return this.catalogue
      .all(`${selectProjectsSql} WHERE m.migration_id = ? ORDER BY m.source_path`, id)
      .map(readProject);
  }

  /** Returns the projects of any migration with an accepted difference. */
  projectsWithAcceptances(): { id: string; project: StoredProject }[] {
    const sql = 'SELECT DISTINCT migration_id AS id, source_id AS sourceId FROM migration_acceptances';
    return this.catalogue
      .rows('migration_acceptances', projectKeyRow, sql)
      .map(({ id, sourceId }) => ({ id, project: this.project(id, String(sourceId)) }));
  }

  /** Returns a project of the migration by its path or id on the source; throws `project-missing`. */
  project(id: string, reference: string): StoredProject {
    const row = this.catalogue.get(
      `${selectProjectsSql} WHERE m.migration_id = @id AND (m.source_path = @reference OR m.source_id = CAST(@reference AS INTEGER))`,
      { id, reference },
    );
    if (row !== undefined) return readProject(row);
    throw new AppError('project-missing', `The migration has no project ${reference}.`, {
      details: { project: reference },
    });
  }

  /**
   * Changes placements in one transaction. The last check no longer applies, but stays stored for projects that
   * migrated under it.
   */
  place(
    id: string,
    changes: readonly { sourceId: number; placement: Placement; wave: number; leftOut: boolean }[],
  ): void {
    this.catalogue.transaction(() => {
      for (const { sourceId, placement, wave, leftOut } of changes) {
        const key = { id, sourceId };
        if (!isDeepStrictEqual(this.project(id, String(sourceId)).placement, placement)) {
          this.catalogue.run(
            `UPDATE migration_projects SET placement = @placement,
                 placed_after = (SELECT coalesce(max(ref), 0) FROM migration_checks WHERE migration_id = @id)
               WHERE migration_id = @id AND source_id = @sourceId`,
            { ...key, placement: JSON.stringify(placement) },
          );
        }
        this.catalogue.run(
          `UPDATE migration_projects SET wave = @wave, left_out = @leftOut
             WHERE migration_id = @id AND source_id = @sourceId`,
          { ...key, wave, leftOut: leftOut ? 1 : 0 },
        );
      }
      invalidateCheck(this.catalogue, id);
    });
  }

  recordSourceChange(id: string, sourceId: number, at: number | null): void {
    this.catalogue.run(
      'UPDATE migration_projects SET changed_since = @at WHERE migration_id = @id AND source_id = @sourceId',
      { id, sourceId, at },
    );
  }

  saveReconciliation(id: string, sourceId: number, reconciliation: Reconciliation): void {
    this.catalogue.transaction(() => {
      this.catalogue.run(
        `INSERT OR REPLACE INTO migration_comparisons (migration_id, source_id, reconciliation) VALUES (@id, @sourceId, @json)`,
        { id, sourceId, json: JSON.stringify(reconciliation) },
      );
      this.recordComparisonError(id, sourceId, null);
    });
  }

  recordComparisonError(id: string, sourceId: number, error: ErrorData | null): void {
    this.catalogue.run(
      'UPDATE migration_projects SET comparing_error = @json WHERE migration_id = @id AND source_id = @sourceId',
      { id, sourceId, json: error === null ? null : JSON.stringify(error) },
    );
  }

  /** Returns the last comparison of a project, with the state of the source at that time; null if never compared. */
  reconciliation(id: string, sourceId: number): Reconciliation | null {
    const found = this.catalogue.row(
      'migration_comparisons',
      comparisonRow,
      'SELECT reconciliation FROM migration_comparisons WHERE migration_id = ? AND source_id = ?',
      id,
      sourceId,
    );
    return found?.reconciliation ?? null;
  }

  #add(id: string, projects: readonly NewMigrationProject[]): void {
    for (const { sourceId, sourcePath, wave, placement } of projects) {
      this.catalogue.run(
        `INSERT INTO migration_projects (migration_id, source_id, source_path, wave, placement)
           VALUES (@id, @sourceId, @sourcePath, @wave, @placement)`,
        { id, sourceId, sourcePath, wave, placement: JSON.stringify(placement) },
      );
    }
  }

  #assertNameFree(name: string, except: string | null): void {
    if (!this.catalogue.has('SELECT 1 FROM migrations WHERE name = ? AND id IS NOT ?', name, except)) return;
    throw new AppError('already-exists', `There is a migration named "${name}" already.`, {
      details: { migration: name },
    });
  }
}

const selectMigrations = `SELECT id, draft, status, created_at AS createdAt, at AS checkedAt, blockers,
  missing_groups AS missingGroups FROM migrations LEFT JOIN migration_checks ON migration_id = id AND holds = 1`;
const projectKeyRow = z.object({ id: z.string(), sourceId: z.number().int() });
const comparisonRow = z.object({ reconciliation: jsonColumn.pipe(reconciliationSchema) });
