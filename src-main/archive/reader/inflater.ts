/**
 * @file Inflates a gzip stream that arrives in pieces. The result distinguishes a truncated stream, a wrong checksum
 * and trailing bytes. A decompression bomb is stopped while it is inflated.
 *
 * [Note: who computes the CRC-32] Node's zlib does not use the processor's instructions for the CRC-32. For data that
 * hardly compresses, its checksum takes nearly as long as inflating. Therefore this file computes the checksum of the
 * first gzip member; nearly every archive has only one. zlib checks later members, and members with a rare kind of
 * header.
 */
import { createGunzip, createInflateRaw } from 'node:zlib';
import { LimitExceeded, type ReadLimits } from '../limits.ts';
import { GzipChecksum, plainHeaderLength } from './gzip-frame.ts';
import type { GzipFault } from './inspector.ts';
import { isAllZeros } from './zeros.ts';
import { ZlibStream } from './zlib-stream.ts';

const gzipMagic = Buffer.from([0x1f, 0x8b]);

export class Inflater {
  readonly #limits: ReadLimits;
  readonly #take: (bytes: Buffer) => void;
  #zlib: ZlibStream | null = null;
  /** Packed bytes before the first byte that `#zlib` received. */
  #bytesBefore = 0;
  /** The checksum of the member that is inflated without zlib's own check. */
  #sum: GzipChecksum | null = null;
  /** The first bytes, until they show whether this is a gzip stream. */
  #magic: Buffer = Buffer.alloc(0);
  #packedBytes = 0;
  #unpackedBytes = 0;
  #fault: GzipFault = null;
  #failure: Error | null = null;

  /** `take` must copy the bytes. Its error is thrown again by `write` or `finish`, and it is not called again. */
  constructor(limits: ReadLimits, take: (bytes: Buffer) => void) {
    this.#limits = limits;
    this.#take = take;
  }

  /**
   * Resolves when the caller may reuse `bytes`. `finish` reports damage. Rejects with `LimitExceeded`. One call at a
   * time.
   */
  async write(bytes: Uint8Array): Promise<void> {
    this.#throwFailure();
    if (bytes.length === 0) return;
    const zlib = this.#zlib ?? this.#begin(bytes);
    const deflatedBytes = bytes.subarray(Math.max(0, this.#bytesBefore - this.#packedBytes));
    const missingMagic = gzipMagic.length - this.#magic.length;
    if (missingMagic > 0) this.#magic = Buffer.concat([this.#magic, bytes.subarray(0, missingMagic)]);
    this.#packedBytes += bytes.length;
    let rest = await zlib.write(deflatedBytes);
    if (this.#sum !== null && rest.length > 0) rest = await this.#finishMember(this.#sum, rest);
    // zlib stops at a zero byte after a gzip member: padding is allowed, anything else is not.
    if (this.#fault === null && !isAllZeros(rest)) this.#fault = gzipTrailing;
  }

  /** Ends the input and returns how the stream ended. Rejects with `LimitExceeded`. */
  async finish(): Promise<GzipFault> {
    this.#throwFailure();
    if (this.#zlib === null) return { code: 'not-gzip', message: 'The file is empty' };
    await this.#zlib.end();
    if (this.#fault !== null) return this.#fault;
    if (this.#zlib.error !== null) return this.#faultOf(this.#zlib.error);
    return this.#zlib.hasEnded && this.#sum?.hasTrailer !== false ? null : gzipCut;
  }

  /** Aborts the stream: takes no more bytes and never reports it as complete. */
  destroy(): void {
    this.#zlib?.destroy();
  }

  #begin(bytes: Uint8Array): ZlibStream {
    const headerBytes = plainHeaderLength(bytes);
    this.#sum = headerBytes === null ? null : new GzipChecksum();
    return this.#inflate(headerBytes ?? 0);
  }

  /** Lets zlib inflate the bytes after this many packed bytes. */
  #inflate(bytesBefore: number): ZlibStream {
    this.#bytesBefore = bytesBefore;
    this.#zlib = new ZlibStream(this.#sum === null ? createGunzip() : createInflateRaw(), (bytes) => {
      this.#handOn(bytes);
    });
    return this.#zlib;
  }

  /** Consumes the trailer and inflates the next member, if there is one. Returns the bytes after the last member. */
  async #finishMember(sum: GzipChecksum, bytes: Uint8Array): Promise<Uint8Array> {
    const rest = sum.takeTrailer(bytes);
    if (!sum.hasTrailer) return rest;
    if (!sum.trailerMatches) {
      this.#fault ??= gzipChecksum;
      return rest;
    }
    if (rest.length === 0) return rest;
    this.#sum = null;
    return rest[0] === 0 ? rest : this.#inflate(this.#packedBytes - rest.length).write(rest);
  }

  #handOn(bytes: Buffer): void {
    try {
      this.#unpackedBytes += bytes.length;
      this.#checkLimits();
      this.#sum?.add(bytes);
      this.#take(bytes);
    } catch (error) {
      this.#failure = error as Error;
      this.#zlib?.destroy();
      throw error;
    }
  }

  #checkLimits(): void {
    const { unpackedBytes, ratio, ratioFromBytes } = this.#limits;
    if (this.#unpackedBytes > unpackedBytes) throw new LimitExceeded('unpackedBytes', unpackedBytes);
    const packedBytes = this.#bytesBefore + (this.#zlib?.consumedBytes ?? 0);
    if (this.#unpackedBytes > ratioFromBytes && this.#unpackedBytes > ratio * packedBytes) {
      throw new LimitExceeded('ratio', ratio);
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  #faultOf(error: NodeJS.ErrnoException): GzipFault {
    if (error.code === 'Z_BUF_ERROR') return gzipCut;
    if (/data check|length check/.test(error.message)) return gzipChecksum;
    if (error.message !== 'incorrect header check') {
      return { code: 'gzip-damaged', message: 'The gzip stream is damaged' };
    }
    return this.#magic.equals(gzipMagic)
      ? gzipTrailing
      : { code: 'not-gzip', message: 'The file is not a gzip stream' };
  }
}

const gzipCut: GzipFault = { code: 'gzip-cut', message: 'The gzip stream is truncated' };
const gzipChecksum: GzipFault = {
  code: 'gzip-checksum',
  message: 'The content does not match the checksum of the gzip stream',
};
const gzipTrailing: GzipFault = {
  code: 'gzip-trailing-bytes',
  message: 'Other bytes follow the gzip stream',
};
