/**
 * @file What stands around the deflated bytes of a gzip member (RFC 1952): a header, and behind them the CRC-32 and the length
 * of what they inflate to.
 */

/** Three times as fast as that of zlib, which does the same where no build of it was installed for this machine. */
const { crc32 } = await import('@node-rs/crc32').catch(() => import('node:zlib'));

const fixedHeaderBytes = 10;
const trailerBytes = 8;
const nameFlag = 8;

/** Length of the header, where it is of the two kinds that `tar`, `gzip` and `pigz` write and stands whole in `bytes`; null for any other. */
export function plainHeaderLength(bytes: Uint8Array): number | null {
  const [first, second, method, flags] = bytes;
  if (first !== 0x1f || second !== 0x8b || method !== 8 || bytes.length < fixedHeaderBytes) return null;
  if (flags === 0) return fixedHeaderBytes;
  const nameEnd = flags === nameFlag ? bytes.indexOf(0, fixedHeaderBytes) : -1;
  return nameEnd === -1 ? null : nameEnd + 1;
}

/** The sum of one member, and the trailer that says what it must be. */
export class GzipSum {
  readonly #trailer = Buffer.alloc(trailerBytes);
  #filled = 0;
  #crc = 0;
  #length = 0;

  /** The next inflated bytes. */
  add(bytes: Uint8Array): void {
    this.#crc = crc32(bytes, this.#crc);
    this.#length += bytes.length;
  }

  /** The next bytes behind the deflated ones. @returns what follows the trailer. */
  takeTrailer(bytes: Uint8Array): Uint8Array {
    const taken = bytes.subarray(0, trailerBytes - this.#filled);
    this.#trailer.set(taken, this.#filled);
    this.#filled += taken.length;
    return bytes.subarray(taken.length);
  }

  get hasTrailer(): boolean {
    return this.#filled === trailerBytes;
  }

  /** Whether the trailer says what was inflated: its length counts modulo 2 to the power of 32. */
  get fits(): boolean {
    const [crc, length] = [this.#trailer.readUInt32LE(0), this.#trailer.readUInt32LE(4)];
    return crc === this.#crc && length === this.#length % 2 ** 32;
  }
}
