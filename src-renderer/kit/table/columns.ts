/** @file What a column of a VirtualTable is, and how columns and a remembered layout go together. */
import type { Snippet } from 'svelte';
import type { TableLayout } from '../../../src-contract/settings.ts';

export interface Column<Row> {
  id: string;
  header: string;
  /** Width in CSS pixels before anybody changed it. */
  width: number;
  minWidth?: number;
  /** `end` for numbers. */
  align?: 'start' | 'end';
  sortable?: boolean;
  /** Takes what room is left, until somebody gives it a width. One per table. */
  grow?: boolean;
  /** Cannot be hidden. */
  fixed?: boolean;
  /** Left out while there is no room for all, the highest first, unless somebody arranged the columns. */
  yields?: number;
  /** Not shown until it is chosen. */
  hidden?: boolean;
  /** What the cell says; the cheapest way. */
  text?: (row: Row) => string;
  /** Shown on hover; where left out, the text. */
  title?: (row: Row) => string;
  /** Where text is not enough. Keep it cheap, and nothing in it that takes the focus. */
  cell?: Snippet<[Row]>;
}

export interface PlacedColumn<Row> {
  column: Column<Row>;
  width: number;
  visible: boolean;
  /** Takes what room is left. */
  grows: boolean;
}

export const narrowest = 56;

/** Columns in their remembered order and width; what the layout does not know stands where it was declared. */
export function placeColumns<Row>(
  columns: readonly Column<Row>[],
  layout: TableLayout | null,
): PlacedColumn<Row>[] {
  const known = new Map(layout?.columns.map((column, index) => [column.id, { ...column, index }]));
  const order = (column: Column<Row>, declared: number): number =>
    known.get(column.id)?.index ?? declared - 0.5;
  return columns
    .map((column, declared) => ({ column, at: order(column, declared), declared }))
    .sort((a, b) => a.at - b.at || a.declared - b.declared)
    .map(({ column }) => {
      const kept = known.get(column.id);
      const width = Math.max(kept?.width ?? column.width, column.minWidth ?? narrowest);
      return {
        column,
        width,
        visible: column.fixed === true || (kept?.visible ?? column.hidden !== true),
        grows: column.grow === true && width === column.width,
      };
    });
}

/** Those that are shown in a table of that width, in CSS pixels; `fixed` is what else stands in a row. */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  placed: readonly PlacedColumn<Row>[],
  { room, fixed }: { room: number; fixed: number },
): PlacedColumn<Row>[] {
  let shown = placed.filter(({ visible }) => visible);
  if (isArranged(columns, placed)) return shown;
  const over = (): boolean => shown.reduce((sum, { width }) => sum + width, fixed) > room;
  const leaving = shown
    .filter(({ column }) => column.yields !== undefined)
    .sort((a, b) => (b.column.yields ?? 0) - (a.column.yields ?? 0));
  for (const leaves of leaving) if (over()) shown = shown.filter((one) => one !== leaves);
  return shown;
}

/** Whether somebody moved, hid, showed or resized one. */
function isArranged<Row>(columns: readonly Column<Row>[], placed: readonly PlacedColumn<Row>[]): boolean {
  return placeColumns(columns, null).some((declared, at) => {
    const one = placed[at];
    return (
      one?.column.id !== declared.column.id ||
      one.width !== declared.width ||
      one.visible !== declared.visible
    );
  });
}

/** What is remembered of columns that stand like this. */
export function layoutOf<Row>(placed: readonly PlacedColumn<Row>[], sort: TableLayout['sort']): TableLayout {
  return {
    columns: placed.map(({ column, width, visible }) => ({
      id: column.id,
      width: Math.round(width),
      visible,
    })),
    sort,
  };
}
