/**
 * @file Which archives of one project are kept: a pure function over all that are held, the policy and the time. In doubt it
 * keeps: while the newest archive is damaged, or holds far less than any that could be dropped, it drops nothing at all, so
 * that a project whose exports came out small again and again does not lose the good ones to them. An archive never takes the
 * place of a better one: limits count, for each archive, only those that are at least as good.
 */
import { dayMs } from '../../src-contract/bounds.ts';
import {
  compareAge,
  compareContents,
  compareQuality,
  type ArchiveQuality,
} from '../../src-contract/archive-quality.ts';
import type { Counts } from '../../src-contract/archive.ts';
import type { Retention, RetentionReason } from '../../src-contract/plans/plan.ts';
import { retentionPeriods, type RetentionPeriod } from '../../src-contract/plans/retention-periods.ts';
import { periodsOf } from './periods.ts';

/** An archive as far as keeping it is concerned. */
export interface HeldArchive extends ArchiveQuality {
  id: string;
  /** ISO 8601 UTC. */
  storedAt: string;
  sizeBytes: number;
  /** What it holds by name: records by relation, and what else is counted in archives. */
  counts: Counts;
  /** What its source counted under the same names, as far as it did: the least of before and after the export. */
  sourceCounts: Counts;
  /** Read to its end, and not found damaged since. */
  readable: boolean;
  /** Found damaged. */
  damaged: boolean;
  pinned: boolean;
  /** A job that has not ended needs it. */
  inUse: boolean;
  /** When it was adopted, or its project settled since; ISO 8601 UTC. Null for what a backup stored. */
  takenInAt: string | null;
}

export interface RetentionPolicy {
  retention: Retention;
  /** The time zone in which periods begin. */
  timeZone: string;
}

/** `archiveRoot`: the folder that a plan's archives go to; null is the one of the settings. */
type PlanPolicy = RetentionPolicy & { archiveRoot: string | null };

/** What a plan keeps of a project, with the other plans that back that project up. */
export type PlanRetention = PlanPolicy & { others: readonly PlanPolicy[] };

export interface RetentionDecision {
  id: string;
  keep: boolean;
  reason: RetentionReason;
}

/** What the newest archive has less of: something counted, or `size` in bytes; than its source, or than an earlier archive. */
export interface Shrinkage {
  what: string;
  than: 'source' | 'earlier';
  before: number;
  now: number;
}

/**
 * So long nothing that was adopted goes. It is dated by its export, so it may be beyond every limit the moment it comes in; a
 * person sees that in the preview first, and monthly plans come round once meanwhile.
 */
const takenInMs = 30 * dayMs;

/** Whether a policy drops anything ever. */
export function isLimited(retention: Retention): boolean {
  return Object.values(retention).some((limit) => limit !== null);
}

/**
 * A decision for each archive, newest first. The newest readable one and the best one are never dropped, and what any one limit
 * keeps is kept. Limits count readable archives that are at least as good as the one in question, and periods that have one: a
 * damaged, incomplete or less proven archive does not take the place of a better one. A damaged one goes once enough readable
 * ones are newer. An adopted one takes its place by the date of its export, and stays for 30 days.
 */
export function retain(
  archives: readonly HeldArchive[],
  policy: RetentionPolicy,
  now: number,
): RetentionDecision[] {
  const newestFirst = archives.toSorted((one, other) => compareAge(other, one));
  const dated = newestFirst.filter((archive) => !isAhead(archive, now));
  const all = isLimited(policy.retention) ? reasonToKeepAll(dated) : 'no-limit';
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
 * As `retain`, for a plan among others: of what stands in another folder than its own it drops nothing, and nothing that another
 * plan for the same project and folder keeps, one that keeps all included.
 * @param folderOf absolute path of an archive folder; null where it is not known, and then it is no archive's.
 */
export function retainForPlan(
  archives: readonly (HeldArchive & { root: string })[],
  plan: PlanRetention,
  folderOf: (archiveRoot: string | null) => string | null,
  now: number,
): RetentionDecision[] {
  const folder = folderOf(plan.archiveRoot);
  const own = archives.filter(({ root }) => root === folder);
  const decided = new Map(retain(own, plan, now).map((decision) => [decision.id, decision]));
  const keptByOthers = new Set(
    plan.others
      .filter(({ archiveRoot }) => folderOf(archiveRoot) === folder)
      .flatMap((other) => retain(own, other, now).flatMap(({ id, keep }) => (keep ? [id] : []))),
  );
  return archives
    .toSorted((one, other) => compareAge(other, one))
    .map(({ id }): RetentionDecision => {
      const decision = decided.get(id) ?? { id, keep: true, reason: 'elsewhere' };
      return decision.keep || !keptByOthers.has(id) ? decision : { id, keep: true, reason: 'other-plan' };
    });
}

/** An archive with its hour, day, week and so on; without them where no limit needs them. */
interface Placed {
  archive: HeldArchive;
  in: Record<RetentionPeriod, string> | null;
}

/** Why each archive that a limit keeps is kept, by id. */
function keptByLimits(
  newestFirst: readonly HeldArchive[],
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
    ['more-complete', compareContents],
    ['more-proven', compareQuality],
  ] as const) {
    for (const alike of groupsOf(readable, compare)) {
      const [{ archive: first }] = alike;
      const asGood = readable.filter(({ archive }) => compare(archive, first) <= 0);
      if (asGood.length === readable.length) continue;
      const keptThere = keptAmong(asGood, policy, now);
      for (const { archive } of alike) {
        if (keptThere.has(archive.id) && !kept.has(archive.id)) kept.set(archive.id, reason);
      }
    }
  }
  return kept;
}

