/** @file The current row of a table, and the rows that keys and pointer select. */
import { untrack } from 'svelte';
import type { RowSource } from './row-source.ts';
import type { RowSelection } from './row-selection.svelte.ts';

interface Grid<Row> {
  source: RowSource<Row>;
  total: number;
  rowKey: (row: Row) => string;
  selection: RowSelection | undefined;
  oncurrent: ((row: Row) => void) | undefined;
  onopen: ((row: Row) => void) | undefined;
  rowsPerPage: number;
  scrollToRow: (index: number) => void;
}

/** Create it during component setup. */
export class GridCursor<Row> {
  readonly #getGrid: () => Grid<Row>;
  #cursor = $state(0);
  #anchor = 0;
  /** True while the reached row is not loaded yet; the row becomes the current one once it is loaded. */
  #isPending = $state(false);

  readonly currentIndex = $derived.by(() => Math.min(this.#cursor, Math.max(0, this.#getGrid().total - 1)));

  constructor(getGrid: () => Grid<Row>) {
    this.#getGrid = getGrid;
    $effect(() => {
      if (!this.#isPending || this.#getGrid().source.rowAt(this.currentIndex) === null) return;
      untrack(() => {
        this.#notifyCurrent(this.currentIndex);
      });
    });
  }

  reset(): void {
    this.#cursor = 0;
    this.#anchor = 0;
    this.#isPending = false;
  }

  setIndex(index: number): void {
    this.#cursor = index;
    this.#isPending = false;
  }

  handleKey(event: KeyboardEvent): boolean {
    const { total, rowsPerPage, selection } = this.#getGrid();
    const moves: Record<string, number> = {
      ArrowDown: this.currentIndex + 1,
      ArrowUp: this.currentIndex - 1,
      PageDown: this.currentIndex + rowsPerPage,
      PageUp: this.currentIndex - rowsPerPage,
      Home: 0,
      End: total - 1,
    };
    const to = moves[event.key];
    const mod = event.ctrlKey || event.metaKey;
    if (to !== undefined) this.#moveTo(to, event.shiftKey);
    else if (event.key === 'Enter') this.open(this.currentIndex);
    else if (selection === undefined) return false;
    else if (event.key === ' ') this.#toggle(this.currentIndex);
    else if (event.key.toLowerCase() === 'a' && mod) selection.selectAll();
    else if (event.key === 'Escape' && selection.count(total) > 0) selection.clear();
    else return false;
    return true;
  }

  handleClick(index: number, isOnCheckbox: boolean, { shiftKey, ctrlKey, metaKey }: MouseEvent): void {
    this.setIndex(index);
    const isSelecting = isOnCheckbox || shiftKey || ctrlKey || metaKey;
    if (!isSelecting || this.#getGrid().selection === undefined) {
      this.#anchor = index;
      this.#notifyCurrent(index);
    } else if (shiftKey) void this.#selectRange(this.#anchor, index);
    else this.#toggle(index);
  }

  open(index: number): void {
    const { source, oncurrent, onopen } = this.#getGrid();
    const row = source.rowAt(index);
    if (row === null) return;
    oncurrent?.(row);
    onopen?.(row);
  }

  #moveTo(index: number, extend: boolean): void {
    const { total, selection, scrollToRow } = this.#getGrid();
    if (total === 0) return;
    const next = Math.max(0, Math.min(total - 1, index));
    if (extend && selection !== undefined) void this.#selectRange(this.#anchor, next);
    else this.#anchor = next;
    this.setIndex(next);
    scrollToRow(next);
    this.#notifyCurrent(next);
  }

  #notifyCurrent(index: number): void {
    const { source, oncurrent } = this.#getGrid();
    const row = source.rowAt(index);
    this.#isPending = row === null;
    if (row !== null) oncurrent?.(row);
  }

  #toggle(index: number): void {
    const { source, rowKey, selection } = this.#getGrid();
    this.#anchor = index;
    const row = source.rowAt(index);
    if (row !== null) selection?.toggle(rowKey(row));
  }

  async #selectRange(from: number, to: number): Promise<void> {
    const { source, rowKey, selection } = this.#getGrid();
    const range = await source.rowsBetween(Math.min(from, to), Math.max(from, to) + 1);
    for (const row of range) selection?.set(rowKey(row), true);
  }
}
