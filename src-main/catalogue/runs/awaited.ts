/** @file The work that living processes wait for. The lease holder also runs the jobs that other processes await. */
import { z } from '../../../src-contract/schema.ts';
import type { Clock } from '../../platform/clock.ts';
import { isAlive, isDead, ownIdentity, type ProcessIdentity } from '../../platform/process-identity.ts';
import type { Catalogue } from '../database.ts';
import { processRow, sameProcessSql } from '../lease.ts';

/** A run, a project migration, or all jobs. */
export type AwaitedScope = { runId: string } | { migrationId: string } | 'all';

const row = processRow.extend({
  beatAt: z.number(),
  runId: z.string().nullable(),
  migrationId: z.string().nullable(),
});

export class AwaitedWork {
  readonly #catalogue: Catalogue;
  readonly #clock: Clock;
  readonly #self: ProcessIdentity;
  readonly #isAlive: typeof isAlive;
  #isWaiting = false;

  /** `self` is this process, and `checkAlive` asks the operating system; tests pass others. */
  constructor(catalogue: Catalogue, clock: Clock, self = ownIdentity(), checkAlive = isAlive) {
    this.#catalogue = catalogue;
    this.#clock = clock;
    this.#self = self;
    this.#isAlive = checkAlive;
  }

  /** Registers that this process also waits for that work, until `end`. */
  add(work: AwaitedScope): void {
    this.#isWaiting = true;
    this.#catalogue.run(
      `INSERT INTO awaited (boot_id, host, pid, started_at, heartbeat_at, run_id, migration_id)
         VALUES (@bootId, @host, @pid, @startedAt, @now, @runId, @migrationId)`,
      {
        ...this.#self,
        now: this.#clock.now(),
        runId: typeof work === 'object' && 'runId' in work ? work.runId : null,
        migrationId: typeof work === 'object' && 'migrationId' in work ? work.migrationId : null,
      },
    );
  }

  heartbeat(): void {
    if (!this.#isWaiting) return;
    const sql = `UPDATE awaited SET heartbeat_at = @now WHERE ${sameProcessSql}`;
    this.#catalogue.run(sql, { ...this.#self, now: this.#clock.now() });
  }

  /** Registers that this process waits for nothing any more. Idempotent. */
  end(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#catalogue.run(`DELETE FROM awaited WHERE ${sameProcessSql}`, this.#self);
  }

  /** Returns the work that other living processes wait for. Removes dead processes. */
  awaitedByOthers(): { jobIds: Set<string>; migrationIds: string[] } {
    const others = this.#others();
    const runIds = others.flatMap(({ runId }) => (runId === null ? [] : [runId]));
    const sql = 'SELECT job_id FROM run_jobs WHERE run_id IN (SELECT value FROM json_each(?))';
    const jobs = runIds.length === 0 ? [] : this.#catalogue.column(sql, JSON.stringify(runIds));
    return {
      jobIds: new Set(jobs as string[]),
      migrationIds: others.flatMap(({ migrationId }) => (migrationId === null ? [] : [migrationId])),
    };
  }

  /** Returns whether another process waits for that run, or for all jobs. */
  isAwaitedElsewhere(runId: string): boolean {
    return this.#others().some(
      (other) => other.runId === runId || (other.runId === null && other.migrationId === null),
    );
  }

  #others(): z.infer<typeof row>[] {
    const rows = this.#catalogue.rows(
      'awaited',
      row,
      `SELECT boot_id AS bootId, host, pid, started_at AS startedAt, heartbeat_at AS beatAt, run_id AS runId,
         migration_id AS migrationId FROM awaited WHERE NOT (${sameProcessSql})`,
      this.#self,
    );
    const now = this.#clock.now();
    return rows.filter((other) => {
      if (!isDead(other, this.#self, now, this.#isAlive)) return true;
      this.#catalogue.run(`DELETE FROM awaited WHERE ${sameProcessSql}`, other);
      return false;
    });
  }
}
