/**
 * @file The one lease: whoever holds it runs jobs. A holder of the same boot is asked of the operating system; one that
 * cannot be seen from here is judged by its heartbeat.
 */
import { z } from '../../src-contract/schema.ts';
import type { Clock } from '../platform/clock.ts';
import { isAlive, isDead, ownIdentity, type ProcessIdentity } from '../platform/process-identity.ts';
import type { Catalogue } from './database.ts';
import { readRow } from './rows.ts';

const holderRow = z.object({
  bootId: z.string(),
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.string(),
  heartbeatAt: z.number(),
});
export type LeaseHolder = z.infer<typeof holderRow>;

const isOurs = 'boot_id = @bootId AND pid = @pid AND started_at = @startedAt';

export class Lease {
  readonly #catalogue: Catalogue;
  readonly #clock: Clock;
  readonly #self: ProcessIdentity;
  readonly #isAlive: typeof isAlive;

  /** `self` and `alive` are this process and the operating system; tests pass others. */
  constructor(catalogue: Catalogue, clock: Clock, self = ownIdentity(), alive = isAlive) {
    this.#catalogue = catalogue;
    this.#clock = clock;
    this.#self = self;
    this.#isAlive = alive;
  }

  /** Takes the lease when it is free, ours already, or its holder is dead; repeatable. @returns whether it is ours now. */
  acquire(): boolean {
    return this.#catalogue.transaction(() => {
      const holder = this.holder();
      if (holder !== null && !this.#isSelf(holder) && !this.#isDead(holder)) return false;
      this.#catalogue.run(
        `INSERT OR REPLACE INTO lease (one, boot_id, host, pid, started_at, heartbeat_at)
           VALUES (1, @bootId, @host, @pid, @startedAt, @now)`,
        { ...this.#self, now: this.#clock.now() },
      );
      return true;
    });
  }

  /** @returns false when the lease is not ours any more; the caller must then stop what it runs. */
  heartbeat(): boolean {
    return (
      this.#catalogue.run(`UPDATE lease SET heartbeat_at = @now WHERE ${isOurs}`, {
        ...this.#self,
        now: this.#clock.now(),
      }) === 1
    );
  }

  /** Gives the lease up; does nothing when it is not ours. */
  release(): void {
    this.#catalogue.run(`DELETE FROM lease WHERE ${isOurs}`, this.#self);
  }

  holder(): LeaseHolder | null {
    const row = this.#catalogue.get(
      'SELECT boot_id AS bootId, host, pid, started_at AS startedAt, heartbeat_at AS heartbeatAt FROM lease',
    );
    return row === undefined ? null : readRow(holderRow, row, 'lease');
  }

  /** Whether some process runs jobs, as far as can be seen from here. */
  isHeld(): boolean {
    const holder = this.holder();
    return holder !== null && (this.#isSelf(holder) || !this.#isDead(holder));
  }

  /** Whether another process runs jobs, also those that this one enqueues. */
  isHeldByAnother(): boolean {
    const holder = this.holder();
    return holder !== null && !this.#isSelf(holder) && !this.#isDead(holder);
  }

  #isSelf({ bootId, pid, startedAt }: LeaseHolder): boolean {
    return bootId === this.#self.bootId && pid === this.#self.pid && startedAt === this.#self.startedAt;
  }

  #isDead(holder: LeaseHolder): boolean {
    const beatAt = holder.heartbeatAt;
    return isDead({ ...holder, beatAt }, this.#self, this.#clock.now(), this.#isAlive);
  }
}
