/** @file One stream of zlib's, inflated in the thread pool, that tells what it left of the bytes it was given. */
import type { Gunzip, InflateRaw } from 'node:zlib';

const nothing = new Uint8Array(0);

export class ZlibStream {
  readonly #stream: Gunzip | InflateRaw;
  /** Nothing more will be inflated, for whatever reason. */
  #isOver = false;
  #hasEnded = false;
  #error: NodeJS.ErrnoException | null = null;
  /** Goes on with the one call that waits. */
  #wake: () => void = () => undefined;

  /** @param take gets what was inflated, piece by piece. */
  constructor(stream: Gunzip | InflateRaw, take: (bytes: Buffer) => void) {
    this.#stream = stream;
    stream.on('data', take);
    stream.once('end', () => {
      this.#hasEnded = true;
      // Its writing side may still be open, and would keep zlib's window until somebody collects it.
      stream.destroy();
    });
    stream.once('error', (error: NodeJS.ErrnoException) => {
      this.#error = error;
    });
    for (const event of ['end', 'error', 'close']) {
      stream.once(event, () => {
        this.#isOver = true;
        this.#wake();
      });
    }
  }

  /** Whether all was inflated that the stream holds: false while bytes are missing, and where it was damaged or given up. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** What zlib says is wrong with the stream; null as long as nothing is. */
  get error(): NodeJS.ErrnoException | null {
    return this.#error;
  }

  /** Of the bytes that were written. */
  get consumedBytes(): number {
    return this.#stream.bytesWritten;
  }

  /**
   * Resolves when the bytes were inflated and may be changed again, with those that lie behind the end of the stream: by then
   * all that it holds was taken. One call at a time.
   */
  async write(bytes: Uint8Array): Promise<Uint8Array> {
    const before = this.#stream.bytesWritten;
    await this.#untilOver((written) => this.#stream.write(bytes, written));
    const left = bytes.subarray(this.#stream.bytesWritten - before);
    // What zlib does not want lies behind the end, which is told in a moment.
    if (left.length > 0) await this.#untilOver(() => undefined);
    return this.#hasEnded ? left : nothing;
  }

  /** No more bytes come: resolves when all was taken. */
  async end(): Promise<void> {
    await this.#untilOver(() => this.#stream.end());
  }

  destroy(): void {
    this.#stream.destroy();
  }

  /** Resolves when `begin` says so, or when the stream is over. No promise outlives it: there are as many as pieces. */
  async #untilOver(begin: (done: () => void) => unknown): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      begin(() => {
        resolve();
      });
    });
  }
}
