/** @file Decides from counts which records without a time, such as labels, an export lost. Pure. */

/**
 * Ids grow with every record of an instance, so they show the order of creation. An id is null if no list reports it.
 */
export interface UntimedRecord {
  id: number | null;
}

/** Counts of a list before the export was requested and after it ended; null if not counted. */
export interface CountsAroundExport {
  before: number | null;
  after: number | null;
}

/**
 * Records that a source lists now and its archive lacks, with the other facts needed to decide whether they were lost.
 */
export interface LossCandidates<T extends UntimedRecord> {
  candidates: readonly T[];
  listedCount: number;
  removedCount: number;
  listCounts: CountsAroundExport;
  /** The highest id before the export; null if it is not known. */
  newestId: number | null;
}

export interface CertainLosses<T> {
  lostCount: number;
  /** The lost records by name; empty if they cannot be distinguished from later ones. */
  named: T[];
}

/**
 * If the highest id before the export is known, candidates with higher ids are newer. For each archived record that the
 * source lacks, another candidate may be renamed. The rest was lost. Without this id, the growth of the list plus the
 * number of removed records is the number of new records, and the other candidates, which are the oldest, were lost.
 * Without counts, no loss is certain.
 */
export function findCertainLosses<T extends UntimedRecord>({
  candidates,
  listedCount,
  removedCount,
  listCounts: { before, after },
  newestId,
}: LossCandidates<T>): CertainLosses<T> {
  if (newestId !== null && candidates.every(({ id }) => id !== null)) {
    const old = candidates.filter(({ id }) => (id ?? 0) <= newestId);
    return { lostCount: Math.max(0, old.length - removedCount), named: removedCount === 0 ? old : [] };
  }
  if (before === null || after === null) return { lostCount: 0, named: [] };
  const removed = Math.max(0, before - after, removedCount);
  const added = Math.max(0, listedCount - before + removed);
  const lostCount = Math.max(0, candidates.length - added);
  if (added === 0) return { lostCount, named: [...candidates] };
  if (candidates.some(({ id }) => id === null)) return { lostCount, named: [] };
  return { lostCount, named: candidates.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0)).slice(0, lostCount) };
}

/** The numbers of candidates, of certain losses, and of named losses of one relation. */
export interface UncertainLosses {
  relation: string;
  candidateCount: number;
  lostCount: number;
  namedCount: number;
}

/** Returns sentences about candidates that do not count as lost, or are not named. */
export function describeUncertainLosses(losses: readonly UncertainLosses[]): string[] {
  const newer = losses.filter(({ candidateCount, lostCount: lost }) => candidateCount > lost);
  const unnamed = losses.filter(({ lostCount: lost, namedCount }) => lost > namedCount);
  const list = (rows: readonly UncertainLosses[], describe: (doubt: UncertainLosses) => string): string =>
    rows.map(describe).join(', ');
  return [
    ...(newer.length === 0
      ? []
      : [
          `The source lists these records, and the archive lacks them. They may be newer than the export, because no list shows their time: ${list(newer, ({ relation, candidateCount, lostCount: lost }) => `${relation} (${candidateCount - lost})`)}.`,
        ]),
    ...(unnamed.length === 0
      ? []
      : [
          `The counts show that the export lost some of these records, but lost records cannot be distinguished from newer ones: ${list(unnamed, ({ relation, lostCount: lost, namedCount }) => `${relation} (${lost - namedCount})`)}.`,
        ]),
  ];
}
