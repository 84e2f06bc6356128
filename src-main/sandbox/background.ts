/** @file Work that continues after the reply to its request: exports and imports. Closing stops it and waits for it. */

export class Background {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();

  /** Aborted when the sandbox closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Registers work that has begun. The work must not reject. */
  add(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The sandbox was closed.'));
    await Promise.all(this.#running);
  }
}
