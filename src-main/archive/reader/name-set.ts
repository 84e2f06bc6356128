/** @file Remembers millions of names in 8 bytes each. Equal 53-bit hashes cause at most a needless finding. */
export class NameSet {
  #slots = new Float64Array(1024);
  #used = 0;

  /** Adds the name and returns whether it was added before. */
  testAndAdd(name: string): boolean {
    const hash = hashOf(name);
    if (place(this.#slots, hash)) return true;
    if (++this.#used * 2 > this.#slots.length) this.#grow();
    return false;
  }

  #grow(): void {
    const larger = new Float64Array(this.#slots.length * 2);
    for (const hash of this.#slots) if (hash !== 0) place(larger, hash);
    this.#slots = larger;
  }
}

/** Puts the hash into its slot; returns true if it was there already. */
function place(slots: Float64Array, hash: number): boolean {
  const mask = slots.length - 1;
  let at = hash % slots.length;
  while (slots[at] !== 0) {
    if (slots[at] === hash) return true;
    at = (at + 1) & mask;
  }
  slots[at] = hash;
  return false;
}

/** Joins two 32-bit FNV-1a hashes to a positive 53-bit integer. */
function hashOf(name: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x01000197);
  }
  return ((high >>> 0) & 0x1fffff) * 0x100000000 + (low >>> 0) + 1;
}
