/** @file The frame of a gzip member (RFC 1952): a header before the deflated bytes, CRC-32 and length after them. */

/** The package is three times as fast as zlib's CRC-32, which is used if this machine has no build of the package. */
const { crc32 } = await import('@node-rs/crc32').catch(() => import('node:zlib'));

const fixedHeaderBytes = 10;
const trailerBytes = 8;
const nameFlag = 8;

/** Returns the length of a complete header as `tar`, `gzip` and `pigz` write it; null for any other header. */
export function plainHeaderLength(bytes: Uint8Array): number | null {
  const [first, second, method, flags] = bytes;
  if (first !== 0x1f || second !== 0x8b || method !== 8 || bytes.length < fixedHeaderBytes) return null;
  if (flags === 0) return fixedHeaderBytes;
  const nameEnd = flags === nameFlag ? bytes.indexOf(0, fixedHeaderBytes) : -1;
  return nameEnd === -1 ? null : nameEnd + 1;
}

/** Computes the checksum of one member and compares it with its trailer. */
export class GzipChecksum {
  readonly #trailer = Buffer.alloc(trailerBytes);
  #filled = 0;
  #crc = 0;
  #length = 0;

  /** Adds the next inflated bytes. */
  add(bytes: Uint8Array): void {
    this.#crc = crc32(bytes, this.#crc);
    this.#length += bytes.length;
  }

  /** Consumes bytes after the deflated ones. @returns the bytes after the trailer. */
  takeTrailer(bytes: Uint8Array): Uint8Array {
    const trailerPart = bytes.subarray(0, trailerBytes - this.#filled);
    this.#trailer.set(trailerPart, this.#filled);
    this.#filled += trailerPart.length;
    return bytes.subarray(trailerPart.length);
  }

  get hasTrailer(): boolean {
    return this.#filled === trailerBytes;
  }

  /** True if the trailer matches the inflated bytes. Its length counts modulo 2 to the power of 32. */
  get trailerMatches(): boolean {
    const [crc, length] = [this.#trailer.readUInt32LE(0), this.#trailer.readUInt32LE(4)];
    return crc === this.#crc && length === this.#length % 2 ** 32;
  }
}
