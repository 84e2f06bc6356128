/**
 * @file One call's reply as a view follows it: asked for, there, or failed. What was shown once stays while it is renewed.
 * Make it while a component is set up; it ends with the component.
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
  /** Asked right now. */
  busy = $state(false);
  /** What is shown answers an earlier request than the current one. */
  ageing = $state(false);

  readonly #name: Name;
  readonly #request: () => CallRequest<Name> | null;
  #underWay: AbortController | null = null;
  #askAgain = false;
  #ended = false;

  /**
   * `request` may read reactive values: it is asked again when they change, and an answer to the outdated request is dropped.
   * Null: nothing is asked for and nothing shown. `reloadOn`: events after which it is asked
   * again, at most once in `minMs`.
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
      // The answer's own arrival must not be what asks again.
      void this.#begin(next);
    });
    const reload = throttle(() => void this.refresh(), options.minMs ?? 250);
    const ends = (options.reloadOn ?? []).map((event) => on(event, reload.ask));
    onDestroy(() => {
      this.#ended = true;
      this.#underWay?.abort();
      reload.end();
      for (const end of ends) end();
    });
  }

  /** Asks again; however often it is called meanwhile, once more after the current answer. */
  async refresh(): Promise<void> {
    if (this.#underWay !== null) {
      this.#askAgain = true;
      return;
    }
    await this.#ask(this.#request());
  }

  async #begin(request: CallRequest<Name> | null): Promise<void> {
    this.#underWay?.abort();
    this.#underWay = null;
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
    const underWay = new AbortController();
    this.#underWay = underWay;
    this.busy = true;
    const result = await call(this.#name, request, { signal: underWay.signal });
    if (this.#underWay !== underWay) return;
    this.#underWay = null;
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
