/**
 * @file One stream of zlib's that inflates in the thread that calls it, always into the same buffer and a few megabytes at a
 * time.
 *
 * [Note: without the thread pool] Node documents no stream that inflates at once. Its streams use the thread pool: the pool, the
 * thread that inspects and the thread that hashes then wait for each other, which costs a quarter of the time where another
 * program keeps a core busy, and two megabytes are allocated for each piece. So the stream's engine is called here as Node's own
 * synchronous functions call it (`processChunkSync` in lib/zlib.js); minizlib and pngjs depend on the same two properties.
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
/** Small enough to stay in the processor's cache until it was walked and summed, large enough that calls cost nothing. */
const bufferBytes = 256 * 1024;
/** At most so much is inflated before the thread does what else waits, such as a cancellation: two megabytes may unpack to two gigabytes. */
const turnBytes = 4 * 1024 * 1024;

export class ZlibStream {
  readonly #stream: Gunzip | InflateRaw;
  readonly #engine: Engine;
  readonly #take: (bytes: Buffer) => void;
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes);
  #consumedBytes = 0;
  #bytesOfTurn = 0;
  #hasEnded = false;

  /** @param take gets what was inflated, piece by piece; the bytes are gone after the call. What it throws, `write` and `end` throw. */
  constructor(stream: Gunzip | InflateRaw, take: (bytes: Buffer) => void) {
    this.#stream = stream;
    this.#engine = stream as unknown as Engine;
    this.#take = take;
    // Read from `errored`; without a listener it would end the program.
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
    // zlib takes all that it can use as long as there is room.
    if (left.length > 0) this.#end();
    return left;
  }

  /** No more bytes come: resolves when all was taken. */
  async end(): Promise<void> {
    await this.#inflate(nothing, constants.Z_FINISH);
    if (this.#isOpen()) this.#end();
  }

  /** Gives the stream up: it has not ended, whatever was inflated. Repeatable. */
  destroy(): void {
    this.#hasEnded = false;
    this.#stream.destroy();
  }

  #end(): void {
    this.#hasEnded = true;
    // Its window would be kept until somebody collects it.
    this.#stream.destroy();
  }

  /** @returns what zlib does not want; nothing where the stream is damaged or was given up. */
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

  /** Nothing is inflated any more once the stream has ended, was found damaged or was given up. */
  #isOpen(): boolean {
    return !this.#stream.destroyed;
  }
}
