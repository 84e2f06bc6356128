import { expect, test } from 'vitest';
import {
  countMissingKeys,
  recordsByKey,
} from '../../../../../src-main/jobs/migrations/comparing/records-by-key.ts';

const keysOf = (...keys: (string | null)[]) => keys.map((key, line) => ({ key, line }));

test('groups records with the same key, and those without one', () => {
  const records = keysOf('a', 'b', null, 'a', null);
  expect([...recordsByKey(records)]).toEqual([...Map.groupBy(records, ({ key }) => key)]);
});

test('groups each list once', () => {
  const [records, equal] = [keysOf('a'), keysOf('a')];
  expect(recordsByKey(records)).toBe(recordsByKey(records));
  expect(recordsByKey(equal)).not.toBe(recordsByKey(records));
});

test('counts keys that only the first list has, without records that have none', () => {
  expect(countMissingKeys(keysOf('a', 'b', 'b', null, 'c'), keysOf('c', 'd'))).toBe(2);
  expect(countMissingKeys(keysOf('a', null), keysOf('a'))).toBe(0);
});
