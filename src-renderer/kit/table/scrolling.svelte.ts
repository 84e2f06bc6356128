/** @file The scroll position of a table, the rows that are in the document, and when to request more rows. */
import { onDestroy } from 'svelte';
import { throttle } from '../throttle.ts';
import { computeRowWindow, type RowWindow } from './row-window.ts';

interface Scrolled {
  element: HTMLElement | undefined;
  total: number;
  rowHeight: number;
  ensure: (from: number, to: number) => void;
}

/** Create it during component setup. */
export class Scrolling {
  /** Heights of the element and of the header that covers its top; bound by the markup. */
  height = $state(400);
  headerHeight = $state(32);
  /** Rows pass too quickly to be read: only placeholders are drawn, and no rows are requested. */
  isScrollingFast = $state(false);

  readonly #of: () => Scrolled;
  #top = $state.raw(0);
  #leaps = 0;
  #calm: ReturnType<typeof setTimeout> | undefined;
  #wanted: [from: number, to: number] = [0, 1];
  /** Rows are requested at most once per interval: the visible ones and a few beyond. */
  readonly #look = throttle(() => {
    if (!this.isScrollingFast) this.#of().ensure(...this.#wanted);
  }, 60);

  readonly #room = $derived.by(() => Math.max(this.#of().rowHeight, this.height - this.headerHeight));
  readonly rows: RowWindow = $derived.by(() => {
    const { rowHeight, total } = this.#of();
    return computeRowWindow(this.#top, this.#room, rowHeight, total);
  });
  readonly first = $derived(this.rows.first);
  readonly slots = $derived(this.rows.slotCount);

  constructor(of: () => Scrolled) {
    this.#of = of;
    $effect(() => {
      const last = Math.min(this.first + 2 * this.slots, this.#of().total);
      this.#wanted = [Math.max(0, this.first - this.slots), Math.max(1, last)];
      this.#look.trigger();
    });
    onDestroy(() => {
      clearTimeout(this.#calm);
      this.#look.cancel();
    });
  }

  /** Number of rows that fit, minus one that stays visible from page to page. */
  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.#room / this.#of().rowHeight) - 1);
  }

  readonly onScroll = (): void => {
    const { element } = this.#of();
    if (element === undefined) return;
    // The End key causes one leap; a dragged scroll bar causes several in a row.
    this.#leaps = Math.abs(element.scrollTop - this.#top) > this.#room ? this.#leaps + 1 : 0;
    this.isScrollingFast = this.#leaps > 2;
    this.#top = element.scrollTop;
    clearTimeout(this.#calm);
    this.#calm = setTimeout(() => {
      this.#leaps = 0;
      this.isScrollingFast = false;
      this.#look.trigger();
    }, 80);
  };

  scrollToRow(index: number): void {
    const { element, rowHeight } = this.#of();
    if (element === undefined) return;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + this.#room) {
      element.scrollTop = top + rowHeight - this.#room;
    }
    this.#top = element.scrollTop;
  }

  scrollToTop(): void {
    const { element } = this.#of();
    if (element !== undefined) element.scrollTop = 0;
  }
}
