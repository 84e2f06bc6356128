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
  /**
   * True for a readable archive. Also true for one that is not proven to be readable, if its file has the size that the
   * catalogue knows, and it is not known as unusable. Limits protect such an archive, and never count it.
   */
  mayBeReadable: boolean;
  /** The archive was found damaged. */
  damaged: boolean;
  pinned: boolean;
  /** An open job needs it. */
  inUse: boolean;
  /**
   * When it was adopted, stored as an export that was found on the instance, or its project was determined later; ISO
   * 8601 UTC. Null for other archives.
   */
  takenInAt: string | null;
}

export interface RetentionPolicy {
  retention: Retention;
  /** The time zone that defines the periods. */
  timeZone: string;
}

/** `archiveRoot`: the folder that a plan's archives go to; null is the one in the settings. */
type PlanPolicy = RetentionPolicy & { archiveRoot: string | null };

/** The policy of a plan for a project, with those of the other plans that back it up. */
export type PlanRetention = PlanPolicy & { otherPlans: readonly PlanPolicy[] };

export interface RetentionDecision {
  id: string;
  keep: boolean;
  reason: RetentionReason;
}

/** A number that is lower than in the source or an earlier archive: a count, or `size` in bytes. */
export interface Shrinkage {
  countName: string;
  comparedWith: 'source' | 'earlier';
  comparedValue: number;
  newestValue: number;
}

/**
 * Archives that are adopted, or found on an instance, are kept for at least this long. Such an archive is dated by its
 * export, so every limit may already exclude it when it is stored. Within this time the user can see this in the preview, and every monthly plan runs
 * once.
 */
const newlyAdoptedMs = 30 * dayMs;

/** Returns whether a policy ever drops anything. */
export function hasLimits(retention: Retention): boolean {
  return Object.values(retention).some((limit) => limit !== null);
}

/**
 * Returns a decision for each archive, newest first. The newest readable one and the best one are never dropped, and an
 * archive that any limit keeps is kept. For each archive that may be readable, limits count only readable archives that are
 * at least as good, and only periods that contain such an archive. A damaged, incomplete or less proven archive therefore never
 * replaces a better one. A damaged archive is dropped once enough readable ones are newer. An adopted one is ordered by
 * the date of its export, and is kept for 30 days.
 */
export function decideRetention(
  archives: readonly RetentionCandidate[],
  policy: RetentionPolicy,
  now: number,
): RetentionDecision[] {
  const newestFirst = archives.toSorted((a, b) => compareStoredAt(b, a));
  const notInFuture = newestFirst.filter((archive) => !isInFuture(archive, now));
  const reasonForAll = hasLimits(policy.retention) ? reasonToKeepAll(notInFuture) : 'no-limit';
  const reasonById =
    reasonForAll === null ? limitReasons(notInFuture, policy, now) : new Map<string, RetentionReason>();
  return newestFirst.map((archive): RetentionDecision => {
    const keep = (reason: RetentionReason): RetentionDecision => ({ id: archive.id, keep: true, reason });
    if (archive.pinned) return keep('pinned');
    if (archive.inUse) return keep('in-use');
    if (isInFuture(archive, now)) return keep('dated-ahead');
    const reason = reasonForAll ?? reasonById.get(archive.id);
    if (reason !== undefined) return keep(reason);
    return isNewlyAdopted(archive, now)
      ? keep('taken-in')
      : { id: archive.id, keep: false, reason: 'beyond-limits' };
  });
}

/**
 * Like `decideRetention`, but never drops an archive outside the plan's own folder, or one that another plan for the
 * same project and folder keeps. Another plan may keep all.
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
  const ownArchives = archives.filter(({ root }) => root === folder);
  const decisionById = new Map(
    decideRetention(ownArchives, plan, now).map((decision) => [decision.id, decision]),
  );
  const keptByOthers = new Set(
    plan.otherPlans
      .filter(({ archiveRoot }) => folderOf(archiveRoot) === folder)
      .flatMap((other) =>
        decideRetention(ownArchives, other, now).flatMap(({ id, keep }) => (keep ? [id] : [])),
      ),
  );
  return archives
    .toSorted((a, b) => compareStoredAt(b, a))
    .map(({ id }): RetentionDecision => {
      const decision = decisionById.get(id) ?? { id, keep: true, reason: 'elsewhere' };
      return decision.keep || !keptByOthers.has(id) ? decision : { id, keep: true, reason: 'other-plan' };
    });
}

/** An archive with its hour, day, week and so on; without them if no limit needs them. */
interface ArchiveInPeriods {
  archive: RetentionCandidate;
  in: Record<RetentionPeriod, string> | null;
}

/** Returns, by id, the reason for each archive that a limit keeps. */
function limitReasons(
  newestFirst: readonly RetentionCandidate[],
  policy: RetentionPolicy,
  now: number,
): Map<string, RetentionReason> {
  const hasPeriods = retentionPeriods.some((period) => policy.retention[period] !== null);
  const withPeriods = newestFirst.map((archive): ArchiveInPeriods => {
    return { archive, in: hasPeriods ? periodsOf(Date.parse(archive.storedAt), policy.timeZone) : null };
  });
  const reasonById = keepReasons(withPeriods, policy, now);
  const mayBeReadable = withPeriods.filter(({ archive }) => archive.mayBeReadable);
  for (const [reason, compare] of [
    ['more-complete', compareConditions],
    ['more-proven', compareQuality],
  ] as const) {
    for (const group of groupsOf(mayBeReadable, compare)) {
      const [{ archive: first }] = group;
      const atLeastAsGood = mayBeReadable.filter(({ archive }) => compare(archive, first) <= 0);
      if (atLeastAsGood.length === mayBeReadable.length) continue;
      const reasonsAmongBetter = keepReasons(atLeastAsGood, policy, now);
      for (const { archive } of group) {
        if (reasonsAmongBetter.has(archive.id) && !reasonById.has(archive.id))
          reasonById.set(archive.id, reason);
      }
    }
  }
  return reasonById;
}

