/** @file Describes a column of a VirtualTable, and combines columns with a remembered layout. */
import type { Snippet } from 'svelte';
import type { TableLayout } from '../../../src-contract/settings.ts';

export interface Column<Row> {
  id: string;
  header: string;
  /** Default width in CSS pixels. */
  width: number;
  minWidth?: number;
  align?: 'start' | 'end';
  sortable?: boolean;
  /** Takes the remaining width until the user sets a width. One per table. */
  grow?: boolean;
  alwaysVisible?: boolean;
  /**
   * If not all columns fit, the table hides columns with this number, the highest first. A layout that the user
   * arranged hides none.
   */
  hideOrder?: number;
  hidden?: boolean;
  text?: (row: Row) => string;
  /** Shown on hover; defaults to the text. */
  title?: (row: Row) => string;
  /** For cells that need more than text. The snippet must be cheap, without elements that take the focus. */
  cell?: Snippet<[Row]>;
}

export interface PlacedColumn<Row> {
  column: Column<Row>;
  width: number;
  visible: boolean;
  grows: boolean;
}

export const minColumnWidth = 56;

/**
 * Returns the columns in their remembered order and width. Columns that the layout lacks keep their declared place.
 */
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
      const width = Math.max(kept?.width ?? column.width, column.minWidth ?? minColumnWidth);
      return {
        column,
        width,
        visible: column.alwaysVisible === true || (kept?.visible ?? column.hidden !== true),
        grows: column.grow === true && width === column.width,
      };
    });
}

/** Returns the columns that fit into `room` CSS pixels; `fixed` is the width of everything else in a row. */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  placed: readonly PlacedColumn<Row>[],
  { room, fixed }: { room: number; fixed: number },
): PlacedColumn<Row>[] {
  let shown = placed.filter(({ visible }) => visible);
  if (isArranged(columns, placed)) return shown;
  const over = (): boolean => shown.reduce((sum, { width }) => sum + width, fixed) > room;
  const leaving = shown
    .filter(({ column }) => column.hideOrder !== undefined)
    .sort((a, b) => (b.column.hideOrder ?? 0) - (a.column.hideOrder ?? 0));
  for (const leaves of leaving) if (over()) shown = shown.filter((one) => one !== leaves);
  return shown;
}

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
