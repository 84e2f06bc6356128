/** @file Groups many values by key. Few of them share a key. */

/** Like the result of `Map.groupBy`, but a key with one value takes no array. */
export class CompactGroups<K, T extends object> implements Iterable<[K, readonly T[]]> {
  readonly #groups = new Map<K, T | Several<T>>();

  constructor(values: Iterable<T>, keyOf: (value: T) => K) {
    for (const value of values) {
      const key = keyOf(value);
      const found = this.#groups.get(key);
      if (found === undefined) this.#groups.set(key, value);
      else if (found instanceof Several) found.values.push(value);
      else this.#groups.set(key, new Several([found, value]));
    }
  }

  has(key: K): boolean {
    return this.#groups.has(key);
  }

  get(key: K): readonly T[] | undefined {
    const found = this.#groups.get(key);
    return found && toArray(found);
  }

  keys(): MapIterator<K> {
    return this.#groups.keys();
  }

  *[Symbol.iterator](): Generator<[K, readonly T[]], void, undefined> {
    for (const [key, found] of this.#groups) yield [key, toArray(found)];
  }
}

class Several<T> {
  readonly values: T[];

  constructor(values: T[]) {
    this.values = values;
  }
}

const toArray = <T>(found: T | Several<T>): readonly T[] =>
  found instanceof Several ? found.values : [found];
