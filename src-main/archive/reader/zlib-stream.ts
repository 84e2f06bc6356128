/**
 * @file A zlib stream that inflates in the calling thread. The stream reuses one buffer, and lets the thread do other
 * work after every few megabytes.
 *
 * [Note: without the thread pool] The documented streams of Node inflate in its thread pool. The pool, the inspecting
 * thread and the hashing thread then wait for each other, and every piece needs two megabytes of new memory. Therefore
 * this file calls the engine below the stream as Node's own synchronous functions do (`processChunkSync` in
 * lib/zlib.js). Node does not document the two properties `_handle` and `_writeState`; the packages minizlib and pngjs
 * depend on them as well.
 */
import { setImmediate } from 'node:timers/promises';
import { constants, type Gunzip, type InflateRaw } from 'node:zlib';

interface Engine {
  _handle: {
    writeSync(
      flush: number,
      packed: Uint8Array,
      packedAt: number,
      packedBytes: number,
      output: Uint8Array,
      outputOffset: number,
      room: number,
    ): void;
  };
  /** After each call: the remaining room, and the number of packed bytes not taken. */
  _writeState: Uint32Array;
}

const noBytes = new Uint8Array(0);
/** Small enough that the inflated bytes stay in the processor's cache, and large enough that the calls cost nothing. */
const bufferBytes = 256 * 1024;
/** After this many inflated bytes, the thread handles events such as a cancellation: 2 MB may inflate to 2 GB. */
const yieldAfterBytes = 4 * 1024 * 1024;

export class ZlibStream {
  readonly #stream: Gunzip | InflateRaw;
  readonly #engine: Engine;
  readonly #onBytes: (bytes: Buffer) => void;
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes);
  #consumedBytes = 0;
  #bytesSinceYield = 0;
  #hasEnded = false;

  /**
   * @param onBytes gets the inflated bytes, which are overwritten after the call. Its errors reject `write` and `end`.
   */
  constructor(stream: Gunzip | InflateRaw, onBytes: (bytes: Buffer) => void) {
    this.#stream = stream;
    this.#engine = stream as unknown as Engine;
    this.#onBytes = onBytes;
    // `error` reads the error from the stream. Without a listener, Node would end the program.
    stream.on('error', () => undefined);
  }

  /** True if the complete stream was inflated; false while bytes are missing, and after damage or `destroy`. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The error of zlib; null if there is none. */
  get error(): NodeJS.ErrnoException | null {
    return this.#stream.errored;
  }

  /** Number of written bytes that were consumed. */
  get consumedBytes(): number {
    return this.#consumedBytes;
  }

  /**
   * Resolves once the caller may change `bytes`. The result is the bytes that come after the end of the stream. One
   * call at a time.
   */
  async write(bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#hasEnded) return bytes;
    const rest = await this.#inflate(bytes, constants.Z_NO_FLUSH);
    // While there is room, zlib takes every byte of the stream, so the remaining bytes come after its end.
    if (rest.length > 0) this.#end();
    return rest;
  }

  /** Ends the input; resolves when all bytes were inflated. */
  async end(): Promise<void> {
    await this.#inflate(noBytes, constants.Z_FINISH);
    if (this.#isOpen()) this.#end();
  }

  /** Aborts the stream. `hasEnded` is false from then on, even if everything was inflated. Idempotent. */
  destroy(): void {
    this.#hasEnded = false;
    this.#stream.destroy();
  }

  #end(): void {
    this.#hasEnded = true;
    // Otherwise the stream keeps its window until it is garbage-collected.
    this.#stream.destroy();
  }

  /** @returns the bytes that zlib did not take; none if the stream is damaged or was aborted. */
  async #inflate(bytes: Uint8Array, flush: number): Promise<Uint8Array> {
    let rest = bytes;
    while (this.#isOpen()) {
      if (this.#bytesSinceYield >= yieldAfterBytes) {
        this.#bytesSinceYield = 0;
        await setImmediate();
        continue;
      }
      const { _handle: handle, _writeState: state } = this.#engine;
      handle.writeSync(flush, rest, 0, rest.length, this.#buffer, 0, bufferBytes);
      if (this.error !== null) break;
      const [room, untaken] = state as unknown as [number, number];
      this.#consumedBytes += rest.length - untaken;
      this.#bytesSinceYield += bufferBytes - room;
      rest = rest.subarray(rest.length - untaken);
      if (room < bufferBytes) this.#onBytes(this.#buffer.subarray(0, bufferBytes - room));
      if (room > 0 && this.#isOpen()) return rest;
    }
    return noBytes;
  }

  /** False once the stream has ended, is damaged or was aborted. */
  #isOpen(): boolean {
    return !this.#stream.destroyed;
  }
}
