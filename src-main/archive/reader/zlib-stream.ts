/**
 * @file A zlib stream that inflates in the calling thread. It reuses one buffer, and it lets the thread do other work after
 * every few megabytes.
 *
 * [Note: without the thread pool] The streams that Node documents inflate in its thread pool. The pool, the inspecting thread and the
 * hashing thread then wait for each other, and every piece needs two megabytes of new memory. So this file calls the engine
 * below the stream in the way in which Node's own synchronous functions call it (`processChunkSync` in lib/zlib.js).
 * Node does not document the two properties `_handle` and `_writeState`; the packages minizlib and pngjs depend on them as well.
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
      into: Uint8Array,
      at: number,
      room: number,
    ): void;
  };
  /** After each call: the room that was left, and the packed bytes that were not taken. */
  _writeState: Uint32Array;
}

const nothing = new Uint8Array(0);
/** The inflated bytes stay in the processor's cache until they are read, and the calls are few enough to cost nothing. */
const bufferBytes = 256 * 1024;
/** After so many inflated bytes the thread handles other events, such as a cancellation: two packed megabytes may hold two gigabytes. */
const turnBytes = 4 * 1024 * 1024;

export class ZlibStream {
  readonly #stream: Gunzip | InflateRaw;
  readonly #engine: Engine;
  readonly #take: (bytes: Buffer) => void;
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes);
  #consumedBytes = 0;
  #bytesOfTurn = 0;
  #hasEnded = false;

  /** @param take gets the inflated bytes, which are overwritten after the call. `write` and `end` reject with what it throws. */
  constructor(stream: Gunzip | InflateRaw, take: (bytes: Buffer) => void) {
    this.#stream = stream;
    this.#engine = stream as unknown as Engine;
    this.#take = take;
    // `error` reads the error from the stream. Without a listener, Node would end the program.
    stream.on('error', () => undefined);
  }

  /** Whether all was inflated that the stream holds: false while bytes are missing, and where it was damaged or given up. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** What zlib says is wrong with the stream; null as long as nothing is. */
  get error(): NodeJS.ErrnoException | null {
    return this.#stream.errored;
  }

  /** Of the bytes that were written. */
  get consumedBytes(): number {
    return this.#consumedBytes;
  }

  /**
   * Resolves when the bytes were inflated and may be changed again, with those that lie behind the end of the stream. One call at a
   * time.
   */
  async write(bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#hasEnded) return bytes;
    const left = await this.#inflate(bytes, constants.Z_NO_FLUSH);
    // As long as there is room, zlib takes every byte of the stream, so the bytes that are left lie behind its end.
    if (left.length > 0) this.#end();
    return left;
  }

  /** No more bytes come: resolves when all was taken. */
  async end(): Promise<void> {
    await this.#inflate(nothing, constants.Z_FINISH);
    if (this.#isOpen()) this.#end();
  }

  /** Gives the stream up. `hasEnded` is false from then on, even if everything was inflated. Repeatable. */
  destroy(): void {
    this.#hasEnded = false;
    this.#stream.destroy();
  }

  #end(): void {
    this.#hasEnded = true;
    // Otherwise the stream keeps its window until the garbage collector finds it.
    this.#stream.destroy();
  }

  /** @returns the bytes that zlib did not take; none if the stream is damaged or was given up. */
  async #inflate(bytes: Uint8Array, flush: number): Promise<Uint8Array> {
    let left = bytes;
    while (this.#isOpen()) {
      if (this.#bytesOfTurn >= turnBytes) {
        this.#bytesOfTurn = 0;
        await setImmediate();
        continue;
      }
      const { _handle: handle, _writeState: state } = this.#engine;
      handle.writeSync(flush, left, 0, left.length, this.#buffer, 0, bufferBytes);
      if (this.error !== null) break;
      const [room, untaken] = state as unknown as [number, number];
      this.#consumedBytes += left.length - untaken;
      this.#bytesOfTurn += bufferBytes - room;
      left = left.subarray(left.length - untaken);
      if (room < bufferBytes) this.#take(this.#buffer.subarray(0, bufferBytes - room));
      if (room > 0 && this.#isOpen()) return left;
    }
    return nothing;
  }

  /** False once the stream has ended, is damaged or was given up. */
  #isOpen(): boolean {
    return !this.#stream.destroyed;
  }
}
