/** @file Computes which rows of a long list are in the document, and which reused element (slot) shows each row. */

export interface RowWindow {
  first: number;
  slotCount: number;
}

/** Extra rows above and below the visible ones, so that fast scrolling shows no gap. */
const overscanRows = 4;

export function computeRowWindow(
  scrollTop: number,
  height: number,
  rowHeight: number,
  total: number,
): RowWindow {
  const visibleRows = Math.ceil(height / rowHeight) + 1;
  const slots = Math.min(total, visibleRows + 2 * overscanRows);
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - overscanRows, total - slots));
  return { first, slotCount: slots };
}

/** The row that `slot` shows. Scrolling by one row changes one slot only. */
export function rowOfSlot(slot: number, { first, slotCount }: RowWindow): number {
  const offset = (slot - first) % slotCount;
  return first + (offset < 0 ? offset + slotCount : offset);
}
