/**
 * @file Decides which archives of one project are kept: a pure function over all stored archives, the policy and the
 * time. In doubt, an archive is kept. Nothing is dropped while the newest archive is damaged, or much smaller than one
 * that could be dropped. Repeated small exports then do not replace the good ones. An archive never replaces a better
 * one: the limits of each archive count only archives that are at least as good.
 */
import { dayMs } from '../../src-contract/bounds.ts';
import {
  compareStoredAt,
  compareConditions,
  compareQuality,
  type ArchiveQuality,
} from '../../src-contract/archives/archive-quality.ts';
import type { Counts } from '../../src-contract/archives/archive.ts';
import type { Retention, RetentionReason } from '../../src-contract/plans/plan.ts';
import { retentionPeriods, type RetentionPeriod } from '../../src-contract/plans/retention-periods.ts';
import { periodsOf } from './periods.ts';

/** The facts about an archive that decide whether it is kept. */
export interface RetentionCandidate extends ArchiveQuality {
  id: string;
  /** ISO 8601 UTC. */
  storedAt: string;
  sizeBytes: number;
  /** Its counts by name: records by relation, and the other numbers that are counted in archives. */
  counts: Counts;
  /** The known counts of its source under the same names: the smaller of before and after the export. */
  sourceCounts: Counts;
  /** The archive was read to its end, and not found damaged since. */
  readable: boolean;
  /** The archive was found damaged. */
  damaged: boolean;
  pinned: boolean;
  /** An open job needs it. */
  inUse: boolean;
  /** When it was adopted, or its project was determined later; ISO 8601 UTC. Null for archives that a backup stored. */
  adoptedOrIdentifiedAt: string | null;
}

export interface RetentionPolicy {
  retention: Retention;
  /** The time zone that defines the periods. */
  timeZone: string;
}

/** `archiveRoot`: the folder that a plan's archives go to; null is the one in the settings. */
type PlanPolicy = RetentionPolicy & { archiveRoot: string | null };

/** The policy of a plan for a project, with those of the other plans that back it up. */
export type PlanRetention = PlanPolicy & { others: readonly PlanPolicy[] };

export interface RetentionDecision {
  id: string;
  keep: boolean;
  reason: RetentionReason;
}

/** A number that fell since the source or an earlier archive: a count, or `size` in bytes. */
export interface Shrinkage {
  what: string;
  comparedWith: 'source' | 'earlier';
  before: number;
  now: number;
}

/**
 * Adopted archives are kept for at least this long. An archive is dated by its export, so every limit may already
 * exclude it when it is adopted. Within this time the user can see this in the preview, and every monthly plan runs
 * once.
 */
const takenInMs = 30 * dayMs;

/** Returns whether a policy ever drops anything. */
export function hasLimits(retention: Retention): boolean {
  return Object.values(retention).some((limit) => limit !== null);
}

/**
 * Returns a decision for each archive, newest first. The newest readable one and the best one are never dropped, and an
 * archive that any limit keeps is kept. For each archive, limits count only readable archives that are at least as
 * good, and only periods that contain such an archive. A damaged, incomplete or less proven archive therefore never
 * replaces a better one. A damaged archive is dropped once enough readable ones are newer. An adopted one is ordered by
 * the date of its export, and is kept for 30 days.
 */
export function decideRetention(
  archives: readonly RetentionCandidate[],
  policy: RetentionPolicy,
  now: number,
): RetentionDecision[] {
  const newestFirst = archives.toSorted((a, b) => compareStoredAt(b, a));
  const dated = newestFirst.filter((archive) => !isAhead(archive, now));
  const all = hasLimits(policy.retention) ? reasonToKeepAll(dated) : 'no-limit';
  const kept = all === null ? keptByLimits(dated, policy, now) : new Map<string, RetentionReason>();
  return newestFirst.map((archive): RetentionDecision => {
    const keep = (reason: RetentionReason): RetentionDecision => ({ id: archive.id, keep: true, reason });
    if (archive.pinned) return keep('pinned');
    if (archive.inUse) return keep('in-use');
    if (isAhead(archive, now)) return keep('dated-ahead');
    const reason = all ?? kept.get(archive.id);
    if (reason !== undefined) return keep(reason);
    return isNewlyTakenIn(archive, now)
      ? keep('taken-in')
      : { id: archive.id, keep: false, reason: 'beyond-limits' };
  });
}

