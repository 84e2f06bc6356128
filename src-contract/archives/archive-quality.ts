/**
 * @file The quality of an archive: the condition of its contents first, then its proof, then its age. Retention, plans
 * that skip unchanged projects, the backup status of projects and every host use this one order. Pure.
 */

/**
 * The condition of an archive's contents, best first. `complete`: read to its end, nothing odd, and nothing is known to
 * be missing; `suspicious`: contains something that no export should contain; `incomplete`: the source had records that
 * the archive lacks; `damaged`: changed or missing since it was stored; `unusable`: truncated, or no export.
 */
export const archiveConditions = ['complete', 'suspicious', 'incomplete', 'damaged', 'unusable'] as const;
export type ArchiveCondition = (typeof archiveConditions)[number];

/** The code of the finding on an archive that lacks what its source had. */
export const incompleteCode = 'export-incomplete';

export const lacksRecords = (findings: readonly { code: string }[]): boolean =>
  findings.some(({ code }) => code === incompleteCode);

export function conditionOf(archive: {
  verdict: 'sound' | 'suspicious' | 'unusable';
  /** True if the archive lacks something that its source had. */
  incomplete: boolean;
  damaged: boolean;
}): ArchiveCondition {
  if (archive.damaged) return 'damaged';
  if (archive.verdict === 'unusable') return 'unusable';
  if (archive.incomplete) return 'incomplete';
  return archive.verdict === 'suspicious' ? 'suspicious' : 'complete';
}

/** Returns whether the archive can be read to its end, complete or not. */
export const canBeRead = (condition: ArchiveCondition): boolean =>
  condition === 'complete' || condition === 'suspicious' || condition === 'incomplete';

/** The levels of proofs. Written here, as `archive.ts` imports this file. */
type Level = 'L1' | 'L2' | 'L3';

/** The quality of an archive without its age. */
export interface ArchiveQuality {
  condition: ArchiveCondition;
  /** The strongest proof of it; null if there is none. */
  level: Level | null;
  /** True if the archive folder does not exist at the moment. Such an archive is worse than any available one. */
  absent?: boolean;
}

/** Returns less than zero if `a` has the better contents, and zero if the contents are equally good. */
export const compareConditions = (a: ArchiveQuality, b: ArchiveQuality): number =>
  conditionRankOf(a) - conditionRankOf(b);

const conditionRankOf = ({ absent, condition }: ArchiveQuality): number =>
  absent === true ? archiveConditions.length : archiveConditions.indexOf(condition);

/** Returns less than zero if `a` has better contents, or equally good contents and a stronger proof. */
export const compareQuality = (a: ArchiveQuality, b: ArchiveQuality): number =>
  compareConditions(a, b) || proofRankOf(b) - proofRankOf(a);

/** Orders archives of one project best first: by contents, proof, then age, newer first. Ids decide the rest. */
export function compareArchives(
  a: ArchiveQuality & { storedAt: string; id: string },
  b: ArchiveQuality & { storedAt: string; id: string },
): number {
  return compareQuality(a, b) || compareStoredAt(b, a);
}

/** Returns less than zero if `a` is older; the ids decide if both were stored in the same millisecond. */
export function compareStoredAt(
  a: { storedAt: string; id: string },
  b: { storedAt: string; id: string },
): number {
  const differenceMs = Date.parse(a.storedAt) - Date.parse(b.storedAt);
  return differenceMs !== 0 ? differenceMs : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

const proofRanks: Record<Level, number> = { L1: 1, L2: 2, L3: 3 };
const proofRankOf = ({ level }: ArchiveQuality): number => (level === null ? 0 : proofRanks[level]);
