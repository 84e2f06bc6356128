/**
 * @file Holds new tokens that the keychain has not stored yet. Before the process quits, it checks whether any remain.
 * Each secret goes to the keychain and, at most once, to a person through the host. No secret is ever sent over the bridge.
 */
import type { PersonalAccessToken } from '../../../src-contract/tokens/token.ts';
import type { Token } from '../../platform/token.ts';

export interface NewToken {
  instance: string;
  name: string;
}

interface Entry extends NewToken {
  handedOver: boolean;
}

export class NewTokens {
  readonly #store: (instance: string, token: Token) => Promise<void>;
  readonly #entries = new Map<Token, Entry>();
  readonly #pendingRequests = new Set<Promise<unknown>>();

  /** @param store adds a token to the keychain without replacing the token in use; throws the keychain's errors. */
  constructor(store: (instance: string, token: Token) => Promise<void>) {
    this.#store = store;
  }

  /** True while a request for a new token is in progress, which takes at most a minute. */
  get isRequestPending(): boolean {
    return this.#pendingRequests.size > 0;
  }

  /** Returns the new tokens that would be lost now: no keychain stores them, and no user has them. */
  get unstored(): NewToken[] {
    return [...this.#entries.values()]
      .filter(({ handedOver }) => !handedOver)
      .map(({ instance, name }) => ({ instance, name }));
  }

  /** Sends the request for a new token. The token is remembered here as soon as the response arrives. */
  async trackRequest<Answer extends { token: PersonalAccessToken; secret: Token }>(
    instance: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const pending = send();
    this.#pendingRequests.add(pending);
    try {
      const answer = await pending;
      this.#entries.set(answer.secret, { instance, name: answer.token.name, handedOver: false });
      return answer;
    } finally {
      this.#pendingRequests.delete(pending);
    }
  }

  has(instance: string): boolean {
    return [...this.#entries.values()].some((entry) => entry.instance === instance);
  }

  /** Stores a token in the keychain. Throws the keychain's error; then the token stays here. Idempotent. */
  async saveToKeychain(instance: string, token: Token): Promise<void> {
    await this.#store(instance, token);
    this.#entries.delete(token);
  }

  /**
   * Waits for requests in progress, then tries to store all tokens in the keychain. Tokens that are `unstored`
   * afterwards were refused.
   */
  async storePending(): Promise<void> {
    while (this.#pendingRequests.size > 0) await Promise.allSettled(this.#pendingRequests);
    for (const [token, { instance }] of [...this.#entries]) {
      await this.saveToKeychain(instance, token).catch(() => undefined);
    }
  }

  /** Forgets the token because a user has it. The keychain must not store it. */
  forget(token: Token): void {
    this.#entries.delete(token);
  }

  /** Drops the tokens of an instance, which are no longer useful. */
  drop(instance: string): void {
    for (const [token, entry] of this.#entries) if (entry.instance === instance) this.#entries.delete(token);
  }

  /**
   * Hands tokens to a person who stores them elsewhere. `give` receives each token once, unless it fails. The tokens
   * can still be stored in the keychain. Returns whether there was any.
   */
  async handOver(
    give: (tokens: readonly (NewToken & { token: Token })[]) => void | Promise<void>,
  ): Promise<boolean> {
    const pending = [...this.#entries].filter(([, { handedOver }]) => !handedOver);
    if (pending.length === 0) return false;
    for (const [, entry] of pending) entry.handedOver = true;
    try {
      await give(pending.map(([token, { instance, name }]) => ({ instance, name, token })));
    } catch (thrown) {
      for (const [, entry] of pending) entry.handedOver = false;
      throw thrown;
    }
    return true;
  }
}
