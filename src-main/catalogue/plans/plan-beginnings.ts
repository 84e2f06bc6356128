/**
 * @file Plans whose program before a run is in progress, in any process. Every process can see them, and can ask for
 * the end of one. The row of a dead process is ignored.
 */
import { z } from '../../../src-contract/schema.ts';
import { isDead, ownIdentity, staleMs, type ProcessIdentity } from '../../platform/process-identity.ts';
import type { Catalogue } from '../database.ts';
import { readRow } from '../rows.ts';

export const heartbeatMs = staleMs / 3;

const preparationRow = z.object({
  planId: z.string(),
  beganAt: z.number(),
  bootId: z.string(),
  pid: z.number().int(),
  startedAt: z.string(),
  seenAt: z.number(),
  cancelledBy: z.string().nullable(),
});
export type PlanPreparation = Pick<z.infer<typeof preparationRow>, 'planId' | 'beganAt' | 'cancelledBy'>;

const selectBeginnings = `SELECT plan_id AS planId, began_at AS beganAt, boot_id AS bootId, pid, started_at AS startedAt,
  seen_at AS seenAt, cancelled_by AS cancelledBy FROM plan_beginnings`;
const isOurs = 'plan_id = @planId AND boot_id = @bootId AND pid = @pid AND started_at = @startedAt';

/** Synchronous: when a method returns, the change is on disk. Times are epoch milliseconds, passed by the caller. */
export class PlanPreparations {
  readonly #catalogue: Catalogue;
  readonly #self: ProcessIdentity;

  /** `self` is this process; tests pass another. */
  constructor(catalogue: Catalogue, self = ownIdentity()) {
    this.#catalogue = catalogue;
    this.#self = self;
  }

  /** Returns null if none is in progress. */
  of(planId: string, now: number): PlanPreparation | null {
    const row = this.#catalogue.get(`${selectBeginnings} WHERE plan_id = ?`, planId);
    return row === undefined ? null : (this.#living([row], now)[0] ?? null);
  }

  /** Returns all that are in progress, by plan. */
  all(now: number): PlanPreparation[] {
    return this.#living(this.#catalogue.all(`${selectBeginnings} ORDER BY plan_id`), now);
  }

  /** Registers that it is in progress here; false without a write if it is already in progress. */
  begin(planId: string, at: number): boolean {
    return this.#catalogue.transaction(() => {
      if (this.of(planId, at) !== null) return false;
      this.#catalogue.run(
        `INSERT OR REPLACE INTO plan_beginnings (plan_id, began_at, boot_id, pid, started_at, seen_at)
           VALUES (@planId, @at, @bootId, @pid, @startedAt, @at)`,
        { ...this.#self, planId, at },
      );
      return true;
    });
  }

  /** Renews the registration; must be called every `beatMs`. */
  beat(planId: string, at: number): void {
    this.#catalogue.run(`UPDATE plan_beginnings SET seen_at = @at WHERE ${isOurs}`, {
      ...this.#self,
      planId,
      at,
    });
  }

  end(planId: string): void {
    this.#catalogue.run(`DELETE FROM plan_beginnings WHERE ${isOurs}`, { ...this.#self, planId });
  }

  /** Requests the end; the first requester stays recorded. Returns false if none is in progress. */
  cancel(planId: string, by: string, now: number): boolean {
    return this.#catalogue.transaction(() => {
      if (this.of(planId, now) === null) return false;
      this.#catalogue.run(
        'UPDATE plan_beginnings SET cancelled_by = coalesce(cancelled_by, @by) WHERE plan_id = @planId',
        { planId, by },
      );
      return true;
    });
  }

  #living(rows: readonly unknown[], now: number): PlanPreparation[] {
    return rows
      .map((row) => readRow(preparationRow, row, 'plan_beginnings'))
      .filter((row) => !isDead({ ...row, beatAt: row.seenAt }, this.#self, now))
      .map(({ planId, beganAt, cancelledBy }) => ({ planId, beganAt, cancelledBy }));
  }
}
