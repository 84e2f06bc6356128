/** @file Tokens that match a filter, page by page as the instance lists them. Make it while a component is set up; it ends with it. */
import { onDestroy } from 'svelte';
import type { ErrorData } from '../../../src-preload/contract/errors.ts';
import type { ListedToken, TokenFilter } from '../../../src-preload/contract/token.ts';
import { call } from '../../client.ts';

/** The same for all pages of a list, as the call asks. */
const pageSize = 50;

export class TokenList {
  /** Null: nothing has come yet. */
  rows = $state.raw<readonly ListedToken[] | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);

  readonly #of: () => { instance: string; filter: TokenFilter } | null;
  #next = $state.raw<string | null>(null);
  #underWay: AbortController | null = null;

  /** `of` may read reactive values: another list is asked for when they change; null: none. */
  constructor(of: () => { instance: string; filter: TokenFilter } | null) {
    this.#of = of;
    let instance: string | null = null;
    $effect.pre(() => {
      const next = of();
      if (next?.instance !== instance) this.rows = null;
      instance = next?.instance ?? null;
      void this.restart();
    });
    onDestroy(() => this.#underWay?.abort());
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  find(id: number): ListedToken | null {
    return this.rows?.find((row) => row.id === id) ?? null;
  }

  /** From the first page; what is shown stays until it has come. */
  async restart(): Promise<void> {
    this.#underWay?.abort();
    this.#underWay = null;
    this.busy = false;
    await this.#ask(null);
  }

  async more(): Promise<void> {
    if (this.#next !== null && this.#underWay === null) await this.#ask(this.#next);
  }

  async #ask(cursor: string | null): Promise<void> {
    const of = this.#of();
    if (of === null) return;
    const underWay = new AbortController();
    this.#underWay = underWay;
    this.busy = true;
    const result = await call('token.list', { ...of, cursor, limit: pageSize }, { signal: underWay.signal });
    if (this.#underWay !== underWay) return;
    this.#underWay = null;
    this.busy = false;
    this.error = result.ok ? null : result.error;
    // What a token that is gone could see is not shown as if it held.
    if (!result.ok && result.error.code.startsWith('token-')) this.rows = null;
    if (!result.ok) return;
    this.rows = cursor === null ? result.value.tokens : [...(this.rows ?? []), ...result.value.tokens];
    this.#next = result.value.next;
  }
}
