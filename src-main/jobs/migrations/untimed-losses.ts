/**
 * @file Which of the things that tell no time an export lost, such as labels and branches: whether one came to the source later only
 * numbers can tell. Pure.
 */

/** What tells of one when it came: ids grow with every record of an instance; null where there are none. */
export interface Untimed {
  id: number | null;
}

/** Numbers of a list as it was counted before the export was asked for and after it had ended; null: it was not counted. */
export interface CountedAround {
  before: number | null;
  after: number | null;
}

/** What a source lists now and its archive does not hold, and how much else is known. */
export interface Candidates<T extends Untimed> {
  /** Listed now, not in the archive, and telling no time. */
  candidates: readonly T[];
  /** All that is listed now. */
  listed: number;
  /** In the archive, and not listed any more. */
  vanished: number;
  counted: CountedAround;
}

export interface Judged<T> {
  /** How many of the candidates were lost on export for sure. */
  lost: number;
  /** Those of which that is known by name; none where they cannot be told from those that came later. */
  named: T[];
}

/**
 * At least as many came later as the list has grown by, and as have gone from it since: only what is left of the candidates was lost,
 * the oldest of them. Where the list was not counted, nothing is known to be lost.
 */
export function lostOf<T extends Untimed>({
  candidates,
  listed,
  vanished,
  counted: { before, after },
}: Candidates<T>): Judged<T> {
  if (before === null || after === null) return { lost: 0, named: [] };
  const gone = Math.max(0, before - after, vanished);
  const added = Math.max(0, listed - before + gone);
  const lost = Math.max(0, candidates.length - added);
  if (added === 0) return { lost, named: [...candidates] };
  if (candidates.some(({ id }) => id === null)) return { lost, named: [] };
  return { lost, named: candidates.toSorted((one, other) => (one.id ?? 0) - (other.id ?? 0)).slice(0, lost) };
}

/** Of a relation, how many candidates there were, were lost for sure, and were named. */
export interface Doubt {
  relation: string;
  candidates: number;
  lost: number;
  named: number;
}

/** In sentences, what of the candidates is not held to be lost, or not named. */
export function aboutDoubts(doubts: readonly Doubt[]): string[] {
  const newer = doubts.filter(({ candidates, lost }) => candidates > lost);
  const unnamed = doubts.filter(({ lost, named }) => lost > named);
  const each = (of: readonly Doubt[], words: (doubt: Doubt) => string): string => of.map(words).join(', ');
  return [
    ...(newer.length === 0
      ? []
      : [
          `The source lists what the archive does not hold and what may be newer than the export, as no list tells its time: ${each(newer, ({ relation, candidates, lost }) => `${relation} (${candidates - lost})`)}.`,
        ]),
    ...(unnamed.length === 0
      ? []
      : [
          `By their number some were lost on export, but which ones cannot be told from those that are newer: ${each(unnamed, ({ relation, lost, named }) => `${relation} (${lost - named})`)}.`,
        ]),
  ];
}
