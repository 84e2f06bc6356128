/**
 * @file A list that is paged by cursor. It grows on request, or as a VirtualTable scrolls down. Create it while a component is
 * set up; it ends with the component.
 */
import { onDestroy, untrack } from 'svelte';
import type { EventName } from '../../../src-contract/call-names.ts';
import type { Result } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import { on } from '../../client.ts';
import { throttle } from '../../kit/coalesce.ts';
import type { RowSource } from '../../kit/table/row-source.ts';

export interface CursorPage<Row> {
  rows: readonly Row[];
  /** Where the next page begins; null: this is the last one. */
  next: string | null;
}

/** A reply that holds its rows under `key`, as a page. */
export async function pageOf<Key extends string, Row>(
  reply: Promise<Result<{ next: string | null } & Record<Key, readonly Row[]>>>,
  key: Key,
): Promise<Result<CursorPage<Row>>> {
  const result = await reply;
  return result.ok ? { ok: true, value: { rows: result.value[key], next: result.value.next } } : result;
}

/** Loads the page that begins at the cursor, null for the first one. It may have fewer rows than the limit. */
type Load<Row> = (
  cursor: string | null,
  limit: number,
  signal: AbortSignal,
) => Promise<Result<CursorPage<Row>>>;

interface Options {
  /** Rows of a page. */
  pageSize?: number;
  /** `renew` loads at most this many rows; what stands below them stays as it is. */
  maxRenewed?: number;
  /** Events after which the list is renewed, at most once in `minMs`. */
  reloadOn?: readonly EventName[];
  minMs?: number;
  /** While this stays the same, rows are shown until those of another list have come. */
  shownFor?: () => unknown;
}

export class CursorList<Row extends { id: string | number }> implements RowSource<Row> {
  /** Null: nothing has come yet. */
  rows = $state.raw<readonly Row[] | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);

  readonly #pageSize: number;
  readonly #maxRenewed: number;
  #load: Load<Row> | null = null;
  #next = $state.raw<string | null>(null);
  #asking: AbortController | null = null;
  /** Where the page begins that was asked for last. */
  #from: string | null = null;
  #renewAgain = false;

  /** `of` may read reactive values: another list is asked for when they change. Null: nothing is asked for. */
  constructor(of: () => Load<Row> | null, options: Options = {}) {
    this.#pageSize = options.pageSize ?? 100;
    this.#maxRenewed = options.maxRenewed ?? 500;
    let shownFor: unknown;
    $effect.pre(() => {
      const load = of();
      const isOther = options.shownFor === undefined || options.shownFor() !== shownFor;
      shownFor = options.shownFor?.();
      untrack(() => {
        this.#load = load;
        if (isOther) {
          this.rows = null;
          this.#next = null;
        }
        this.error = null;
        void this.restart();
      });
    });
    const renewing = throttle(() => void this.renew(), options.minMs ?? 1000);
    const ends = (options.reloadOn ?? []).map((event) => on(event, renewing.ask));
    onDestroy(() => {
      for (const end of ends) end();
      renewing.end();
      this.giveUp();
    });
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** The number of known rows; one more where the list goes on, which is empty until it has come. */
  get total(): number | null {
    return this.rows === null ? null : this.rows.length + (this.hasMore ? 1 : 0);
  }

  rowAt(index: number): Row | null {
    return this.rows?.[index] ?? null;
  }

  find(id: Row['id']): Row | null {
    return this.rows?.find((row) => row.id === id) ?? null;
  }

  ensure(_from: number, to: number): void {
    if (this.rows !== null && to > this.rows.length) void this.more();
  }

  rowsBetween(from: number, to: number): Promise<Row[]> {
    return Promise.resolve((this.rows ?? []).slice(from, to));
  }

  /** Loads the first page; what is shown stays until it has come, and what was asked for is given up. */
  restart(): Promise<void> {
    this.giveUp();
    return this.#ask(null, this.#pageSize, (page) => {
      this.rows = page.rows;
      this.#next = page.next;
    });
  }

  /**
   * Loads the head again, so that an event costs the same however long the list is. However often it is called meanwhile, it
   * loads once more afterwards.
   */
  async renew(): Promise<void> {
    if (this.#asking !== null) {
      this.#renewAgain = true;
      return;
    }
    const held = this.rows?.length ?? 0;
    await this.#ask(null, Math.min(this.#maxRenewed, Math.max(this.#pageSize, held)), ({ rows, next }) => {
      const last = rows.at(-1)?.id;
      const at = last === undefined ? -1 : (this.rows ?? []).findIndex(({ id }) => id === last);
      const rest = at === -1 ? [] : (this.rows ?? []).slice(at + 1);
      if (rest.length === 0) this.#next = next;
      this.rows = [...rows, ...rest];
    });
  }

  /** Loads the next page, unless something is loaded already. */
  async more(): Promise<void> {
    if (this.#next !== null && this.#asking === null) await this.#grow(this.#next);
  }

  /** Loads the page again that failed or was given up. */
  again(): Promise<void> {
    return this.#from === null ? this.restart() : this.#grow(this.#from);
  }

  /** Gives up what is asked for; what is shown stays. */
  giveUp(): void {
    this.#asking?.abort();
    this.#asking = null;
    this.#renewAgain = false;
    this.busy = false;
  }

  #grow(cursor: string): Promise<void> {
    return this.#ask(cursor, this.#pageSize, ({ rows, next }) => {
      this.rows = [...(this.rows ?? []), ...rows];
      this.#next = next;
    });
  }

  async #ask(cursor: string | null, limit: number, take: (page: CursorPage<Row>) => void): Promise<void> {
    if (this.#load === null) return;
    const asking = new AbortController();
    this.#asking = asking;
    this.#from = cursor;
    this.busy = true;
    const result = await this.#load(cursor, limit, asking.signal);
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
