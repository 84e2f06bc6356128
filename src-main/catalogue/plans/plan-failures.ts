/** @file Why plans could not fire. A successful firing deletes the row, see `RunStore.fire`. */
import { errorDataSchema, type ErrorData } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { Catalogue } from '../database.ts';
import { jsonColumn, readRow } from '../rows.ts';

const failureRow = z.object({ error: jsonColumn.pipe(errorDataSchema) });

export class PlanFailures {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Null if the last try succeeded, or there was none. */
  of(planId: string): ErrorData | null {
    const row = this.#catalogue.get('SELECT error FROM plan_failures WHERE plan_id = ?', planId);
    return row === undefined ? null : readRow(failureRow, row, 'plan_failures').error;
  }

  note(planId: string, error: ErrorData, at: number): void {
    this.#catalogue.run(
      'INSERT OR REPLACE INTO plan_failures (plan_id, failed_at, error) VALUES (?, ?, ?)',
      planId,
      at,
      JSON.stringify(error),
    );
  }

  forget(planId: string): void {
    this.#catalogue.run('DELETE FROM plan_failures WHERE plan_id = ?', planId);
  }
}
