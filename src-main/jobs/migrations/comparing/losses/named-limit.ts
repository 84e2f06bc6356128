import type { MissingRecord, Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { lossGroupOf } from './loss-key.ts';

/** Maximum number of missing records stored by name. */
const maxNamed = 1000;

/**
 * Limits how many records are stored by name. Each relation gets a share for each side. For the other records, only
 * their number and lines are stored.
 */
export function limitNamedRecords(
  missing: readonly MissingRecord[],
): Pick<Reconciliation, 'missing' | 'unnamed'> {
  const groups = [...Map.groupBy(missing, lossGroupOf).values()];
  const named = new Set<MissingRecord>();
  const unnamed: NonNullable<Reconciliation['unnamed']> = [];
  let remaining = maxNamed;
  // The unused share of a small group goes to the larger ones.
  for (const [index, group] of groups.toSorted((a, b) => a.length - b.length).entries()) {
    const share = Math.min(group.length, Math.floor(remaining / (groups.length - index)));
    remaining -= share;
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

/**
 * Returns the lines that can be imported again. A part of a record is never sent alone, and an export loss has no line.
 */
const linesOf = (records: readonly MissingRecord[]): number[] =>
  records.flatMap(({ lost, line, part }) =>
    lost === 'on-import' && part === null && line !== null ? [line] : [],
  );
