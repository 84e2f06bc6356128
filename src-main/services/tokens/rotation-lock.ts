/**
 * @file The way through which every request to one instance goes, so that its token can be replaced with nobody using it: a
 * rotation closes it, waits for those inside, and opens it again.
 */
import type { Clock } from '../../platform/clock.ts';

/** The lock does not wait for requests that take longer: they read their token when they began. */
const maxMs = 60_000;

export class RotationLock {
  readonly #clock: Clock;
  #inside = 0;
  #emptied: (() => void) | null = null;
  #closed: Promise<void> | null = null;
  #tokens = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many times the token was replaced: two equal numbers mean the same token. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Requests that begin from now on use another token. */
  tokenChanged(): void {
    this.#tokens += 1;
  }

  /** Resolves while it is open. */
  async opened(signal?: AbortSignal): Promise<void> {
    while (this.#closed !== null) {
      signal?.throwIfAborted();
      const given = Promise.withResolvers<undefined>();
      const giveUp = () => {
        given.resolve(undefined);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      await Promise.race([this.#closed, given.promise]);
      signal?.removeEventListener('abort', giveUp);
    }
    signal?.throwIfAborted();
  }

  /** Resolves once inside; the returned function leaves, and may be called twice. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    // Between its opening and our turn somebody else may have closed it.
    do await this.opened(signal);
    while (this.#closed !== null);
    this.#inside += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      if (this.#inside === 0) this.#emptied?.();
    };
  }

  /** Lets nobody in any more and resolves when nobody is inside, at the latest after a minute. The function opens it. */
  async close(): Promise<() => void> {
    do await this.opened();
    while (this.#closed !== null);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#closed = promise;
    if (this.#inside > 0) {
      await new Promise<void>((empty) => {
        const cancel = this.#clock.timer(maxMs, empty);
        this.#emptied = () => {
          cancel();
          empty();
        };
      });
      this.#emptied = null;
    }
    return () => {
      this.#closed = null;
      resolve(undefined);
    };
  }
}
