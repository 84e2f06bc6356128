/**
 * @file The reply of one call as a view follows it: loading, loaded or failed. The last reply stays while it is
 * requested again. Create it during component setup; it ends with the component.
 */
import { onDestroy } from 'svelte';
import type { CallName, EventName } from '../../../src-contract/call-names.ts';
import type { CallReply, CallRequest } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import { call, on } from '../../client.ts';
import { throttle } from '../../kit/coalesce.ts';

export class Reply<Name extends CallName> {
  value = $state.raw<CallReply<Name> | null>(null);
  error = $state.raw<ErrorData | null>(null);
  /** A request is in progress. */
  busy = $state(false);
  /** The reply shown belongs to an earlier request than the current one. */
  ageing = $state(false);

  readonly #name: Name;
  readonly #request: () => CallRequest<Name> | null;
  #inProgress: AbortController | null = null;
  #askAgain = false;
  #ended = false;

  /**
   * `request` may read reactive values: when they change, the call is repeated, and a reply to the outdated request is
   * dropped. Null: nothing is requested and nothing shown. `reloadOn`: events that repeat the call, at most once in
   * `minMs`.
   */
  constructor(
    name: Name,
    request: CallRequest<Name> | (() => CallRequest<Name> | null),
    options: {
      reloadOn?: readonly Exclude<EventName, 'call.progress' | 'host.command'>[];
      minMs?: number;
    } = {},
  ) {
    this.#name = name;
    this.#request =
      typeof request === 'function' ? (request as () => CallRequest<Name> | null) : () => request;
    $effect.pre(() => {
      const next = this.#request();
      // The arrival of the reply itself must not trigger another request.
      void this.#begin(next);
    });
    const reload = throttle(() => void this.refresh(), options.minMs ?? 250);
    const ends = (options.reloadOn ?? []).map((event) => on(event, reload.ask));
    onDestroy(() => {
      this.#ended = true;
      this.#inProgress?.abort();
      reload.end();
      for (const end of ends) end();
    });
  }

  /** Requests the reply again. Calls during a request cause one more request after it. */
  async refresh(): Promise<void> {
    if (this.#inProgress !== null) {
      this.#askAgain = true;
      return;
    }
    await this.#ask(this.#request());
  }

  async #begin(request: CallRequest<Name> | null): Promise<void> {
    this.#inProgress?.abort();
    this.#inProgress = null;
    this.#askAgain = false;
    if (request === null) {
      this.value = null;
      this.error = null;
      this.busy = false;
      this.ageing = false;
      return;
    }
    this.ageing = true;
    await this.#ask(request);
  }

  async #ask(request: CallRequest<Name> | null): Promise<void> {
    if (request === null || this.#ended) return;
    const inProgress = new AbortController();
    this.#inProgress = inProgress;
    this.busy = true;
    const result = await call(this.#name, request, { signal: inProgress.signal });
    if (this.#inProgress !== inProgress) return;
    this.#inProgress = null;
    this.busy = false;
    this.ageing = false;
    if (result.ok) this.value = result.value;
    this.error = result.ok ? null : result.error;
    if (this.#askAgain) {
      this.#askAgain = false;
      await this.refresh();
    }
  }
}
