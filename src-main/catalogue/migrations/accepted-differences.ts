/**
 * @file Differences that somebody accepted, by project of a migration, whether or not a comparison still shows them.
 */
import { z } from '../../../src-contract/schema.ts';
import type { Catalogue } from '../database.ts';
import { readRow } from '../rows.ts';

const acceptanceRow = z.object({
  difference: z.string(),
  missing: z.number().int(),
  note: z.string(),
  at: z.number(),
});
/** `difference` is its key, `missing` the accepted amount; the time is epoch milliseconds. */
export type StoredAcceptance = z.infer<typeof acceptanceRow>;
const idRow = z.object({ id: z.string() });

/** Synchronous: when a method returns, the change is on disk. `id` is that of the migration. */
export class AcceptedDifferences {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  of(id: string, sourceId: number): StoredAcceptance[] {
    return this.#catalogue
      .all(
        `SELECT difference, missing, note, at FROM migration_acceptances
           WHERE migration_id = ? AND source_id = ? ORDER BY difference`,
        id,
        sourceId,
      )
      .map((row) => readRow(acceptanceRow, row, 'migration_acceptances'));
  }

  /** Replaces an earlier acceptance. */
  keep(id: string, sourceId: number, acceptance: StoredAcceptance): void {
    this.#catalogue.run(
      `INSERT OR REPLACE INTO migration_acceptances (migration_id, source_id, difference, missing, note, at)
         VALUES (@id, @sourceId, @difference, @missing, @note, @at)`,
      { id, sourceId, ...acceptance },
    );
  }

  remove(id: string, sourceId: number, difference: string): void {
    this.#catalogue.run(
      'DELETE FROM migration_acceptances WHERE migration_id = ? AND source_id = ? AND difference = ?',
      id,
      sourceId,
      difference,
    );
  }

  /** Returns the ids of the migrations that contain that project of a source. */
  migrationsWith(sourceId: number): string[] {
    return this.#catalogue
      .all('SELECT migration_id AS id FROM migration_projects WHERE source_id = ?', sourceId)
      .map((row) => readRow(idRow, row, 'migration_projects').id);
  }
}
