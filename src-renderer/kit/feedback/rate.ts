/** @file How quickly something gets done, from what was seen of it in the last seconds. */

export class Rate {
  readonly #window: number;
  #samples: { at: number; done: number }[] = [];

  /** `windowMs`: how far back is looked; older speed says little about what is left. */
  constructor(windowMs = 10_000) {
    this.#window = windowMs;
  }

  /** `at` in milliseconds. Going back begins anew: a step was tried again. */
  sample(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && done < last.done) this.#samples = [];
    // Samples of one instant say nothing about speed; the newest of them counts.
    if (this.#samples.at(-1)?.at === at) this.#samples.pop();
    this.#samples.push({ at, done });
    const oldest = at - this.#window;
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= oldest) this.#samples.shift();
  }

  /** Per second; null until two samples half a second apart are there. */
  perSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < 500) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }

  /** Milliseconds until `total` at this rate; null while nothing moves or nothing is known. */
  msLeft(total: number | null): number | null {
    const rate = this.perSecond();
    const done = this.#samples.at(-1)?.done;
    if (rate === null || rate <= 0 || total === null || done === undefined || total < done) return null;
    return ((total - done) * 1000) / rate;
  }
}
