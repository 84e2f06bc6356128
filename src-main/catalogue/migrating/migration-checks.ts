/** @file What the checks before a migration found, and which findings somebody overrode. */
import {
  migrationCheckSchema,
  type MigrationCheck,
} from '../../../src-preload/contract/migrations/migration.ts';
import { z } from '../../../src-preload/contract/schema.ts';
import type { WantedGroup } from './migration-groups.ts';
import type { Catalogue } from '../database.ts';
import { jsonColumn, readRow } from '../rows.ts';

export interface Override {
  at: number;
  note: string;
}

/** Synchronous: when a method returns, the change is on disk. `id` is that of the migration. */
export class MigrationChecks {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** In place of the check before. Which findings are overridden is kept apart, so that it outlives a check. */
  keep(id: string, check: MigrationCheck, groups: readonly WantedGroup[], at: number): void {
    const blockers = check.findings.flatMap((finding) =>
      finding.severity === 'blocker' ? [finding.id] : [],
    );
    this.#catalogue.run(
      `INSERT OR REPLACE INTO migration_checks (migration_id, at, blockers, missing_groups, report)
         VALUES (@id, @at, @blockers, @groups, @report)`,
      {
        id,
        at,
        blockers: JSON.stringify(blockers),
        groups: JSON.stringify(groups),
        report: JSON.stringify(check),
      },
    );
  }

  /** Null: none was made since the migration was changed. */
  last(id: string): MigrationCheck | null {
    const row = this.#catalogue.get('SELECT report FROM migration_checks WHERE migration_id = ?', id);
    return row === undefined ? null : readRow(reportRow, row, 'migration_checks').report;
  }

  /** Why somebody overrode a finding, by the finding's id. */
  overrides(id: string): Map<string, Override> {
    const rows = this.#catalogue.all(
      'SELECT finding, note, at FROM migration_overrides WHERE migration_id = ?',
      id,
    );
    return new Map(
      rows.map((row) => {
        const { finding, ...override } = readRow(overrideRow, row, 'migration_overrides');
        return [finding, override];
      }),
    );
  }

  /** A null note takes it back. */
  override(id: string, finding: string, note: string | null, at: number): void {
    if (note === null) {
      this.#catalogue.run(
        'DELETE FROM migration_overrides WHERE migration_id = ? AND finding = ?',
        id,
        finding,
      );
      return;
    }
    this.#catalogue.run(
      'INSERT OR REPLACE INTO migration_overrides (migration_id, finding, note, at) VALUES (?, ?, ?, ?)',
      id,
      finding,
      note,
      at,
    );
  }
}

const reportRow = z.object({ report: jsonColumn.pipe(migrationCheckSchema) });
const overrideRow = z.object({ finding: z.string(), note: z.string(), at: z.number() });
