/**
 * @file Finds the records of a list by key. Many rules of a comparison pair the same few lists, so each list is grouped
 * once, and its groups are kept as long as the list. Groups for each rule would be tens of megabytes of garbage. Pure.
 */
import { CompactGroups } from './compact-groups.ts';

interface Keyed {
  key: string | null;
}

const groupsByList = new WeakMap<readonly Keyed[], unknown>();

/**
 * Groups records by key. Two records may have the same key, and all without a key form one group. The list must not change
 * afterwards.
 */
export function recordsByKey<T extends Keyed>(records: readonly T[]): CompactGroups<string | null, T> {
  const known = groupsByList.get(records) as CompactGroups<string | null, T> | undefined;
  if (known !== undefined) return known;
  const groups = new CompactGroups(records, ({ key }) => key);
  groupsByList.set(records, groups);
  return groups;
}

/** Returns the number of keys of the first list that the other one lacks. */
export function countMissingKeys(records: readonly Keyed[], others: readonly Keyed[]): number {
  const otherKeys = recordsByKey(others);
  let count = 0;
  for (const key of recordsByKey(records).keys()) if (key !== null && !otherKeys.has(key)) count += 1;
  return count;
}
