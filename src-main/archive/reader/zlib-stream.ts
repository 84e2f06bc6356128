/** @file One stream of zlib's, inflated in the thread pool, that tells what it left of the bytes it was given. */
import type { Gunzip, InflateRaw } from 'node:zlib';

const nothing = new Uint8Array(0);

export class ZlibStream {
  readonly #stream: Gunzip | InflateRaw;
  /** Resolves when nothing more will be inflated, for whatever reason. */
  readonly #over = Promise.withResolvers<undefined>();
  #isOver = false;
  #error: NodeJS.ErrnoException | null = null;

  /** @param take gets what was inflated, piece by piece. */
  constructor(stream: Gunzip | InflateRaw, take: (bytes: Buffer) => void) {
    this.#stream = stream;
    stream.on('data', take);
    stream.once('error', (error: NodeJS.ErrnoException) => {
      this.#error = error;
    });
    for (const event of ['end', 'error', 'close']) {
      stream.once(event, () => {
        this.#isOver = true;
        this.#over.resolve(undefined);
      });
    }
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
    if (!this.#isOver) {
      const written = new Promise<void>((resolve) => {
        this.#stream.write(bytes, () => {
          resolve();
        });
      });
      await Promise.race([written, this.#over.promise]);
    }
    if (this.#error !== null) return nothing;
    const left = bytes.subarray(this.#stream.bytesWritten - before);
    if (left.length > 0) await this.#over.promise;
    return left;
  }

  /** No more bytes come: resolves when all was taken. */
  async end(): Promise<void> {
    if (!this.#isOver) this.#stream.end();
    await this.#over.promise;
  }

  destroy(): void {
    this.#stream.destroy();
  }
}
