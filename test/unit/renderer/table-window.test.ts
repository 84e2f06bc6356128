import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowOfSlot, computeRowWindow } from '../../../src-renderer/kit/table/row-window.ts';

const anyTable = fc.record({
  scrollTop: fc.nat(2_000_000),
  height: fc.integer({ min: 20, max: 1500 }),
  total: fc.nat(60_000),
});

test('the visible rows are always among the rows in the document, and the document has at most 100', () => {
  fc.assert(
    fc.property(anyTable, ({ scrollTop, height, total }) => {
      const top = Math.min(scrollTop, Math.max(0, total * 34 - height));
      const rows = computeRowWindow(top, height, 34, total);
      expect(rows.slotCount).toBeLessThanOrEqual(100);
      const first = Math.floor(top / 34);
      const last = Math.min(total, Math.ceil((top + height) / 34));
      expect(rows.first).toBeLessThanOrEqual(first);
      expect(rows.first + rows.slotCount).toBeGreaterThanOrEqual(last);
    }),
  );
});

test('each slot shows one row of the window, and each row is shown once', () => {
  fc.assert(
    fc.property(anyTable, ({ scrollTop, height, total }) => {
      const rows = computeRowWindow(scrollTop, height, 34, total);
      const shown = Array.from({ length: rows.slotCount }, (_, slot) => rowOfSlot(slot, rows)).sort(
        (a, b) => a - b,
      );
      expect(shown).toEqual(Array.from({ length: rows.slotCount }, (_, at) => rows.first + at));
    }),
  );
});

test('scrolling by one row changes one slot', () => {
  const before = computeRowWindow(34 * 500, 400, 34, 50_000);
  const after = computeRowWindow(34 * 501, 400, 34, 50_000);
  const changed = Array.from({ length: before.slotCount }, (_, slot) => slot).filter(
    (slot) => rowOfSlot(slot, before) !== rowOfSlot(slot, after),
  );
  expect(changed).toHaveLength(1);
});
