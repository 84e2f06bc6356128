/**
 * @file Collects the body of a response in one growing buffer, which is freed as soon as the body is converted to text.
 */

/** Grows by half, so that a large body is copied only a few times and never needs twice its size. */
const growthFactor = 1.5;

export class BodyBuffer {
  #bytes = new Uint8Array(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength;
    if (size > this.#bytes.byteLength) {
      const length = Math.max(size, Math.ceil(this.#bytes.byteLength * growthFactor));
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(length));
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }

  /** Returns at most the first `length` bytes as text. */
  prefixText(length: number): string {
    return new TextDecoder().decode(this.#bytes.subarray(0, Math.min(length, this.#size)));
  }

  /** Returns the whole body as text and empties it. Throws `TypeError` for bytes that are not UTF-8. */
  takeText(): string {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(this.#bytes.subarray(0, this.#size));
    // Frees the memory now; garbage collection would keep it during parsing.
    this.#bytes.buffer.transfer(0);
    this.#bytes = new Uint8Array(0);
    this.#size = 0;
    return text;
  }
}