/** The archives put together that are equally good. */
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

/** The first limit that keeps each archive that one keeps, by id, where all of these are equally good. */
function keptAmong(
  placed: readonly Placed[],
  { retention }: RetentionPolicy,
  now: number,
): Map<string, RetentionReason> {
  const newestFirst = placed.map(({ archive }) => archive);
  const kept = new Map<string, RetentionReason>();
  const keep = ({ id }: HeldArchive, reason: RetentionReason): void => {
    if (!kept.has(id)) kept.set(id, reason);
  };
  const { keepLast, withinDays } = retention;
  if (keepLast !== null) {
    const last = newestFirst.filter(({ readable }) => readable)[keepLast - 1];
    for (const one of newestFirst) {
      if (last === undefined || compareAge(one, last) >= 0) keep(one, 'among-newest');
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
 * The newest readable archive of each of the newest `count` periods that have one. Where all of a period are damaged the
 * newest of them stays as long as the period's turn has not passed, and is not counted.
 */
function newestOfEach(newestFirst: readonly Placed[], period: RetentionPeriod, count: number): HeldArchive[] {
  const withReadable = new Set(
    newestFirst.filter(({ archive }) => archive.readable).map((one) => one.in?.[period]),
  );
  const seen = new Set<string>();
  const found: HeldArchive[] = [];
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
 * The first thing of which the newest archive has less than half of what the fullest readable one before it has, or of what
 * its own source counted while an earlier one has more; null when there is none. Archives that are dated ahead of `now` are
 * passed over, and so are pinned ones, which nothing drops: who pins the fullest archives accepts that the project has become
 * smaller.
 */
export function shrinkage(archives: readonly HeldArchive[], now: number): Shrinkage | null {
  const [newest, ...older] = archives
    .filter((archive) => !isAhead(archive, now))
    .toSorted((one, other) => compareAge(other, one));
  return newest === undefined ? null : shrunk(newest, older);
}

function reasonToKeepAll(newestFirst: readonly HeldArchive[]): RetentionReason | null {
  const [newest, ...older] = newestFirst;
  if (newest?.damaged === true) return 'newest-damaged';
  if (newest?.readable !== true) return 'newest-not-readable';
  return shrunk(newest, older) === null ? null : 'newest-shrank';
}

function shrunk(newest: HeldArchive, older: readonly HeldArchive[]): Shrinkage | null {
  const compared = older.filter(({ readable, pinned }) => readable && !pinned);
  const names = new Set(compared.flatMap(({ counts }) => Object.keys(counts)));
  const counts = [...names].flatMap((what): Shrinkage[] => {
    const now = newest.counts[what] ?? 0;
    const before = most(compared.map((one) => one.counts[what] ?? 0));
    const source = newest.sourceCounts[what] ?? 0;
    // Where no earlier one has more, keeping them all would bring nothing back.
    const lacks: Shrinkage[] = before > now ? [{ what, than: 'source', before: source, now }] : [];
    return [{ what, than: 'earlier', before, now }, ...lacks];
  });
  const size: Shrinkage = {
    what: 'size',
    than: 'earlier',
    before: most(compared.map(({ sizeBytes }) => sizeBytes)),
    now: newest.sizeBytes,
  };
  return [...counts, size].find((one) => one.now * 2 < one.before) ?? null;
}

const most = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.max(one, other), 0);

function isAhead(archive: HeldArchive, now: number): boolean {
  return Date.parse(archive.storedAt) > now;
}

/** Also one whose time is still to come: a clock was wrong, and nothing says for how long. */
function isNewlyTakenIn({ takenInAt }: HeldArchive, now: number): boolean {
  return takenInAt !== null && Date.parse(takenInAt) > now - takenInMs;
}
