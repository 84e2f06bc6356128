/**
 * @file A cache of some pages of a long list. Pages are loaded when they are read, and dropped if they are not read
 * for long. When the list changes, old rows stay visible until new ones arrive.
 */
import { untrack } from 'svelte';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Result } from '../../../src-contract/calls.ts';
import type { Query } from '../../kit/query.ts';
import type { RowSource } from '../../kit/table/row-source.ts';

export interface Page<Row> {
  rows: Row[];
  total: number;
}

interface CachedPage<Row> {
  readonly page: number;
  readonly rows: Row[];
  readonly edition: number;
  lastUse: number;
}

type Load<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<Result<Page<Row>>>;

export class PageCache<Row> implements RowSource<Row>, Query {
  total = $state<number | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);

  readonly #load: Load<Row>;
  readonly #pageSize: number;
  readonly #maxPages: number;
  /** Replaced as a whole when a page arrives, so that readers are notified once. */
  #pages = $state.raw<readonly CachedPage<Row>[]>([]);
  #requests: { page: number; controller: AbortController }[] = [];
  #edition = 0;
  #useCount = 0;
  #visibleRange: [from: number, to: number] = [0, 1];

  /** `load` returns one page; `pageSize` is at most 500; at most `maxCachedPages` pages are kept. */
  constructor(
    load: Load<Row>,
    { pageSize = 100, maxCachedPages = 50 }: { pageSize?: number; maxCachedPages?: number } = {},
  ) {
    this.#load = load;
    this.#pageSize = pageSize;
    this.#maxPages = maxCachedPages;
  }

  rowAt(index: number): Row | null {
    return this.#findPage(Math.floor(index / this.#pageSize))?.rows[index % this.#pageSize] ?? null;
  }

  loadRange(from: number, to: number): void {
    this.#visibleRange = [from, Math.max(to, from + 1)];
    const [first, last] = this.#range();
    // Cancels requests for pages that were scrolled past.
    this.#abort((page) => page < first - 1 || page > last + 1);
    this.#useCount += 1;
    for (let page = first; page <= last; page += 1) {
      const cached = untrack(() => this.#findPage(page));
      if (cached !== undefined) cached.lastUse = this.#useCount;
      const isRequested = this.#requests.some((one) => one.page === page);
      if (cached?.edition !== this.#edition && !isRequested) void this.#fetch(page);
    }
  }

  /** Call this when rows of the same list changed: the rows stay visible and are requested again. */
  refresh(): void {
    this.#edition += 1;
    this.#abort();
    this.loadRange(...this.#visibleRange);
  }

  /** Call this when another list (filter, order) is shown: like `refresh`, but from the top. */
  restart(): void {
    this.#edition += 1;
    this.#abort();
    this.loadRange(0, this.#visibleRange[1] - this.#visibleRange[0]);
  }

  /** Returns these rows (`to` excluded), and loads the missing ones. Leaves out rows that could not be loaded. */
  async rowsBetween(from: number, to: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = Math.floor(from / this.#pageSize); page * this.#pageSize < to; page += 1) {
      let pageRows = this.#findPage(page)?.rows;
      if (pageRows === undefined) {
        const result = await this.#load(page * this.#pageSize, this.#pageSize, new AbortController().signal);
        pageRows = result.ok ? result.value.rows : [];
      }
      const start = page * this.#pageSize;
      rows.push(...pageRows.slice(Math.max(0, from - start), Math.max(0, to - start)));
    }
    return rows;
  }

  cancelLoading(): void {
    this.#abort();
  }

  #findPage(page: number): CachedPage<Row> | undefined {
    return this.#pages.find((kept) => kept.page === page);
  }

  #range(): [first: number, last: number] {
    const [from, to] = this.#visibleRange;
    return [Math.floor(Math.max(0, from) / this.#pageSize), Math.floor(Math.max(0, to - 1) / this.#pageSize)];
  }

  #abort(matches: (page: number) => boolean = () => true): void {
    for (const { page, controller } of this.#requests) if (matches(page)) controller.abort();
    this.#requests = this.#requests.filter(({ page }) => !matches(page));
    this.busy = this.#requests.length > 0;
  }

  async #fetch(page: number): Promise<void> {
    const controller = new AbortController();
    const edition = this.#edition;
    this.#requests.push({ page, controller });
    this.busy = true;
    const result = await this.#load(page * this.#pageSize, this.#pageSize, controller.signal);
    if (controller.signal.aborted) return;
    this.#requests = this.#requests.filter((one) => one.controller !== controller);
    this.busy = this.#requests.length > 0;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return;
    const cached: CachedPage<Row> = { page, rows: result.value.rows, edition, lastUse: this.#useCount };
    this.#pages = [cached, ...this.#pagesToKeep(page)];
    this.total = result.value.total;
  }

  /**
   * Returns the pages to keep. Drops the replaced page, then pages that are outdated and out of sight, then the least
   * recently read ones.
   */
  #pagesToKeep(replaced: number): CachedPage<Row>[] {
    const [first, last] = this.#range();
    return this.#pages
      .filter(({ page, edition }) => {
        const isVisible = page >= first && page <= last;
        return page !== replaced && (edition === this.#edition || isVisible);
      })
      .sort((a, b) => b.lastUse - a.lastUse)
      .slice(0, this.#maxPages - 1);
  }
}
