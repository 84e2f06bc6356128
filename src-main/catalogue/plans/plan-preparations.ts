/** @file The plans whose pre-run program is running, in any live process. Any process can cancel the program. */
import { z } from '../../../src-contract/schema.ts';
import { isDead, ownIdentity, staleMs, type ProcessIdentity } from '../../platform/process-identity.ts';
import type { Catalogue } from '../database.ts';

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

const selectPreparations = `SELECT plan_id AS planId, began_at AS beganAt, boot_id AS bootId, pid, started_at AS startedAt,
  seen_at AS seenAt, cancelled_by AS cancelledBy FROM plan_beginnings`;
const sameProcessSql = 'plan_id = @planId AND boot_id = @bootId AND pid = @pid AND started_at = @startedAt';

/** Synchronous: when a method returns, the change is on disk. Times are epoch milliseconds, passed by the caller. */
export class PlanPreparations {
  readonly #catalogue: Catalogue;
  readonly #self: ProcessIdentity;

  /** `self` is this process; tests pass another. */
  constructor(catalogue: Catalogue, self = ownIdentity()) {
    this.#catalogue = catalogue;
    this.#self = self;
  }

  findForPlan(planId: string, now: number): PlanPreparation | null {
    return this.#readLive('WHERE plan_id = @planId', now, { planId })[0] ?? null;
  }

  list(now: number): PlanPreparation[] {
    return this.#readLive('ORDER BY plan_id', now);
  }

  /** Registers that the program is running here. Returns false without a write if it is already running. */
  begin(planId: string, at: number): boolean {
    return this.#catalogue.transaction(() => {
      if (this.findForPlan(planId, at) !== null) return false;
      this.#catalogue.run(
        `INSERT OR REPLACE INTO plan_beginnings (plan_id, began_at, boot_id, pid, started_at, seen_at)
           VALUES (@planId, @at, @bootId, @pid, @startedAt, @at)`,
        { ...this.#self, planId, at },
      );
      return true;
    });
  }

  /** Renews the registration; must be called every `heartbeatMs`. */
  heartbeat(planId: string, at: number): void {
    const sql = `UPDATE plan_beginnings SET seen_at = @at WHERE ${sameProcessSql}`;
    this.#catalogue.run(sql, { ...this.#self, planId, at });
  }

  end(planId: string): void {
    this.#catalogue.run(`DELETE FROM plan_beginnings WHERE ${sameProcessSql}`, { ...this.#self, planId });
  }

  /** Requests that the program ends; keeps the first requester. Returns false if no program is running. */
  cancel(planId: string, by: string, now: number): boolean {
    return this.#catalogue.transaction(() => {
      if (this.findForPlan(planId, now) === null) return false;
      this.#catalogue.run(
        'UPDATE plan_beginnings SET cancelled_by = coalesce(cancelled_by, @by) WHERE plan_id = @planId',
        { planId, by },
      );
      return true;
    });
  }

  #readLive(clause: string, now: number, parameters: object = {}): PlanPreparation[] {
    return this.#catalogue
      .rows('plan_beginnings', preparationRow, `${selectPreparations} ${clause}`, parameters)
      .filter((row) => !isDead({ ...row, beatAt: row.seenAt }, this.#self, now))
      .map(({ planId, beganAt, cancelledBy }) => ({ planId, beganAt, cancelledBy }));
  }
}
