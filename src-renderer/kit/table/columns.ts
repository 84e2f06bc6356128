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
   * If not all columns fit, the table hides those that have a `hideOrder`, the highest first. No column is hidden
   * once the user has arranged the layout.
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

/** Returns the columns in their remembered order and width. Columns that the layout lacks keep their declared place. */
export function placeColumns<Row>(
  columns: readonly Column<Row>[],
  layout: TableLayout | null,
): PlacedColumn<Row>[] {
  const savedById = new Map(layout?.columns.map((column, index) => [column.id, { ...column, index }]));
  const order = (column: Column<Row>, index: number): number =>
    savedById.get(column.id)?.index ?? index - 0.5;
  return columns
    .map((column, index) => ({ column, at: order(column, index), declared: index }))
    .sort((a, b) => a.at - b.at || a.declared - b.declared)
    .map(({ column }) => {
      const saved = savedById.get(column.id);
      const width = Math.max(saved?.width ?? column.width, column.minWidth ?? minColumnWidth);
      return {
        column,
        width,
        visible: column.alwaysVisible === true || (saved?.visible ?? column.hidden !== true),
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
  const isTooWide = (): boolean => shown.reduce((sum, { width }) => sum + width, fixed) > room;
  const hideable = shown
    .filter(({ column }) => column.hideOrder !== undefined)
    .sort((a, b) => (b.column.hideOrder ?? 0) - (a.column.hideOrder ?? 0));
  for (const column of hideable) if (isTooWide()) shown = shown.filter((one) => one !== column);
  return shown;
}

function isArranged<Row>(columns: readonly Column<Row>[], placed: readonly PlacedColumn<Row>[]): boolean {
  return placeColumns(columns, null).some((declared, index) => {
    const one = placed[index];
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
