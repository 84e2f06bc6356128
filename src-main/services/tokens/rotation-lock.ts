/**
 * @file The lock that every request to one instance acquires, so that its token can be replaced while no request uses
 * it. A rotation closes the lock, waits for running requests, and opens the lock again.
 */
import type { Clock } from '../../platform/clock.ts';

/** A rotation does not wait for requests that take longer: they read their token when they began. */
const maxWaitMs = 60_000;

export class RotationLock {
  readonly #clock: Clock;
  #activeCount = 0;
  #onEmpty: (() => void) | null = null;
  #closed: Promise<void> | null = null;
  #version = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How often the token was replaced: two equal numbers mean the same token. */
  get tokenVersion(): number {
    return this.#version;
  }

  /** Requests that begin from now on use another token. */
  incrementTokenVersion(): void {
    this.#version += 1;
  }

  async waitUntilOpen(signal?: AbortSignal): Promise<void> {
    while (this.#closed !== null) {
      signal?.throwIfAborted();
      const aborted = Promise.withResolvers<undefined>();
      const giveUp = () => {
        aborted.resolve(undefined);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      await Promise.race([this.#closed, aborted.promise]);
      signal?.removeEventListener('abort', giveUp);
    }
    signal?.throwIfAborted();
  }

  /** Resolves when the lock is acquired. The returned function releases it. Idempotent. */
  async acquireShared(signal?: AbortSignal): Promise<() => void> {
    // Another rotation may have closed the lock again before this request could acquire it.
    do await this.waitUntilOpen(signal);
    while (this.#closed !== null);
    this.#activeCount += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#activeCount -= 1;
      if (this.#activeCount === 0) this.#onEmpty?.();
    };
  }

  /**
   * Closes the lock to new requests. Resolves when no request is running, or after a minute. The returned function
   * opens the lock.
   */
  async acquireExclusive(): Promise<() => void> {
    do await this.waitUntilOpen();
    while (this.#closed !== null);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#closed = promise;
    if (this.#activeCount > 0) {
      await new Promise<void>((empty) => {
        const cancel = this.#clock.timer(maxWaitMs, empty);
        this.#onEmpty = () => {
          cancel();
          empty();
        };
      });
      this.#onEmpty = null;
    }
    return () => {
      this.#closed = null;
      resolve(undefined);
    };
  }
}
