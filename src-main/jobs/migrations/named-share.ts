/** @file Of many missing records, which are kept by name, and what is kept of the others. Pure. */
import type { MissingRecord, Reconciliation } from '../../../src-contract/import.ts';

/** How many missing records are kept by name. */
const maxNamed = 1000;

/**
 * Each relation keeps its share of names on either side, so that many losses of one do not hide those of another. Of the others it is
 * kept how many they are, and every line that a retry sends.
 */
export function cutToNamed(missing: readonly MissingRecord[]): Pick<Reconciliation, 'missing' | 'unnamed'> {
  const groups = [...Map.groupBy(missing, ({ relation, lost }) => `${lost} ${relation}`).values()];
  const named = new Set<MissingRecord>();
  const unnamed: NonNullable<Reconciliation['unnamed']> = [];
  let room = maxNamed;
  // What a small one leaves over goes to the larger ones.
  for (const [at, group] of groups.toSorted((one, other) => one.length - other.length).entries()) {
    const share = Math.min(group.length, Math.floor(room / (groups.length - at)));
    room -= share;
    for (const record of group.slice(0, share)) named.add(record);
    const others = group.slice(share);
    const [first] = others;
    if (first === undefined) continue;
    const { relation, lost } = first;
    unnamed.push({ relation, lost, count: others.length, lines: linesOf(others) });
  }
  return {
    missing: missing.filter((record) => named.has(record)),
    ...(unnamed.length === 0 ? {} : { unnamed }),
  };
}

/** A part of a record does not go alone, and what an export lost has no line to be sent from. */
const linesOf = (records: readonly MissingRecord[]): number[] =>
  records.flatMap(({ lost, line, part }) =>
    lost === 'on-import' && part === null && line !== null ? [line] : [],
  );
