/**
 * @file The lease. The process that holds it runs the jobs. If the holder started in this boot, the operating system
 * shows whether it is alive; otherwise its heartbeat does.
 */
import { z } from '../../src-contract/schema.ts';
import type { Clock } from '../platform/clock.ts';
import { isAlive, isDead, ownIdentity, type ProcessIdentity } from '../platform/process-identity.ts';
import type { Catalogue } from './database.ts';

/** The columns that identify a process. */
export const processRow = z.object({
  bootId: z.string(),
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.string(),
});
const holderRow = processRow.extend({ heartbeatAt: z.number() });
export type LeaseHolder = z.infer<typeof holderRow>;

/** True for rows of the process with the given identity. */
export const sameProcessSql = 'boot_id = @bootId AND pid = @pid AND started_at = @startedAt';

export class Lease {
  readonly #catalogue: Catalogue;
  readonly #clock: Clock;
  readonly #self: ProcessIdentity;
  readonly #isAlive: typeof isAlive;

  /** `self` identifies this process, `checkAlive` asks the operating system about a process; tests pass others. */
  constructor(catalogue: Catalogue, clock: Clock, self = ownIdentity(), checkAlive = isAlive) {
    this.#catalogue = catalogue;
    this.#clock = clock;
    this.#self = self;
    this.#isAlive = checkAlive;
  }

  /** Takes the lease if it is free, ours already, or its holder is dead. Returns whether it is ours now. Idempotent. */
  acquire(): boolean {
    return this.#catalogue.transaction(() => {
      if (this.isHeldByAnother()) return false;
      this.#catalogue.run(
        `INSERT OR REPLACE INTO lease (one, boot_id, host, pid, started_at, heartbeat_at)
           VALUES (1, @bootId, @host, @pid, @startedAt, @now)`,
        { ...this.#self, now: this.#clock.now() },
      );
      return true;
    });
  }

  /** @returns false if the lease is not ours any more; the caller must then stop its jobs. */
  renew(): boolean {
    const parameters = { ...this.#self, now: this.#clock.now() };
    return (
      this.#catalogue.run(`UPDATE lease SET heartbeat_at = @now WHERE ${sameProcessSql}`, parameters) === 1
    );
  }

  release(): void {
    this.#catalogue.run(`DELETE FROM lease WHERE ${sameProcessSql}`, this.#self);
  }

  holder(): LeaseHolder | null {
    return this.#catalogue.row(
      'lease',
      holderRow,
      'SELECT boot_id AS bootId, host, pid, started_at AS startedAt, heartbeat_at AS heartbeatAt FROM lease',
    );
  }

  /** Returns whether some process runs jobs, as far as this process can tell. */
  isHeld(): boolean {
    const holder = this.holder();
    return holder !== null && (this.#isSelf(holder) || !this.#isDead(holder));
  }

  /** Returns whether another process runs jobs, including those that this one enqueues. */
  isHeldByAnother(): boolean {
    const holder = this.holder();
    return holder !== null && !this.#isSelf(holder) && !this.#isDead(holder);
  }

  #isSelf({ bootId, pid, startedAt }: LeaseHolder): boolean {
    return bootId === this.#self.bootId && pid === this.#self.pid && startedAt === this.#self.startedAt;
  }

  #isDead(holder: LeaseHolder): boolean {
    const holderProcess = { ...holder, beatAt: holder.heartbeatAt };
    return isDead(holderProcess, this.#self, this.#clock.now(), this.#isAlive);
  }
}
