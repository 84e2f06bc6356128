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
  page: number;
  show: (index: number) => void;
}

/** Create it during component setup. */
export class GridCursor<Row> {
  readonly #of: () => Grid<Row>;
  #cursor = $state(0);
  #anchor = 0;
  /** True while the reached row is not loaded yet; the row becomes the current one once it is loaded. */
  #owed = $state(false);

  readonly currentIndex = $derived.by(() => Math.min(this.#cursor, Math.max(0, this.#of().total - 1)));

  constructor(of: () => Grid<Row>) {
    this.#of = of;
    $effect(() => {
      if (!this.#owed || this.#of().source.rowAt(this.currentIndex) === null) return;
      untrack(() => {
        this.#tell(this.currentIndex);
      });
    });
  }

  reset(): void {
    this.#cursor = 0;
    this.#anchor = 0;
    this.#owed = false;
  }

  setIndex(index: number): void {
    this.#cursor = index;
    this.#owed = false;
  }

  handleKey(event: KeyboardEvent): boolean {
    const { total, page, selection } = this.#of();
    const moves: Record<string, number> = {
      ArrowDown: this.currentIndex + 1,
      ArrowUp: this.currentIndex - 1,
      PageDown: this.currentIndex + page,
      PageUp: this.currentIndex - page,
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

  handleClick(index: number, onBox: boolean, { shiftKey, ctrlKey, metaKey }: MouseEvent): void {
    this.setIndex(index);
    const chooses = onBox || shiftKey || ctrlKey || metaKey;
    if (!chooses || this.#of().selection === undefined) {
      this.#anchor = index;
      this.#tell(index);
    } else if (shiftKey) void this.#chooseRange(this.#anchor, index);
    else this.#toggle(index);
  }

  open(index: number): void {
    const { source, oncurrent, onopen } = this.#of();
    const row = source.rowAt(index);
    if (row === null) return;
    oncurrent?.(row);
    onopen?.(row);
  }

  #moveTo(index: number, extend: boolean): void {
    const { total, selection, show } = this.#of();
    if (total === 0) return;
    const next = Math.max(0, Math.min(total - 1, index));
    if (extend && selection !== undefined) void this.#chooseRange(this.#anchor, next);
    else this.#anchor = next;
    this.setIndex(next);
    show(next);
    this.#tell(next);
  }

  #tell(index: number): void {
    const { source, oncurrent } = this.#of();
    const row = source.rowAt(index);
    this.#owed = row === null;
    if (row !== null) oncurrent?.(row);
  }

  #toggle(index: number): void {
    const { source, rowKey, selection } = this.#of();
    this.#anchor = index;
    const row = source.rowAt(index);
    if (row !== null) selection?.toggle(rowKey(row));
  }

  async #chooseRange(from: number, to: number): Promise<void> {
    const { source, rowKey, selection } = this.#of();
    const range = await source.rowsBetween(Math.min(from, to), Math.max(from, to) + 1);
    for (const row of range) selection?.set(rowKey(row), true);
  }
}
