/**
 * @file A list that is paged by cursor, newest first, as a source of rows for a VirtualTable: it grows as it is scrolled down.
 * When something changed, only its head is asked for again, so that events cost the same however long the list is.
 */
import type { Result } from '../../../src-preload/contract/calls.ts';
import type { ErrorData } from '../../../src-preload/contract/errors.ts';
import type { RowSource } from '../../state/asking/page-cache.svelte.ts';

export interface CursorPage<Row> {
  rows: Row[];
  next: string | null;
}

const pageSize = 100;
/** Rows that are renewed at once. */
const largestHead = 500;

export class CursorList<Row extends { id: string }> implements RowSource<Row> {
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);

  readonly #load: (
    before: string | null,
    limit: number,
    signal: AbortSignal,
  ) => Promise<Result<CursorPage<Row>>>;
  #rows = $state.raw<Row[] | null>(null);
  #next = $state<string | null>(null);
  #asking: AbortController | null = null;
  #renewAgain = false;

  constructor(
    load: (before: string | null, limit: number, signal: AbortSignal) => Promise<Result<CursorPage<Row>>>,
  ) {
    this.#load = load;
  }

  /** As many as are known; one more where the list goes on, which stands there empty until it has come. */
  get total(): number | null {
    return this.#rows === null ? null : this.#rows.length + (this.#next === null ? 0 : 1);
  }

  /** Those that have come; null: not asked for yet. */
  get rows(): readonly Row[] | null {
    return this.#rows;
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  rowAt(index: number): Row | null {
    return this.#rows?.[index] ?? null;
  }

  find(id: string): Row | null {
    return this.#rows?.find((row) => row.id === id) ?? null;
  }

  ensure(_from: number, to: number): void {
    if (this.#rows !== null && this.#next !== null && to > this.#rows.length && this.#asking === null) {
      void this.#grow();
    }
  }

  rowsBetween(from: number, to: number): Promise<Row[]> {
    return Promise.resolve((this.#rows ?? []).slice(from, to));
  }

  /** Another list now. */
  restart(): void {
    this.end();
    this.#rows = null;
    this.#next = null;
    void this.renew();
  }

  /** Asks for the head again; however often it is called meanwhile, once more afterwards. */
  async renew(): Promise<void> {
    if (this.#asking !== null) {
      this.#renewAgain = true;
      return;
    }
    const held = this.#rows?.length ?? 0;
    const limit = Math.min(largestHead, Math.max(pageSize, held));
    await this.#ask(null, limit, ({ rows, next }) => {
      const last = rows.at(-1)?.id;
      const at = last === undefined ? -1 : (this.#rows ?? []).findIndex(({ id }) => id === last);
      const rest = at === -1 ? [] : (this.#rows ?? []).slice(at + 1);
      if (rest.length === 0) this.#next = next;
      this.#rows = [...rows, ...rest];
    });
  }

  /** Gives up what is asked for. */
  end(): void {
    this.#asking?.abort();
    this.#asking = null;
    this.#renewAgain = false;
    this.busy = false;
  }

  async #grow(): Promise<void> {
    await this.#ask(this.#next, pageSize, ({ rows, next }) => {
      this.#next = next;
      this.#rows = [...(this.#rows ?? []), ...rows];
    });
  }

  async #ask(before: string | null, limit: number, take: (page: CursorPage<Row>) => void): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    this.busy = true;
    const result = await this.#load(before, limit, asking.signal);
    if (this.#asking !== asking) return;
    this.#asking = null;
    this.busy = false;
    this.error = result.ok ? null : result.error;
    if (result.ok) take(result.value);
    if (!this.#renewAgain) return;
    this.#renewAgain = false;
    await this.renew();
  }
}
