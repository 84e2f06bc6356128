/** @file The confirmation that the host requires before something is destroyed. */
import type { CallReply, CallRequest, Result } from '../../../src-contract/calls.ts';
import { LongCall } from './long-call.svelte.ts';

type Reply = CallReply<'host.confirm'>;

/**
 * Requests from `host.confirm` what an action destroys, and passes the confirmation to the action. Create it during
 * component setup.
 */
export class Confirmation extends LongCall<'host.confirm'> {
  #lastRequest: CallRequest<'host.confirm'> | null = null;

  constructor() {
    super('host.confirm');
  }

  /** Null until the host has replied. */
  get destroyedItems(): Reply['destroys'] | null {
    return this.value?.destroys ?? null;
  }

  async ask(request: CallRequest<'host.confirm'>): Promise<Result<Reply> | null> {
    this.#lastRequest = request;
    return this.run(request);
  }

  /**
   * Calls `send` with the confirmation; returns null if there is none. Requests a new one after a failure, because the
   * host accepts each confirmation once.
   */
  async use<Sent extends { ok: boolean }>(
    send: (confirmation: string) => Promise<Sent | null>,
  ): Promise<Sent | null> {
    const confirmation = this.value?.confirmation;
    if (confirmation === undefined) return null;
    const sent = await send(confirmation);
    if (sent?.ok === false && this.#lastRequest !== null) void this.ask(this.#lastRequest);
    return sent;
  }
}
