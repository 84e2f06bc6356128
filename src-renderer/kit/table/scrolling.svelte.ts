/** @file The scroll position of a table, the rows that are in the document, and when to request more rows. */
import { onDestroy } from 'svelte';
import { throttle } from '../throttle.ts';
import { computeRowWindow, type RowWindow } from './row-window.ts';

interface ScrolledTable {
  /** Undefined before the table is in the document, null after it was removed. */
  element: HTMLElement | null | undefined;
  total: number;
  rowHeight: number;
  loadRange: (from: number, to: number) => void;
}

/** Create it during component setup. */
export class Scrolling {
  /** Heights of the element and of the header that covers its top; bound by the markup. */
  height = $state(400);
  headerHeight = $state(32);
  /** True while rows pass too quickly to be read. Then only placeholders are drawn, and no rows are requested. */
  isScrollingFast = $state(false);

  readonly #getTable: () => ScrolledTable;
  #top = $state.raw(0);
  #leaps = 0;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #neededRange: [from: number, to: number] = [0, 1];
  /** Rows are requested at most once per interval: the visible ones and a few beyond. */
  readonly #requestRows = throttle(() => {
    if (!this.isScrollingFast) this.#getTable().loadRange(...this.#neededRange);
  }, 60);

  readonly #viewportHeight = $derived.by(() =>
    Math.max(this.#getTable().rowHeight, this.height - this.headerHeight),
  );
  readonly rows: RowWindow = $derived.by(() => {
    const { rowHeight, total } = this.#getTable();
    return computeRowWindow(this.#top, this.#viewportHeight, rowHeight, total);
  });
  readonly first = $derived(this.rows.first);
  readonly slotCount = $derived(this.rows.slotCount);

  constructor(getTable: () => ScrolledTable) {
    this.#getTable = getTable;
    $effect(() => {
      const last = Math.min(this.first + 2 * this.slotCount, this.#getTable().total);
      this.#neededRange = [Math.max(0, this.first - this.slotCount), Math.max(1, last)];
      this.#requestRows.trigger();
    });
    onDestroy(() => {
      clearTimeout(this.#settleTimer);
      this.#requestRows.cancel();
    });
  }

  /** Number of rows that fit, minus one that stays visible from page to page. */
  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.#viewportHeight / this.#getTable().rowHeight) - 1);
  }

  readonly onScroll = (): void => {
    const { element } = this.#getTable();
    if (!element) return;
    // The End key causes one leap; a dragged scroll bar causes several in a row.
    this.#leaps = Math.abs(element.scrollTop - this.#top) > this.#viewportHeight ? this.#leaps + 1 : 0;
    this.isScrollingFast = this.#leaps > 2;
    this.#top = element.scrollTop;
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => {
      this.#leaps = 0;
      this.isScrollingFast = false;
      this.#requestRows.trigger();
    }, 80);
  };

  scrollToRow(index: number): void {
    const { element, rowHeight } = this.#getTable();
    if (!element) return;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + this.#viewportHeight) {
      element.scrollTop = top + rowHeight - this.#viewportHeight;
    }
    this.#top = element.scrollTop;
  }

  scrollToTop(): void {
    const { element } = this.#getTable();
    if (element) element.scrollTop = 0;
  }
}
