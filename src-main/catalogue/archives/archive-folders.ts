/** @file The archive folders, identified by number: their archives, and which folders do not exist now. */
import { z } from '../../../src-contract/schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';

const totalsRow = z.object({ count: z.number().int(), bytes: z.number() });
const absenceRow = z.object({
  root: z.number().int(),
  archives: z.number().int(),
  bytes: z.number(),
  projects: z.number().int(),
});

export class ArchiveFolders extends CatalogueTable {
  removeIndexedArchives(root: number): void {
    this.catalogue.run('DELETE FROM archives WHERE root = ?', root);
  }

  hasIndexedArchives(root: number): boolean {
    return this.catalogue.has('SELECT 1 FROM archives WHERE root = ? LIMIT 1', root);
  }

  countIn(root: number): number {
    return this.catalogue.count('SELECT count(*) FROM archives WHERE root = ?', root);
  }

  /** Counts the archives in folders that existed at the last check. */
  totals(): { count: number; bytes: number } {
    // `archives_by_project` does not contain the root, so a filter by root reads every row of the table.
    const presentFilterSql = this.catalogue.has('SELECT 1 FROM absent_roots LIMIT 1')
      ? 'WHERE root NOT IN (SELECT root FROM absent_roots)'
      : 'INDEXED BY archives_by_project';
    const [totals] = this.catalogue.rows(
      'archives',
      totalsRow,
      `SELECT count(*) AS count, total(size_bytes) AS bytes FROM archives ${presentFilterSql}`,
    );
    return totals ?? { count: 0, bytes: 0 };
  }

  /**
   * Stores which archive folders do not exist; the backup status of projects follows from it. @returns whether anything
   * changed.
   */
  storeAbsentRoots(absentRoots: ReadonlySet<number>): boolean {
    const known = new Set(this.catalogue.column('SELECT root FROM absent_roots') as number[]);
    const reappeared = [...known].filter((root) => !absentRoots.has(root));
    const disappeared = [...absentRoots].filter((root) => !known.has(root));
    if (reappeared.length + disappeared.length === 0) return false;
    this.catalogue.transaction(() => {
      for (const root of reappeared) this.catalogue.run('DELETE FROM absent_roots WHERE root = ?', root);
      // Another process may have stored it meanwhile.
      for (const root of disappeared)
        this.catalogue.run('INSERT OR IGNORE INTO absent_roots (root) VALUES (?)', root);
    });
    return true;
  }

  /** Returns the contents of folders that do not exist; folders without archives are left out. */
  archivesInAbsentRoots(): { root: number; archives: number; bytes: number; projects: number }[] {
    return this.catalogue.rows(
      'archives',
      absenceRow,
      `SELECT r.root, count(*) AS archives, total(a.size_bytes) AS bytes,
           count(DISTINCT a.instance_url || ' ' || a.project_id) AS projects
         FROM absent_roots r JOIN archives a ON a.root = r.root GROUP BY r.root ORDER BY r.root`,
    );
  }
}
