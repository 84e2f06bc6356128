/** @file A short list that is there as a whole, as a source of rows for a VirtualTable. */
import type { RowSource } from './page-cache.svelte.ts';

/** `rows` may be reactive; null: not there yet. Order and filter are the caller's. */
export function rowsOf<Row>(rows: () => readonly Row[] | null): RowSource<Row> {
  return {
    get total() {
      return rows()?.length ?? null;
    },
    rowAt: (index) => rows()?.[index] ?? null,
    ensure: () => undefined,
    rowsBetween: (from, to) => Promise.resolve((rows() ?? []).slice(from, to)),
  };
}