/**
 * Like `retain`, but never drops an archive outside the plan's own folder, or one that another plan for the same
 * project and folder keeps. Another plan may keep all.
 * @param folderOf returns the absolute path of an archive folder; null if it is not known, and then no archive is in
 * it.
 */
export function decidePlanRetention(
  archives: readonly (RetentionCandidate & { root: string })[],
  plan: PlanRetention,
  folderOf: (archiveRoot: string | null) => string | null,
  now: number,
): RetentionDecision[] {
  const folder = folderOf(plan.archiveRoot);
  const own = archives.filter(({ root }) => root === folder);
  const decided = new Map(decideRetention(own, plan, now).map((decision) => [decision.id, decision]));
  const keptByOthers = new Set(
    plan.others
      .filter(({ archiveRoot }) => folderOf(archiveRoot) === folder)
      .flatMap((other) => decideRetention(own, other, now).flatMap(({ id, keep }) => (keep ? [id] : []))),
  );
  return archives
    .toSorted((a, b) => compareStoredAt(b, a))
    .map(({ id }): RetentionDecision => {
      const decision = decided.get(id) ?? { id, keep: true, reason: 'elsewhere' };
      return decision.keep || !keptByOthers.has(id) ? decision : { id, keep: true, reason: 'other-plan' };
    });
}

/** An archive with its hour, day, week and so on; without them if no limit needs them. */
interface Placed {
  archive: RetentionCandidate;
  in: Record<RetentionPeriod, string> | null;
}

/** Returns why each archive that a limit keeps is kept, by id. */
function keptByLimits(
  newestFirst: readonly RetentionCandidate[],
  policy: RetentionPolicy,
  now: number,
): Map<string, RetentionReason> {
  const hasPeriods = retentionPeriods.some((period) => policy.retention[period] !== null);
  const placed = newestFirst.map((archive): Placed => {
    return { archive, in: hasPeriods ? periodsOf(Date.parse(archive.storedAt), policy.timeZone) : null };
  });
  const kept = keptAmong(placed, policy, now);
  const readable = placed.filter(({ archive }) => archive.readable);
  for (const [reason, compare] of [
    ['more-complete', compareConditions],
    ['more-proven', compareQuality],
  ] as const) {
    for (const equals of groupsOf(readable, compare)) {
      const [{ archive: first }] = equals;
      const atLeastAsGood = readable.filter(({ archive }) => compare(archive, first) <= 0);
      if (atLeastAsGood.length === readable.length) continue;
      const keptAmongThem = keptAmong(atLeastAsGood, policy, now);
      for (const { archive } of equals) {
        if (keptAmongThem.has(archive.id) && !kept.has(archive.id)) kept.set(archive.id, reason);
      }
    }
  }
  return kept;
}

