/** @file Remembers millions of names in 8 bytes each. Two names with the same hash cause at most a false finding. */
export class NameSet {
  #slots = new Float64Array(1024);
  #count = 0;

  /** Adds the name and returns whether it was added before. */
  testAndAdd(name: string): boolean {
    const hash = hashOf(name);
    if (insertHash(this.#slots, hash)) return true;
    if (++this.#count * 2 > this.#slots.length) this.#grow();
    return false;
  }

  #grow(): void {
    const newSlots = new Float64Array(this.#slots.length * 2);
    for (const hash of this.#slots) if (hash !== 0) insertHash(newSlots, hash);
    this.#slots = newSlots;
  }
}

/** Puts the hash into its slot; returns true if it was there already. */
function insertHash(slots: Float64Array, hash: number): boolean {
  const mask = slots.length - 1;
  let index = hash % slots.length;
  while (slots[index] !== 0) {
    if (slots[index] === hash) return true;
    index = (index + 1) & mask;
  }
  slots[index] = hash;
  return false;
}

/** Joins two 32-bit FNV-1a hashes to a positive 53-bit integer. */
function hashOf(name: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < name.length; index++) {
    const unit = name.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x01000197);
  }
  return ((high >>> 0) & 0x1fffff) * 0x100000000 + (low >>> 0) + 1;
}
