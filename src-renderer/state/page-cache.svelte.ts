/**
 * @file A long list of which only pages are held: what a VirtualTable shows. Pages come as they are looked at; the ones not
 * looked at for longest are let go. When the list changes, old rows stay in sight until new ones have come.
 */
import type { ErrorData } from '../../src-preload/contract/errors.ts';
import type { Result } from '../../src-preload/contract/calls.ts';

export interface Page<Row> {
  rows: Row[];
  /** Rows of the whole list. */
  total: number;
}

/** What a VirtualTable needs of a list. */
export interface RowSource<Row> {
  /** Null while nothing is known. */
  readonly total: number | null;
  /** Null: not there yet. */
  rowAt(index: number): Row | null;
  /** These rows, `to` not among them, are about to be seen. */
  ensure(from: number, to: number): void;
  /** These rows, also where they are not held. */
  rowsBetween(from: number, to: number): Promise<Row[]>;
}

interface Kept<Row> {
  rows: Row[];
  /** Of which state of the list it is. */
  edition: number;
}

export class PageCache<Row> implements RowSource<Row> {
  total = $state<number | null>(null);
  error = $state.raw<ErrorData | null>(null);
  /** Something is being asked for. */
  busy = $state(false);

  readonly #load: (offset: number, limit: number, signal: AbortSignal) => Promise<Result<Page<Row>>>;
  readonly #size: number;
  readonly #most: number;
  readonly #pages = new Map<number, Kept<Row>>();
  readonly #asking = new Map<number, AbortController>();
  #revision = $state(0);
  #edition = 0;
  #seen: [from: number, to: number] = [0, 1];

  /** `load` answers one page; `pageSize` at most 500; `most` pages are held. */
  constructor(
    load: (offset: number, limit: number, signal: AbortSignal) => Promise<Result<Page<Row>>>,
    { pageSize = 100, most = 50 }: { pageSize?: number; most?: number } = {},
  ) {
    this.#load = load;
    this.#size = pageSize;
    this.#most = most;
  }

  rowAt(index: number): Row | null {
    // Read so that whoever shows rows is told when a page has come.
    void this.#revision;
    return this.#pages.get(Math.floor(index / this.#size))?.rows[index % this.#size] ?? null;
  }

  ensure(from: number, to: number): void {
    this.#seen = [from, Math.max(to, from + 1)];
    const [first, last] = this.#range();
    for (const [page, asked] of this.#asking) {
      // Whoever scrolls past does not wait for what was passed.
      if (page < first - 1 || page > last + 1) {
        asked.abort();
        this.#asking.delete(page);
      }
    }
    for (let page = first; page <= last; page += 1) {
      const kept = this.#pages.get(page);
      if (kept !== undefined) {
        this.#pages.delete(page);
        this.#pages.set(page, kept);
      }
      if (kept?.edition !== this.#edition && !this.#asking.has(page)) void this.#fetch(page);
    }
  }

  /** The list changed, but is the same list: rows stay in sight and are asked for again. */
  invalidate(): void {
    this.#edition += 1;
    this.#abort();
    this.ensure(...this.#seen);
  }

  /** It is another list now (another filter or order): as `invalidate`, from the top. */
  restart(): void {
    this.#edition += 1;
    this.#abort();
    this.#seen = [0, this.#seen[1] - this.#seen[0]];
    this.ensure(...this.#seen);
  }

  /** These rows, `to` not among them, asked for where they are not held; without those that could not be had. */
  async rowsBetween(from: number, to: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = Math.floor(from / this.#size); page * this.#size < to; page += 1) {
      let held = this.#pages.get(page)?.rows;
      if (held === undefined) {
        const result = await this.#load(page * this.#size, this.#size, new AbortController().signal);
        held = result.ok ? result.value.rows : [];
      }
      const start = page * this.#size;
      rows.push(...held.slice(Math.max(0, from - start), Math.max(0, to - start)));
    }
    return rows;
  }

  /** Gives up what is asked for. */
  end(): void {
    this.#abort();
  }

  #range(): [first: number, last: number] {
    const [from, to] = this.#seen;
    return [Math.floor(Math.max(0, from) / this.#size), Math.floor(Math.max(0, to - 1) / this.#size)];
  }

  #abort(): void {
    for (const asked of this.#asking.values()) asked.abort();
    this.#asking.clear();
    this.busy = false;
  }

  async #fetch(page: number): Promise<void> {
    const asked = new AbortController();
    const edition = this.#edition;
    this.#asking.set(page, asked);
    this.busy = true;
    const result = await this.#load(page * this.#size, this.#size, asked.signal);
    if (this.#asking.get(page) !== asked) return;
    this.#asking.delete(page);
    this.busy = this.#asking.size > 0;
    if (!result.ok) {
      this.error = result.error;
      return;
    }
    this.error = null;
    const [first, last] = this.#range();
    // Rows of the old edition stay only where somebody looks at them and new ones are on their way.
    for (const [number, kept] of this.#pages) {
      if (kept.edition !== edition && (number < first || number > last)) this.#pages.delete(number);
    }
    this.#pages.set(page, { rows: result.value.rows, edition });
    while (this.#pages.size > this.#most) {
      const oldest = this.#pages.keys().next();
      if (oldest.done === true) break;
      this.#pages.delete(oldest.value);
    }
    this.total = result.value.total;
    this.#revision += 1;
  }
}
