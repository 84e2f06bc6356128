/** @file Why the runs of plans could not start. A run that starts deletes the row, see `RunStore.fire`. */
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { jsonColumn } from '../rows.ts';

const failureRow = z.object({ error: jsonColumn.pipe(errorDataSchema) });

export class PlanFailures extends CatalogueTable {
  /** Returns the error of the last try; null if it succeeded, or there was none. */
  find(planId: string): ErrorData | null {
    const sql = 'SELECT error FROM plan_failures WHERE plan_id = ?';
    return this.catalogue.row('plan_failures', failureRow, sql, planId)?.error ?? null;
  }

  record(planId: string, error: ErrorData, at: number): void {
    const sql = 'INSERT OR REPLACE INTO plan_failures (plan_id, failed_at, error) VALUES (?, ?, ?)';
    this.catalogue.run(sql, planId, at, JSON.stringify(error));
  }

  forget(planId: string): void {
    this.catalogue.run('DELETE FROM plan_failures WHERE plan_id = ?', planId);
  }
}
