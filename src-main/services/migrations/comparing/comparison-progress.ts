/** @file Follows the requests of comparisons that run in this process. */
import type { ChosenDepth } from '../../../../src-contract/transfers/import.ts';
import type { MigratingProject } from '../../../../src-contract/migrations/migration.ts';
import type { RequestCount } from '../../../jobs/ports.ts';
import { relationsWithNotes } from '../../../jobs/migrations/comparing/notes/changed-notes.ts';
import type { Clock } from '../../../platform/clock.ts';
import { lfsBatchSize } from '../../../gitlab/projects/lfs-objects.ts';
import { maxReadRecords } from '../../../../src-contract/transfers/comparison-forecast.ts';
import type { ArchivedProject } from './sides/archived-records.ts';
import { countPartRequests, type PartsRequest } from './one-by-one/record-parts.ts';

const reportIntervalMs = 1000;

/** The lists that a comparison requests from each instance. */
const listCount = 21;

/** Returns about how many requests a comparison with that archive sends to an instance. */
export function expectedRequests(
  archive: ArchivedProject | null,
  depth: ChosenDepth,
  side: PartsRequest['side'],
): number {
  if (archive === null) return listCount;
  const lfsRequests = side === 'target' ? Math.ceil(archive.lfsObjects.length / lfsBatchSize) : 0;
  if (depth !== 'contents') return listCount + lfsRequests;
  const noted = relationsWithNotes.reduce(
    (sum, relation) =>
      sum + (side === 'source' ? archive.records[relation].length : archive.notes[relation].size),
    0,
  );
  return (
    listCount +
    lfsRequests +
    Math.min(maxReadRecords, noted + archive.commitNotes.size) +
    countPartRequests(archive.records, side) +
    Math.min(maxReadRecords, archive.diffs.size)
  );
}

/**
 * Returns the remote side of an instance that counts its requests. Lists of several pages count as one request.
 * @param onRequest called after each.
 */
export const countingRequests = <Remote extends object>(remote: Remote, onRequest: () => void): Remote =>
  new Proxy(remote, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown => {
        const reply: unknown = Reflect.apply(member, target, values);
        return reply instanceof Promise ? reply.finally(onRequest) : reply;
      };
    },
  });

/** Counts requests, and reports the number at most once in a second. */
export function requestCounter(
  clock: Clock,
  total: number,
  report: (count: RequestCount) => void,
): () => void {
  let done = 0;
  let reportedAt = clock.monotonic();
  return () => {
    done += 1;
    if (clock.monotonic() - reportedAt < reportIntervalMs) return;
    reportedAt = clock.monotonic();
    report({ done, total: Math.max(total, done) });
  };
}

export class ComparisonProgress {
  readonly #clock: Clock;
  readonly #onChange: (migrationId: string) => void;
  readonly #running = new Map<string, { startedAt: number; count: RequestCount }>();

  constructor(clock: Clock, onChange: (migrationId: string) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Runs the comparison, and keeps the number of its requests until its end. */
  async follow<T>(
    migrationId: string,
    sourceId: number,
    compare: (report: (count: RequestCount) => void) => Promise<T>,
  ): Promise<T> {
    const key = keyOf(migrationId, sourceId);
    const startedAt = this.#clock.monotonic();
    try {
      return await compare((count) => {
        this.#running.set(key, { startedAt, count });
        this.#onChange(migrationId);
      });
    } finally {
      this.#running.delete(key);
    }
  }

  /** Returns null if the project is not being compared here, or not for long. */
  of(migrationId: string, sourceId: number): MigratingProject['comparing'] {
    const running = this.#running.get(keyOf(migrationId, sourceId));
    if (running === undefined) return null;
    const { done, total } = running.count;
    const msPerRequest = (this.#clock.monotonic() - running.startedAt) / done;
    return { done, total, msLeft: Math.round(msPerRequest * (total - done)) };
  }
}

const keyOf = (migrationId: string, sourceId: number): string => `${migrationId} ${sourceId}`;