/** Groups archives that are equally good. */
function groupsOf(
  archives: readonly ArchiveInPeriods[],
  compare: (a: ArchiveQuality, b: ArchiveQuality) => number,
): [ArchiveInPeriods, ...ArchiveInPeriods[]][] {
  const groups: [ArchiveInPeriods, ...ArchiveInPeriods[]][] = [];
  for (const candidate of archives) {
    const group = groups.find(([{ archive }]) => compare(archive, candidate.archive) === 0);
    if (group === undefined) groups.push([candidate]);
    else group.push(candidate);
  }
  return groups;
}

/** Returns the first limit that keeps each archive, by id, among equally good ones. Others are absent. */
function keepReasons(
  withPeriods: readonly ArchiveInPeriods[],
  { retention }: RetentionPolicy,
  now: number,
): Map<string, RetentionReason> {
  const newestFirst = withPeriods.map(({ archive }) => archive);
  const reasonById = new Map<string, RetentionReason>();
  const keep = ({ id }: RetentionCandidate, reason: RetentionReason): void => {
    if (!reasonById.has(id)) reasonById.set(id, reason);
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
    for (const one of newestOfEach(withPeriods, period, retention[period] ?? 0)) keep(one, period);
  }
  const newest = newestFirst.find(({ readable }) => readable);
  if (newest !== undefined) keep(newest, 'newest-readable');
  return reasonById;
}

/**
 * Returns the newest readable archive of each of the newest `count` periods that have one. If all archives of a period
 * are damaged, the newest of them is kept while the period is within the limit, and is not counted.
 */
function newestOfEach(
  newestFirst: readonly ArchiveInPeriods[],
  period: RetentionPeriod,
  count: number,
): RetentionCandidate[] {
  const withReadable = new Set(
    newestFirst.filter(({ archive }) => archive.readable).map((one) => one.in?.[period]),
  );
  const seen = new Set<string>();
  const found: RetentionCandidate[] = [];
  let periodCount = 0;
  for (const { archive, in: periods } of newestFirst) {
    if (periodCount >= count || periods === null) break;
    const periodKey = periods[period];
    if (seen.has(periodKey) || (!archive.readable && withReadable.has(periodKey))) continue;
    seen.add(periodKey);
    found.push(archive);
    if (archive.readable) periodCount += 1;
  }
  return found;
}

/**
 * Returns the first number of the newest archive that fell by more than half; null if none did. A number is compared
 * with the highest of the earlier archives. If an earlier archive has more, the number is also compared with the count
 * of its source. Ignores archives that are dated after `now`, and pinned ones, which are never dropped: pinning the
 * largest archives means accepting that the project has become smaller.
 */
export function findShrinkage(archives: readonly RetentionCandidate[], now: number): Shrinkage | null {
  const [newest, ...older] = archives
    .filter((archive) => !isInFuture(archive, now))
    .toSorted((a, b) => compareStoredAt(b, a));
  return newest === undefined ? null : shrinkageOf(newest, older);
}

function reasonToKeepAll(newestFirst: readonly RetentionCandidate[]): RetentionReason | null {
  const [newest, ...older] = newestFirst;
  if (newest?.damaged === true) return 'newest-damaged';
  if (newest?.readable !== true) return 'newest-not-readable';
  return shrinkageOf(newest, older) === null ? null : 'newest-shrank';
}

function shrinkageOf(newest: RetentionCandidate, older: readonly RetentionCandidate[]): Shrinkage | null {
  const earlierArchives = older.filter(({ mayBeReadable, pinned }) => mayBeReadable && !pinned);
  const names = new Set(earlierArchives.flatMap(({ counts }) => Object.keys(counts)));
  const counts = [...names].flatMap((countName): Shrinkage[] => {
    const newestCount = newest.counts[countName] ?? 0;
    const earlierCount = maxOf(earlierArchives.map((one) => one.counts[countName] ?? 0));
    const sourceCount = newest.sourceCounts[countName] ?? 0;
    // If no earlier archive has more, keeping all of them would not restore anything.
    const sourceShrinkage: Shrinkage[] =
      earlierCount > newestCount
        ? [
            {
              countName,
              comparedWith: 'source',
              comparedValue: sourceCount,
              newestValue: newestCount,
            },
          ]
        : [];
    return [
      {
        countName,
        comparedWith: 'earlier',
        comparedValue: earlierCount,
        newestValue: newestCount,
      },
      ...sourceShrinkage,
    ];
  });
  const size: Shrinkage = {
    countName: 'size',
    comparedWith: 'earlier',
    comparedValue: maxOf(earlierArchives.map(({ sizeBytes }) => sizeBytes)),
    newestValue: newest.sizeBytes,
  };
  return [...counts, size].find((one) => one.newestValue * 2 < one.comparedValue) ?? null;
}

const maxOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0);

function isInFuture(archive: RetentionCandidate, now: number): boolean {
  return Date.parse(archive.storedAt) > now;
}

/** Includes an archive with a time in the future: a clock was wrong, and nothing says by how much. */
function isNewlyAdopted({ takenInAt }: RetentionCandidate, now: number): boolean {
  return takenInAt !== null && Date.parse(takenInAt) > now - newlyAdoptedMs;
}
