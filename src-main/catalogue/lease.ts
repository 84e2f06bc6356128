/**
 * @file The one lease: whoever holds it runs jobs. A holder of the same boot is asked of the operating system; one that
 * cannot be seen from here is judged by its heartbeat.
 */
import { z } from '../../src-preload/contract/schema.ts';
import type { ProcessIdentity } from '../platform/process-identity.ts';
import type { Catalogue } from './database.ts';
import { readRow } from './rows.ts';

/** A holder beats at least every third of this; one that cannot be seen and did not for so long is taken for dead. */
export const heartbeatStaleMs = 30_000;

const holderRow = z.object({
  bootId: z.string(),
  host: z.string(),
  pid: z.number().int(),
  startedAt: z.string(),
  heartbeatAt: z.number(),
});
export type LeaseHolder = z.infer<typeof holderRow>;

/** `isAlive` tells of a process of the same boot, null when it cannot. Times are epoch milliseconds. */
export type LeaseRequest = ProcessIdentity & {
  now: number;
  isAlive: (pid: number, startedAt: string) => boolean | null;
};

export class Lease {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Takes the lease when it is free, ours already, or its holder is dead; repeatable. @returns whether it is ours now. */
  acquire(request: LeaseRequest): boolean {
    return this.#catalogue.transaction(() => {
      const holder = this.holder();
      if (holder !== null && !isSame(holder, request) && !isDead(holder, request)) return false;
      const { bootId, host, pid, startedAt, now } = request;
      this.#catalogue.run(
        `INSERT INTO lease (one, boot_id, host, pid, started_at, heartbeat_at)
           VALUES (1, @bootId, @host, @pid, @startedAt, @now)
           ON CONFLICT DO UPDATE SET boot_id = @bootId, host = @host, pid = @pid, started_at = @startedAt, heartbeat_at = @now`,
        { bootId, host, pid, startedAt, now },
      );
      return true;
    });
  }

  /** @returns false when the lease is not ours any more; the caller must then stop what it runs. */
  heartbeat(self: ProcessIdentity, now: number): boolean {
    const { bootId, pid, startedAt } = self;
    return (
      this.#catalogue.run(
        `UPDATE lease SET heartbeat_at = @now WHERE boot_id = @bootId AND pid = @pid AND started_at = @startedAt`,
        { bootId, pid, startedAt, now },
      ) === 1
    );
  }

  /** Gives the lease up; does nothing when it is not ours. */
  release(self: ProcessIdentity): void {
    const { bootId, pid, startedAt } = self;
    this.#catalogue.run(
      'DELETE FROM lease WHERE boot_id = @bootId AND pid = @pid AND started_at = @startedAt',
      { bootId, pid, startedAt },
    );
  }

  holder(): LeaseHolder | null {
    const row = this.#catalogue.get(
      'SELECT boot_id AS bootId, host, pid, started_at AS startedAt, heartbeat_at AS heartbeatAt FROM lease',
    );
    return row === undefined ? null : readRow(holderRow, row, 'lease');
  }
}

function isSame(holder: LeaseHolder, self: ProcessIdentity): boolean {
  return holder.bootId === self.bootId && holder.pid === self.pid && holder.startedAt === self.startedAt;
}

function isDead(holder: LeaseHolder, request: LeaseRequest): boolean {
  const alive = holder.bootId === request.bootId ? request.isAlive(holder.pid, holder.startedAt) : null;
  if (alive !== null) return !alive;
  // A heartbeat far in the future is one from before the clock was set back.
  return Math.abs(request.now - holder.heartbeatAt) > heartbeatStaleMs;
}
