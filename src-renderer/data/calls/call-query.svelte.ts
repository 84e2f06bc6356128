/**
 * @file The reply of one call: loading, loaded or failed. The last reply stays while the next one is requested.
 * Create a `CallQuery` during component setup.
 */
import { onDestroy } from 'svelte';
import type { CallName, EventName } from '../../../src-contract/call-names.ts';
import type { CallReply, CallRequest } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import { call } from '../../client.ts';
import { onEvents } from './on-events.ts';

export class CallQuery<Name extends CallName> {
  value = $state.raw<CallReply<Name> | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);
  /** True while the reply shown belongs to an earlier request than the current one. */
  isStale = $state(false);

  readonly #name: Name;
  readonly #request: () => CallRequest<Name> | null;
  #abortController: AbortController | null = null;
  #askAgain = false;
  #isDestroyed = false;

  /**
   * `request` may read reactive values, and the call is repeated when they change. If `request` returns null, nothing
   * is requested or shown. Events in `reloadOn` repeat the call at most once in `minIntervalMs`.
   */
  constructor(
    name: Name,
    request: CallRequest<Name> | (() => CallRequest<Name> | null),
    options: {
      reloadOn?: readonly Exclude<EventName, 'call.progress' | 'host.command'>[];
      minIntervalMs?: number;
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
    const stopEvents = onEvents(
      options.reloadOn ?? [],
      () => void this.refresh(),
      options.minIntervalMs ?? 250,
    );
    onDestroy(() => {
      this.#isDestroyed = true;
      this.#abortController?.abort();
      stopEvents();
    });
  }

  /** Repeats the request. Calls during a request cause one more request after it. */
  async refresh(): Promise<void> {
    if (this.#abortController !== null) {
      this.#askAgain = true;
      return;
    }
    await this.#ask(this.#request());
  }

  async #begin(request: CallRequest<Name> | null): Promise<void> {
    this.#abortController?.abort();
    this.#abortController = null;
    this.#askAgain = false;
    if (request === null) {
      this.value = null;
      this.error = null;
      this.busy = false;
      this.isStale = false;
      return;
    }
    this.isStale = true;
    await this.#ask(request);
  }

  async #ask(request: CallRequest<Name> | null): Promise<void> {
    if (request === null || this.#isDestroyed) return;
    const abortController = new AbortController();
    this.#abortController = abortController;
    this.busy = true;
    const result = await call(this.#name, request, { signal: abortController.signal });
    if (this.#abortController !== abortController) return;
    this.#abortController = null;
    this.busy = false;
    this.isStale = false;
    if (result.ok) this.value = result.value;
    this.error = result.ok ? null : result.error;
    if (this.#askAgain) {
      this.#askAgain = false;
      await this.refresh();
    }
  }
}