/** Groups archives that are equally good. */
function groupsOf(
  archives: readonly Placed[],
  compare: (a: ArchiveQuality, b: ArchiveQuality) => number,
): [Placed, ...Placed[]][] {
  const groups: [Placed, ...Placed[]][] = [];
  for (const one of archives) {
    const group = groups.find(([{ archive }]) => compare(archive, one.archive) === 0);
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups;
}

/** Returns the first limit that keeps each archive, by id, among equally good ones. Others are absent. */
function keptAmong(
  placed: readonly Placed[],
  { retention }: RetentionPolicy,
  now: number,
): Map<string, RetentionReason> {
  const newestFirst = placed.map(({ archive }) => archive);
  const kept = new Map<string, RetentionReason>();
  const keep = ({ id }: RetentionCandidate, reason: RetentionReason): void => {
    if (!kept.has(id)) kept.set(id, reason);
  };
  const { keepLast, withinDays } = retention;
  if (keepLast !== null) {
    const last = newestFirst.filter(({ readable }) => readable)[keepLast - 1];
    for (const one of newestFirst) {
      if (last === undefined || compareStoredAt(one, last) >= 0) keep(one, 'among-newest');
    }
  }
  if (withinDays !== null) {
    const since = now - withinDays * dayMs;
    for (const one of newestFirst) if (Date.parse(one.storedAt) >= since) keep(one, 'recent');
  }
  for (const period of retentionPeriods) {
    for (const one of newestOfEach(placed, period, retention[period] ?? 0)) keep(one, period);
  }
  const newest = newestFirst.find(({ readable }) => readable);
  if (newest !== undefined) keep(newest, 'newest-readable');
  return kept;
}

/**
 * Returns the newest readable archive of each of the newest `count` periods that have one. If all archives of a period
 * are damaged, the newest of them is kept while the period is within the limit, and is not counted.
 */
function newestOfEach(
  newestFirst: readonly Placed[],
  period: RetentionPeriod,
  count: number,
): RetentionCandidate[] {
  const withReadable = new Set(
    newestFirst.filter(({ archive }) => archive.readable).map((one) => one.in?.[period]),
  );
  const seen = new Set<string>();
  const found: RetentionCandidate[] = [];
  let counted = 0;
  for (const { archive, in: places } of newestFirst) {
    if (counted >= count || places === null) break;
    const place = places[period];
    if (seen.has(place) || (!archive.readable && withReadable.has(place))) continue;
    seen.add(place);
    found.push(archive);
    if (archive.readable) counted += 1;
  }
  return found;
}

/**
 * Returns the first number of the newest archive that fell by more than half; null if none did. A number is compared
 * with the highest of the earlier archives. If an earlier archive has more, the number is also compared with the count
 * of its source. Ignores archives that are dated after `now`, and pinned ones, which are never dropped: pinning the
 * largest archives means accepting that the project has become smaller.
 */
export function shrinkage(archives: readonly RetentionCandidate[], now: number): Shrinkage | null {
  const [newest, ...older] = archives
    .filter((archive) => !isAhead(archive, now))
    .toSorted((a, b) => compareStoredAt(b, a));
  return newest === undefined ? null : shrunk(newest, older);
}

function reasonToKeepAll(newestFirst: readonly RetentionCandidate[]): RetentionReason | null {
  const [newest, ...older] = newestFirst;
  if (newest?.damaged === true) return 'newest-damaged';
  if (newest?.readable !== true) return 'newest-not-readable';
  return shrunk(newest, older) === null ? null : 'newest-shrank';
}

function shrunk(newest: RetentionCandidate, older: readonly RetentionCandidate[]): Shrinkage | null {
  const compared = older.filter(({ readable, pinned }) => readable && !pinned);
  const names = new Set(compared.flatMap(({ counts }) => Object.keys(counts)));
  const counts = [...names].flatMap((what): Shrinkage[] => {
    const now = newest.counts[what] ?? 0;
    const before = most(compared.map((one) => one.counts[what] ?? 0));
    const source = newest.sourceCounts[what] ?? 0;
    // If no earlier one has more, keeping them all would bring nothing back.
    const lacks: Shrinkage[] = before > now ? [{ what, comparedWith: 'source', before: source, now }] : [];
    return [{ what, comparedWith: 'earlier', before, now }, ...lacks];
  });
  const size: Shrinkage = {
    what: 'size',
    comparedWith: 'earlier',
    before: most(compared.map(({ sizeBytes }) => sizeBytes)),
    now: newest.sizeBytes,
  };
  return [...counts, size].find((one) => one.now * 2 < one.before) ?? null;
}

const most = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0);

function isAhead(archive: RetentionCandidate, now: number): boolean {
  return Date.parse(archive.storedAt) > now;
}

/** Includes an archive with a time in the future: a clock was wrong, and nothing says by how much. */
function isNewlyTakenIn({ adoptedOrIdentifiedAt }: RetentionCandidate, now: number): boolean {
  return adoptedOrIdentifiedAt !== null && Date.parse(adoptedOrIdentifiedAt) > now - takenInMs;
}
