/** @file One call's reply as a view follows it: asked for, there, or failed. A reply once shown stays while it is renewed. */
import type { CallName } from '../../src-preload/contract/call-names.ts';
import type { CallReply, CallRequest } from '../../src-preload/contract/calls.ts';
import type { ErrorData } from '../../src-preload/contract/errors.ts';
import { call } from '../client.ts';

export class Reply<Name extends CallName> {
  value = $state.raw<CallReply<Name> | null>(null);
  error = $state.raw<ErrorData | null>(null);

  readonly #name: Name;
  readonly #request: CallRequest<Name>;
  #asking = false;
  #askAgain = false;

  constructor(name: Name, request: CallRequest<Name>) {
    this.#name = name;
    this.#request = request;
    void this.refresh();
  }

  /** Asks again; however often it is called meanwhile, once more after the current answer. */
  async refresh(): Promise<void> {
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    this.#asking = true;
    const result = await call(this.#name, this.#request);
    this.#asking = false;
    if (result.ok) this.value = result.value;
    this.error = result.ok ? null : result.error;
    if (this.#askAgain) {
      this.#askAgain = false;
      await this.refresh();
    }
  }
}
