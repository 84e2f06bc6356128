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

interface Kept<Row> {
  readonly page: number;
  readonly rows: Row[];
  readonly edition: number;
  looked: number;
}

type Load<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<Result<Page<Row>>>;

export class PageCache<Row> implements RowSource<Row>, Query {
  total = $state<number | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);

  readonly #load: Load<Row>;
  readonly #size: number;
  readonly #most: number;
  /** Replaced as a whole when a page arrives, so that readers are notified once. */
  #pages = $state.raw<readonly Kept<Row>[]>([]);
  #asking: { page: number; giveUp: AbortController }[] = [];
  #edition = 0;
  #looks = 0;
  #seen: [from: number, to: number] = [0, 1];

  /** `load` returns one page; `pageSize` is at most 500; at most `most` pages are kept in memory. */
  constructor(
    load: Load<Row>,
    { pageSize = 100, maxCachedPages = 50 }: { pageSize?: number; maxCachedPages?: number } = {},
  ) {
    this.#load = load;
    this.#size = pageSize;
    this.#most = maxCachedPages;
  }

  rowAt(index: number): Row | null {
    return this.#held(Math.floor(index / this.#size))?.rows[index % this.#size] ?? null;
  }

  loadRange(from: number, to: number): void {
    this.#seen = [from, Math.max(to, from + 1)];
    const [first, last] = this.#range();
    // Cancels requests for pages that were scrolled past.
    this.#abort((page) => page < first - 1 || page > last + 1);
    this.#looks += 1;
    for (let page = first; page <= last; page += 1) {
      const kept = untrack(() => this.#held(page));
      if (kept !== undefined) kept.looked = this.#looks;
      const asked = this.#asking.some((one) => one.page === page);
      if (kept?.edition !== this.#edition && !asked) void this.#fetch(page);
    }
  }

  /** Call this when rows of the same list changed: the rows stay visible and are requested again. */
  refresh(): void {
    this.#edition += 1;
    this.#abort();
    this.loadRange(...this.#seen);
  }

  /** Call this when another list (filter, order) is shown: like `refresh`, but from the top. */
  restart(): void {
    this.#edition += 1;
    this.#abort();
    this.loadRange(0, this.#seen[1] - this.#seen[0]);
  }

  /** Returns these rows (`to` excluded), and loads the missing ones. Leaves out rows that could not be loaded. */
  async rowsBetween(from: number, to: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = Math.floor(from / this.#size); page * this.#size < to; page += 1) {
      let held = this.#held(page)?.rows;
      if (held === undefined) {
        const result = await this.#load(page * this.#size, this.#size, new AbortController().signal);
        held = result.ok ? result.value.rows : [];
      }
      const start = page * this.#size;
      rows.push(...held.slice(Math.max(0, from - start), Math.max(0, to - start)));
    }
    return rows;
  }

  end(): void {
    this.#abort();
  }

  #held(page: number): Kept<Row> | undefined {
    return this.#pages.find((kept) => kept.page === page);
  }

  #range(): [first: number, last: number] {
    const [from, to] = this.#seen;
    return [Math.floor(Math.max(0, from) / this.#size), Math.floor(Math.max(0, to - 1) / this.#size)];
  }

  #abort(which: (page: number) => boolean = () => true): void {
    for (const { page, giveUp } of this.#asking) if (which(page)) giveUp.abort();
    this.#asking = this.#asking.filter(({ page }) => !which(page));
    this.busy = this.#asking.length > 0;
  }

  async #fetch(page: number): Promise<void> {
    const giveUp = new AbortController();
    const edition = this.#edition;
    this.#asking.push({ page, giveUp });
    this.busy = true;
    const result = await this.#load(page * this.#size, this.#size, giveUp.signal);
    if (giveUp.signal.aborted) return;
    this.#asking = this.#asking.filter((one) => one.giveUp !== giveUp);
    this.busy = this.#asking.length > 0;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return;
    const kept: Kept<Row> = { page, rows: result.value.rows, edition, looked: this.#looks };
    this.#pages = [kept, ...this.#worthKeeping(page)];
    this.total = result.value.total;
  }

  /**
   * Returns the pages to keep. Drops the replaced page, then pages that are outdated and out of sight, then the least
   * recently read ones.
   */
  #worthKeeping(replaced: number): Kept<Row>[] {
    const [first, last] = this.#range();
    return this.#pages
      .filter(({ page, edition }) => {
        const seen = page >= first && page <= last;
        return page !== replaced && (edition === this.#edition || seen);
      })
      .sort((a, b) => b.looked - a.looked)
      .slice(0, this.#most - 1);
  }
}
