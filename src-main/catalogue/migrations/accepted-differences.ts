/** @file Differences that a user accepted, by project of a migration, including those that no longer exist. */
import { z } from '../../../src-contract/schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';

const acceptanceRow = z.object({
  difference: z.string(),
  missing: z.number().int(),
  note: z.string(),
  at: z.number(),
});
/** `difference` is its key, `missing` the accepted amount; the time is epoch milliseconds. */
export type StoredAcceptance = z.infer<typeof acceptanceRow>;

/** `id` is that of the migration. */
export class AcceptedDifferences extends CatalogueTable {
  listForProject(id: string, sourceId: number): StoredAcceptance[] {
    return this.catalogue.rows(
      'migration_acceptances',
      acceptanceRow,
      `SELECT difference, missing, note, at FROM migration_acceptances
         WHERE migration_id = ? AND source_id = ? ORDER BY difference`,
      id,
      sourceId,
    );
  }

  /** Replaces an earlier acceptance. */
  store(id: string, sourceId: number, acceptance: StoredAcceptance): void {
    this.catalogue.run(
      `INSERT OR REPLACE INTO migration_acceptances (migration_id, source_id, difference, missing, note, at)
         VALUES (@id, @sourceId, @difference, @missing, @note, @at)`,
      { id, sourceId, ...acceptance },
    );
  }

  remove(id: string, sourceId: number, difference: string): void {
    this.catalogue.run(
      'DELETE FROM migration_acceptances WHERE migration_id = ? AND source_id = ? AND difference = ?',
      id,
      sourceId,
      difference,
    );
  }

  migrationsOfProject(sourceId: number): string[] {
    const sql = 'SELECT migration_id FROM migration_projects WHERE source_id = ?';
    return this.catalogue.column(sql, sourceId) as string[];
  }
}
