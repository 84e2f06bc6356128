/**
 * @file Which archives of one project are kept: a pure function over all that are held, the policy and the time. In doubt it
 * keeps: while the newest archive holds far less than any that could be dropped, it drops nothing at all, so that a project
 * whose exports came out small again and again does not lose the good ones to them.
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
  /** Nothing is dropped while the newest archive holds suspiciously less than the fullest before it. */
  | 'newest-shrank'
  /** The one reason for dropping. */
  | 'newer-ones-kept';

export interface RetentionDecision {
  id: string;
  keep: boolean;
  reason: RetentionReason;
}

/** What an archive has less of than the one that has most of it: a relation, or `size` in bytes. */
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
 * The first thing of which the newest archive has less than half of what the fullest readable one before it has; null when
 * there is none. Archives that are dated ahead of `now` are passed over, and so are pinned ones, which nothing drops: who
 * pins the fullest archives accepts that the project has become smaller.
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
  const compared = older.filter(({ readable, pinned }) => readable && !pinned);
  const names = new Set(compared.flatMap(({ relations }) => Object.keys(relations)));
  const counts = [...names].map((what) => ({
    what,
    before: most(compared.map(({ relations }) => relations[what] ?? 0)),
    now: newest.relations[what] ?? 0,
  }));
  const size = {
    what: 'size',
    before: most(compared.map(({ sizeBytes }) => sizeBytes)),
    now: newest.sizeBytes,
  };
  return [...counts, size].find((one) => one.now * 2 < one.before) ?? null;
}

const most = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.max(one, other), 0);

function isAhead(archive: HeldArchive, now: number): boolean {
  return Date.parse(archive.storedAt) > now;
}

/** Below zero when `one` is older; ids decide between two of the same millisecond. */
function order(one: HeldArchive, other: HeldArchive): number {
  const times = Date.parse(one.storedAt) - Date.parse(other.storedAt);
  return times !== 0 ? times : one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}
