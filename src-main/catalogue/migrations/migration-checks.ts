/**
 * @file The preflight checks of migrations and their overrides. The check that applied when a project started stays
 * stored for its passport.
 */
import type { MigrationCheck } from '../../../src-contract/migrations/migration.ts';
import {
  migrationCheckSchema,
  preflightFindingSchema,
} from '../../../src-contract/migrations/migration-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { NewGroup } from './migration-groups.ts';
import type { Catalogue } from '../database.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { migrationJobColumns } from './migrating-rows.ts';
import { jsonColumn } from '../rows.ts';

/** In all methods, `id` is the id of the migration. */
export class MigrationChecks extends CatalogueTable {
  /** Stores a check. Deletes earlier checks, except those that applied when a project started. Overrides stay. */
  store(id: string, check: MigrationCheck, groups: readonly NewGroup[], at: number): void {
    const blockers = check.findings.flatMap(({ severity, blocksOnlyProject, id: findingId }) =>
      severity === 'blocker' && blocksOnlyProject !== true ? [findingId] : [],
    );
    this.catalogue.transaction(() => {
      invalidateCheck(this.catalogue, id);
      this.catalogue.run(
        `DELETE FROM migration_checks WHERE migration_id = ?
           AND ref NOT IN (SELECT check_ref FROM migration_project_checks)`,
        id,
      );
      this.catalogue.run(
        `INSERT INTO migration_checks (migration_id, at, blockers, missing_groups, report) VALUES (?, ?, ?, ?, ?)`,
        id,
        at,
        ...[blockers, groups, check].map((value) => JSON.stringify(value)),
      );
    });
  }

  current(id: string): MigrationCheck | null {
    const sql = 'SELECT report FROM migration_checks WHERE migration_id = ? AND holds = 1';
    return this.catalogue.row('migration_checks', reportRow, sql, id)?.report ?? null;
  }

  /** Returns the ids of the findings of the newest check that block only their project. */
  projectBlockers(id: string): string[] {
    return this.catalogue.column(
      `SELECT f.value ->> '$.id' FROM migration_checks c, json_each(c.report, '$.findings') f
         WHERE c.ref = ${newestCheck} AND f.value ->> '$.blocksOnlyProject' = 1`,
      { id },
    ) as string[];
  }

  /**
   * Returns the check that applied when a project last started, with the overrides of that time and the findings
   * about the project or the whole migration. If the project never started, returns the newest check, or null.
   */
  forProject(id: string, sourceId: number) {
    const found = this.catalogue.row(
      'migration_checks',
      projectCheckRow,
      `SELECT c.report ->> '$.at' AS at, coalesce(u.overrides_ref, ${newestOverride}) AS overridesRef,
           coalesce(u.placed_since, m.placed_after >= c.ref) AS placedSince,
           (SELECT json_group_array(json(f.value)) FROM json_each(c.report, '$.findings') f
              WHERE f.value ->> '$.project' IS NULL OR f.value ->> '$.project' = m.source_path COLLATE NOCASE) AS findings
         FROM migration_projects m
         LEFT JOIN migration_project_checks u USING (migration_id, source_id)
         JOIN migration_checks c ON c.ref = coalesce(u.check_ref,
           iif(coalesce(${Object.values(migrationJobColumns).join(', ')}) IS NULL, ${newestCheck}, NULL))
         WHERE m.migration_id = @id AND m.source_id = @sourceId`,
      { id, sourceId },
    );
    if (found === null) return null;
    const { overridesRef, ...check } = found;
    return { ...check, overrides: this.overrides(id, overridesRef) };
  }

  /**
   * Returns the overrides by the finding's id: the current ones, or those that applied when the entry `ref` was stored.
   */
  overrides(id: string, ref: number | null = null): Map<string, Override> {
    const rows = this.catalogue.rows(
      'migration_overrides',
      overrideRow,
      `SELECT finding, note, at FROM (SELECT finding, note, at, max(ref) FROM migration_overrides
         WHERE migration_id = @id AND ref <= coalesce(@ref, ref) GROUP BY finding) WHERE note IS NOT NULL`,
      { id, ref },
    );
    return new Map(rows.map(({ finding, ...override }) => [finding, override]));
  }

  /** A null note withdraws the override. */
  override(id: string, finding: string, note: string | null, at: number): void {
    this.catalogue.run(
      'INSERT INTO migration_overrides (migration_id, finding, note, at) VALUES (?, ?, ?, ?)',
      id,
      finding,
      note,
      at,
    );
  }
}

const newestCheck = '(SELECT max(ref) FROM migration_checks WHERE migration_id = @id)';
const newestOverride = '(SELECT coalesce(max(ref), 0) FROM migration_overrides WHERE migration_id = @id)';

/**
 * Stores that the newest check and the current overrides apply to this project from now on. The caller opens the
 * transaction.
 */
export function storeCheckForProject(catalogue: Catalogue, migrationId: string, sourceId: number): void {
  catalogue.run(
    `INSERT OR REPLACE INTO migration_project_checks (migration_id, source_id, check_ref, overrides_ref, placed_since)
       SELECT m.migration_id, m.source_id, c.ref, ${newestOverride}, m.placed_after >= c.ref
         FROM migration_projects m JOIN migration_checks c ON c.ref = ${newestCheck}
         WHERE m.migration_id = @id AND m.source_id = @sourceId`,
    { id: migrationId, sourceId },
  );
}

/** Invalidates the last check, so that the next start needs a new one. The caller opens the transaction. */
export function invalidateCheck(catalogue: Catalogue, migrationId: string): void {
  catalogue.run('UPDATE migration_checks SET holds = 0 WHERE migration_id = ? AND holds = 1', migrationId);
}

const reportRow = z.object({ report: jsonColumn.pipe(migrationCheckSchema) });
const projectCheckRow = z.object({
  at: z.string(),
  findings: jsonColumn.pipe(z.array(preflightFindingSchema.omit({ overridden: true }))),
  overridesRef: z.number().int(),
  /** True if the placement was changed after the check, and not checked again. */
  placedSince: z.number().transform((since) => since === 1),
});
const overrideRow = z.object({ finding: z.string(), note: z.string(), at: z.number() });
export type Override = Omit<z.output<typeof overrideRow>, 'finding'>;
