/**
 * @file A gzip stream that arrives in pieces, inflated in the thread pool, strictly: a cut, a wrong checksum, bytes behind
 * it are told apart, and a bomb is stopped while it unpacks.
 */
import { createGunzip, type Gunzip } from 'node:zlib';
import { LimitCrossed, type ReadLimits } from '../limits.ts';
import type { GzipFault } from './inspector.ts';

/** Two megabytes at a time is more than three times faster than zlib's default of 16 KB. */
const inflatedPieceBytes = 2 * 1024 * 1024;
const gzipFirstByte = 0x1f;

export class Inflater {
  readonly #gunzip: Gunzip = createGunzip({ chunkSize: inflatedPieceBytes });
  readonly #limits: ReadLimits;
  readonly #take: (bytes: Buffer) => void;
  /** Resolves when nothing more will be inflated, for whatever reason. */
  readonly #over = Promise.withResolvers<undefined>();
  #isOver = false;
  #inflated: Buffer[] = [];
  #firstByte: number | null = null;
  #packedBytes = 0;
  #unpackedBytes = 0;
  #fault: GzipFault = null;
  #failure: Error | null = null;

  /** The bytes that `take` gets are gone after the call. What it throws is thrown by `write` or `finish`, and nothing is taken after it. */
  constructor(limits: ReadLimits, take: (bytes: Buffer) => void) {
    this.#limits = limits;
    this.#take = take;
    this.#gunzip.on('data', (bytes: Buffer) => {
      // Taken in a moment: zlib first sets the pool to work on what comes next. There is never more than one job in
      // the pool, so no more than one piece gathers here.
      if (this.#inflated.push(bytes) === 1)
        setImmediate(() => {
          this.#handOn();
        });
    });
    this.#gunzip.once('error', (error: NodeJS.ErrnoException) => {
      this.#fault ??= this.#faultOf(error);
    });
    for (const event of ['end', 'error', 'close']) {
      this.#gunzip.once(event, () => {
        this.#isOver = true;
        this.#over.resolve(undefined);
      });
    }
  }

  /**
   * Resolves when the bytes were inflated and may be changed again, or when nothing more can be inflated; damage is told
   * by `finish`. Rejects with `LimitCrossed`. One call at a time.
   */
  async write(bytes: Uint8Array): Promise<void> {
    const before = this.#packedBytes;
    this.#firstByte ??= bytes[0] ?? null;
    this.#packedBytes += bytes.length;
    if (!this.#isOver) {
      const written = new Promise<void>((resolve) => {
        this.#gunzip.write(bytes, () => {
          resolve();
        });
      });
      await Promise.race([written, this.#over.promise]);
    }
    this.#throwFailure();
    // zlib stops at a zero byte behind a gzip member: padding is allowed, anything else is not.
    if (this.#isOver && this.#fault === null) {
      const left = bytes.subarray(Math.max(0, this.#gunzip.bytesWritten - before));
      if (left.some((byte) => byte !== 0)) {
        this.#fault = { code: 'gzip-trailing-bytes', message: 'Other bytes follow the gzip stream' };
      }
    }
  }

  /** No more bytes come: tells how the stream ended once all of it was taken. */
  async finish(): Promise<GzipFault> {
    if (!this.#isOver) this.#gunzip.end();
    await this.#over.promise;
    this.#handOn();
    this.#throwFailure();
    if (this.#packedBytes === 0) return { code: 'not-gzip', message: 'The file is empty' };
    return this.#fault;
  }

  destroy(): void {
    this.#inflated = [];
    this.#gunzip.destroy();
  }

  #handOn(): void {
    const pieces = this.#inflated;
    this.#inflated = [];
    if (this.#failure !== null) return;
    try {
      for (const bytes of pieces) {
        this.#unpackedBytes += bytes.length;
        this.#checkLimits();
        this.#take(bytes);
        release(bytes);
      }
    } catch (error) {
      this.#failure = error as Error;
      this.#gunzip.destroy();
    }
  }

  #checkLimits(): void {
    const { unpackedBytes, ratio, ratioFromBytes } = this.#limits;
    if (this.#unpackedBytes > unpackedBytes) throw new LimitCrossed('unpackedBytes', unpackedBytes);
    if (this.#unpackedBytes > ratioFromBytes && this.#unpackedBytes > ratio * this.#gunzip.bytesWritten) {
      throw new LimitCrossed('ratio', ratio);
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  #faultOf(error: NodeJS.ErrnoException): GzipFault {
    if (error.code === 'Z_BUF_ERROR') return { code: 'gzip-cut', message: 'The gzip stream is cut' };
    if (/data check|length check/.test(error.message)) {
      return { code: 'gzip-checksum', message: 'The content does not match the checksum of the gzip stream' };
    }
    if (error.message !== 'incorrect header check') {
      return { code: 'gzip-damaged', message: 'The gzip stream is damaged' };
    }
    return this.#firstByte !== gzipFirstByte
      ? { code: 'not-gzip', message: 'The file is not a gzip stream' }
      : { code: 'gzip-trailing-bytes', message: 'Other bytes follow the gzip stream' };
  }
}

/**
 * Frees the memory of a piece that fills zlib's output buffer to its end: zlib is done with that buffer then, and waiting
 * for the garbage collector would cost 60 MB and a tenth of the time.
 */
function release(bytes: Buffer): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.byteOffset + bytes.length === buffer.byteLength)
    buffer.transfer(0);
}
