/** @file The source of the rows of a VirtualTable, and an adapter for a short list in memory. */
import type { Query } from '../query.ts';

export interface RowSource<Row> {
  /** Null while unknown. */
  readonly total: number | null;
  rowAt(index: number): Row | null;
  /** Called before these rows (`to` excluded) are shown. */
  loadRange(from: number, to: number): void;
  rowsBetween(from: number, to: number): Promise<Row[]>;
}

/**
 * `rows` may read reactive values, and returns null while loading. The caller sorts and filters. `request` is
 * the state of the request for the rows.
 */
export function createRowSource<Row>(
  rows: () => readonly Row[] | null,
  request?: Query,
): RowSource<Row> & Query {
  return {
    get error() {
      return request?.error ?? null;
    },
    get busy() {
      return request?.busy ?? false;
    },
    refresh: () => request?.refresh(),
    get total() {
      return rows()?.length ?? null;
    },
    rowAt: (index) => rows()?.[index] ?? null,
    loadRange: () => undefined,
    rowsBetween: (from, to) => Promise.resolve((rows() ?? []).slice(from, to)),
  };
}
