/** @file Measures how quickly work is done, from samples of the last seconds. */

export class Rate {
  readonly #window: number;
  #samples: { at: number; done: number }[] = [];

  /** Samples older than `windowMs` are ignored, because they say little about the remaining time. */
  constructor(windowMs = 10_000) {
    this.#window = windowMs;
  }

  /**
   * `at` is in milliseconds. A lower `done` than before means that a step was tried again, so measuring starts over.
   */
  sample(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && done < last.done) this.#samples = [];
    if (this.#samples.at(-1)?.at === at) this.#samples.pop();
    this.#samples.push({ at, done });
    const oldest = at - this.#window;
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= oldest) this.#samples.shift();
  }

  /** Returns the rate per second; null until there are two samples half a second apart. */
  perSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < 500) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }

  /** Returns the milliseconds until `total` at this rate; null while there is no progress or the total is unknown. */
  msLeft(total: number | null): number | null {
    const rate = this.perSecond();
    const done = this.#samples.at(-1)?.done;
    if (rate === null || rate <= 0 || total === null || done === undefined || total < done) return null;
    return ((total - done) * 1000) / rate;
  }
}
