/** @file Which rows of a long list stand in the document, and in which of the few rows that are used over and over. */

export interface RowWindow {
  /** First row that stands in the document. */
  first: number;
  /** How many rows stand there. */
  slots: number;
}

/** Rows above and below what is seen, so that a quick turn of the wheel shows no gap. */
const beyond = 4;

export function windowOf(scrollTop: number, height: number, rowHeight: number, total: number): RowWindow {
  const seen = Math.ceil(height / rowHeight) + 1;
  const slots = Math.min(total, seen + 2 * beyond);
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - beyond, total - slots));
  return { first, slots };
}

/** The row that `slot` shows: scrolling on by one row changes one slot only. */
export function rowOfSlot(slot: number, { first, slots }: RowWindow): number {
  const offset = (slot - first) % slots;
  return first + (offset < 0 ? offset + slots : offset);
}
