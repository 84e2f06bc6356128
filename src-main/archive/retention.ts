/**
 * @file Which archives of one project are kept: a pure function over all that are held, the policy and the time. In doubt it
 * keeps, and where the newest archive is not as good as the one before, it drops nothing at all.
 */
import type { Counts } from '../../src-preload/contract/archive.ts';

/** An archive as far as keeping it is concerned. */
export interface HeldArchive {
  id: string;
  /** ISO 8601 UTC. */
  storedAt: string;
  sizeBytes: number;
  /** Records by relation. */
  relations: Counts;
  /** Read to its end, and not found damaged since. */
  readable: boolean;
  pinned: boolean;
  /** A job that has not ended needs it. */
  inUse: boolean;
}

export interface RetentionPolicy {
  /** At least 1. */
  keepLast: number;
}

export type RetentionReason =
  | 'among-newest'
  | 'pinned'
  | 'in-use'
  /** Stored at a time that has not come: a clock was wrong, so its place in the order means nothing. */
  | 'dated-ahead'
  /** Nothing is dropped while the newest archive is damaged or cannot be read. */
  | 'newest-not-readable'
  /** Nothing is dropped while the newest archive holds suspiciously less than the one before. */
  | 'newest-shrank'
  /** The one reason for dropping. */
  | 'newer-ones-kept';

export interface RetentionDecision {
  id: string;
  keep: boolean;
  reason: RetentionReason;
}

/** What an archive has less of than the one before it: a relation, or `size` in bytes. */
export interface Shrinkage {
  what: string;
  before: number;
  now: number;
}

/**
 * A decision for each archive, newest first. The newest readable one is never dropped. `keepLast` counts readable archives,
 * so a damaged one does not take the place of a good one; it goes once enough readable ones are newer.
 */
export function retain(
  archives: readonly HeldArchive[],
  policy: RetentionPolicy,
  now: number,
): RetentionDecision[] {
  const newestFirst = archives.toSorted((one, other) => order(other, one));
  const dated = newestFirst.filter((archive) => !isAhead(archive, now));
  const all = reasonToKeepAll(dated);
  const last = dated.filter(({ readable }) => readable)[policy.keepLast - 1];
  return newestFirst.map((archive): RetentionDecision => {
    const keep = (reason: RetentionReason): RetentionDecision => ({ id: archive.id, keep: true, reason });
    if (archive.pinned) return keep('pinned');
    if (archive.inUse) return keep('in-use');
    if (isAhead(archive, now)) return keep('dated-ahead');
    if (all !== null) return keep(all);
    if (last === undefined || order(archive, last) >= 0) return keep('among-newest');
    return { id: archive.id, keep: false, reason: 'newer-ones-kept' };
  });
}

/**
 * The first thing of which the newest archive has less than half of what the readable one before it has; null when there is
 * none. Archives that are dated ahead of `now` are passed over.
 */
export function shrinkage(archives: readonly HeldArchive[], now: number): Shrinkage | null {
  const [newest, ...older] = archives
    .filter((archive) => !isAhead(archive, now))
    .toSorted((one, other) => order(other, one));
  return newest === undefined ? null : shrunk(newest, older);
}

function reasonToKeepAll(newestFirst: readonly HeldArchive[]): RetentionReason | null {
  const [newest, ...older] = newestFirst;
  if (newest?.readable !== true) return 'newest-not-readable';
  return shrunk(newest, older) === null ? null : 'newest-shrank';
}

function shrunk(newest: HeldArchive, older: readonly HeldArchive[]): Shrinkage | null {
  const before = older.find(({ readable }) => readable);
  if (before === undefined) return null;
  const sizes = { what: 'size', before: before.sizeBytes, now: newest.sizeBytes };
  const counts = Object.entries(before.relations).map(([what, count]) => ({
    what,
    before: count,
    now: newest.relations[what] ?? 0,
  }));
  return [...counts, sizes].find((one) => one.now * 2 < one.before) ?? null;
}

function isAhead(archive: HeldArchive, now: number): boolean {
  return Date.parse(archive.storedAt) > now;
}

/** Below zero when `one` is older; ids decide between two of the same millisecond. */
function order(one: HeldArchive, other: HeldArchive): number {
  const times = Date.parse(one.storedAt) - Date.parse(other.storedAt);
  return times !== 0 ? times : one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}
