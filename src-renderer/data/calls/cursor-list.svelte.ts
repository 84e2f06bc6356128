/**
 * @file A list that is paged by cursor and grows on request, or as a VirtualTable scrolls. Create it during component
 * setup.
 */
import { onDestroy, untrack } from 'svelte';
import type { EventName } from '../../../src-contract/call-names.ts';
import type { Result } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Query } from '../../kit/query.ts';
import type { RowSource } from '../../kit/table/row-source.ts';
import { onEvents } from './on-events.ts';

export interface CursorPage<Row> {
  rows: readonly Row[];
  next: string | null;
}

export async function pageOf<Key extends string, Row>(
  reply: Promise<Result<{ next: string | null } & Record<Key, readonly Row[]>>>,
  key: Key,
): Promise<Result<CursorPage<Row>>> {
  const result = await reply;
  return result.ok ? { ok: true, value: { rows: result.value[key], next: result.value.next } } : result;
}

/** Loads the page at the cursor; a null cursor loads the first page. A page may have fewer rows than the limit. */
type Load<Row> = (
  cursor: string | null,
  limit: number,
  signal: AbortSignal,
) => Promise<Result<CursorPage<Row>>>;

interface Options {
  pageSize?: number;
  maxReloadedRows?: number;
  reloadOn?: readonly EventName[];
  minIntervalMs?: number;
  /** A change of this value removes the old rows; else they stay until new rows arrive. Unset: always removed. */
  listKey?: () => unknown;
}

export class CursorList<Row extends { id: string | number }> implements RowSource<Row>, Query {
  rows = $state.raw<readonly Row[] | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);

  readonly #pageSize: number;
  readonly #maxReloadedRows: number;
  #load: Load<Row> | null = null;
  #next = $state.raw<string | null>(null);
  #controller: AbortController | null = null;
  #cursor: string | null = null;
  #mustReload = false;

  /**
   * `getLoad` may read reactive values; when they change, the new list is requested. If `getLoad` returns null, nothing is
   * requested.
   */
  constructor(getLoad: () => Load<Row> | null, options: Options = {}) {
    this.#pageSize = options.pageSize ?? 100;
    this.#maxReloadedRows = options.maxReloadedRows ?? 500;
    let lastKey: unknown;
    $effect.pre(() => {
      const load = getLoad();
      const isNewList = options.listKey === undefined || options.listKey() !== lastKey;
      lastKey = options.listKey?.();
      untrack(() => {
        this.#load = load;
        if (isNewList) {
          this.rows = null;
          this.#next = null;
        }
        this.error = null;
        void this.restart();
      });
    });
    const stopEvents = onEvents(
      options.reloadOn ?? [],
      () => void this.reload(),
      options.minIntervalMs ?? 1000,
    );
    onDestroy(() => {
      stopEvents();
      this.cancelLoading();
    });
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** The number of known rows, plus one if there are more pages: that row stays empty until the next page arrives. */
  get total(): number | null {
    return this.rows === null ? null : this.rows.length + (this.hasMore ? 1 : 0);
  }

  rowAt(index: number): Row | null {
    return this.rows?.[index] ?? null;
  }

  find(id: Row['id']): Row | null {
    return this.rows?.find((row) => row.id === id) ?? null;
  }

  loadRange(_from: number, to: number): void {
    if (this.rows !== null && to > this.rows.length) void this.loadMore();
  }

  rowsBetween(from: number, to: number): Promise<Row[]> {
    return Promise.resolve((this.rows ?? []).slice(from, to));
  }

  /** Loads the first page and cancels the pending request. The rows shown stay until the page arrives. */
  restart(): Promise<void> {
    this.cancelLoading();
    return this.#fetch(null, this.#pageSize, (page) => {
      this.rows = page.rows;
      this.#next = page.next;
    });
  }

  /** Reloads only the first rows, so that the cost of an event does not grow with the list. */
  async reload(): Promise<void> {
    if (this.#controller !== null) {
      this.#mustReload = true;
      return;
    }
    const rowCount = this.rows?.length ?? 0;
    await this.#fetch(
      null,
      Math.min(this.#maxReloadedRows, Math.max(this.#pageSize, rowCount)),
      ({ rows, next }) => {
        const last = rows.at(-1)?.id;
        const index = last === undefined ? -1 : (this.rows ?? []).findIndex(({ id }) => id === last);
        const rest = index === -1 ? [] : (this.rows ?? []).slice(index + 1);
        if (rest.length === 0) this.#next = next;
        this.rows = [...rows, ...rest];
      },
    );
  }

  async loadMore(): Promise<void> {
    if (this.#next !== null && this.#controller === null) await this.#grow(this.#next);
  }

  /** Loads the failed or cancelled page again. */
  refresh(): Promise<void> {
    return this.#cursor === null ? this.restart() : this.#grow(this.#cursor);
  }

  cancelLoading(): void {
    this.#controller?.abort();
    this.#controller = null;
    this.#mustReload = false;
    this.busy = false;
  }

  #grow(cursor: string): Promise<void> {
    return this.#fetch(cursor, this.#pageSize, ({ rows, next }) => {
      this.rows = [...(this.rows ?? []), ...rows];
      this.#next = next;
    });
  }

  async #fetch(cursor: string | null, limit: number, onPage: (page: CursorPage<Row>) => void): Promise<void> {
    if (this.#load === null) return;
    const controller = new AbortController();
    this.#controller = controller;
    this.#cursor = cursor;
    this.busy = true;
    const result = await this.#load(cursor, limit, controller.signal);
    if (this.#controller !== controller) return;
    this.#controller = null;
    this.busy = false;
    this.error = result.ok ? null : result.error;
    if (result.ok) onPage(result.value);
    if (!this.#mustReload) return;
    this.#mustReload = false;
    await this.reload();
  }
}
