import { expect, test } from 'vitest';
import { newId } from '../../../src-main/platform/ids.ts';

test('ids increase, even if the clock is set back, and even after an id of another process', () => {
  const first = newId(1_000);
  const second = newId(500);
  expect(second > first).toBe(true);
  const others = '2000000000000007';
  const third = newId(1_000, others);
  expect(third > others).toBe(true);
  expect(third).toHaveLength(16);
  expect(newId(1_000, first) > third).toBe(true);
  expect(newId(1_000, 'no id') > third).toBe(true);
});
