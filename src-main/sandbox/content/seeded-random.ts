/** @file Reproducible random choice: the same seed gives the same numbers, words and times on every machine. */

const words = {
  plain:
    'harbour signal ledger anchor winter bridge copper lantern meadow orchard parcel quarry ribbon saddle timber valley window yarrow cellar drift',
  unicode:
    'żółw 日本語 Ελλάδα šalina größe naïve łódź ключ 漢字 ξύλο čaj über ñandú смола 山川 עברית дом 🐢 crème 한국어',
};

/** The earliest time of seeded records: 2024-01-01T00:00:00Z. */
export const baseTime = Date.UTC(2024, 0, 1);

export class SeededRandom {
  #state: number;
  readonly #words: readonly string[];

  constructor(seed: number, vocabulary: keyof typeof words = 'plain') {
    this.#state = seed >>> 0;
    this.#words = words[vocabulary].split(' ');
  }

  /** Returns a whole number from 0 up to, not including, `limit` (mulberry32). */
  integerBelow(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integerBelow(from.length)] as T;
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.pick(this.#words)).join(' ');
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.integerBelow(16).toString(16)).join('');
  }
}

export function timeAtMinute(minutes: number): string {
  return new Date(baseTime + minutes * 60_000).toISOString();
}
