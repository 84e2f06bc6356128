/** @file A list that an instance gives in parts, as it grows on request. Make it while a component is set up. */
import { onDestroy, untrack } from 'svelte';
import type { Result } from '../../../../src-preload/contract/calls.ts';
import type { ErrorData } from '../../../../src-preload/contract/errors.ts';

export interface ListPart<Row> {
  rows: Row[];
  next: string | null;
}

export type AskForPart<Row> = (cursor: string | null, signal: AbortSignal) => Promise<Result<ListPart<Row>>>;

export class GrowingList<Row> {
  /** Null: nothing has come yet. */
  rows = $state.raw<readonly Row[] | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);
  #next = $state<string | null>(null);
  #ask: AskForPart<Row> | null = null;
  #underWay: AbortController | null = null;
  /** Where the part begins that was asked for last. */
  #from: string | null = null;

  /** `of` may read reactive values; when they change the list begins anew. Null: nothing is asked for. */
  constructor(of: () => AskForPart<Row> | null) {
    $effect.pre(() => {
      this.#ask = of();
      untrack(() => {
        this.#underWay?.abort();
        this.rows = null;
        this.error = null;
        void this.renew();
      });
    });
    onDestroy(() => {
      this.#underWay?.abort();
    });
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** Begins anew; what is shown stays until the answer is there. */
  renew(): Promise<void> {
    return this.#load(null);
  }

  /** Asks again for the part that could not be had or was given up. */
  again(): Promise<void> {
    return this.#load(this.#from);
  }

  /** Gives up what is asked for; what is shown stays. */
  giveUp(): void {
    this.#underWay?.abort();
    this.#underWay = null;
    this.busy = false;
  }

  more(): Promise<void> {
    return this.#next === null || this.busy ? Promise.resolve() : this.#load(this.#next);
  }

  async #load(cursor: string | null): Promise<void> {
    this.#underWay?.abort();
    this.#from = cursor;
    const ask = this.#ask;
    if (ask === null) {
      this.busy = false;
      return;
    }
    const underWay = new AbortController();
    this.#underWay = underWay;
    this.busy = true;
    const result = await ask(cursor, underWay.signal);
    if (this.#underWay !== underWay || underWay.signal.aborted) return;
    this.busy = false;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return;
    const { rows, next } = result.value;
    this.rows = cursor === null ? rows : [...(this.rows ?? []), ...rows];
    this.#next = next;
  }
}
