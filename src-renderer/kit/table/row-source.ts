/** @file Where a VirtualTable has its rows from; and a short list that is there as a whole as such a source. */

/** What a VirtualTable needs of a list. */
export interface RowSource<Row> {
  /** Null while nothing is known. */
  readonly total: number | null;
  /** Null: not there yet. */
  rowAt(index: number): Row | null;
  /** These rows, `to` not among them, are about to be seen. */
  ensure(from: number, to: number): void;
  /** These rows, also where they are not held. */
  rowsBetween(from: number, to: number): Promise<Row[]>;
}

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
