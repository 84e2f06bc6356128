/**
 * @file A file during its download outside the store. The file is next to its final place, and its download can be
 * restarted.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type DiskFile, writeAll } from '../../platform/disk/disk.ts';
import { diskError } from '../../platform/disk/disk-errors.ts';
import { realDisk } from '../../platform/disk/real-disk.ts';

/** The destination of the bytes of a file, one call at a time. */
export interface FileSink {
  /** Called before the first bytes, and again if the download restarts. Earlier bytes are then discarded. */
  begin(totalBytes: number | null): Promise<void>;
  write(chunk: Uint8Array): Promise<void>;
}

/** Passes bytes to `file`, and reports the bytes since the download began or restarted. */
export function countingSink(
  file: FileSink,
  onProgress: (done: number, total: number | null) => void,
): FileSink & { readonly done: number } {
  let done = 0;
  let total: number | null = null;
  return {
    get done() {
      return done;
    },
    async begin(totalBytes) {
      await file.begin(totalBytes);
      total = totalBytes;
      done = 0;
    },
    async write(chunk) {
      await file.write(chunk);
      done += chunk.byteLength;
      onProgress(done, total);
    },
  };
}

export interface ByteConsumer<Result> {
  write(chunk: Uint8Array): Promise<void>;
  /** Called after the last byte. Throws if the file must not be saved. */
  finish(): Promise<Result>;
  abort(): Promise<void>;
}

interface Part<Result> {
  path: string;
  file: DiskFile;
  reader: ByteConsumer<Result>;
  sizeBytes: number;
}

export class DownloadedFile<Result> implements FileSink {
  readonly #folder: string;
  readonly #startReading: () => ByteConsumer<Result>;
  #part: Part<Result>;

  private constructor(folder: string, startReading: () => ByteConsumer<Result>, part: Part<Result>) {
    this.#folder = folder;
    this.#startReading = startReading;
    this.#part = part;
  }

  /** Throws the errors of the disk before any request to an instance. */
  static async createIn<Result>(
    folder: string,
    startReading: () => ByteConsumer<Result>,
  ): Promise<DownloadedFile<Result>> {
    return new DownloadedFile(folder, startReading, await createPart(folder, startReading));
  }

  async begin(): Promise<void> {
    if (this.#part.sizeBytes === 0) return;
    await this.abandon();
    this.#part = await createPart(this.#folder, this.#startReading);
  }

  async write(chunk: Uint8Array): Promise<void> {
    const { path, file, reader } = this.#part;
    const written = writeAll(file, chunk).catch((thrown: unknown) => {
      throw diskError(thrown, path);
    });
    await Promise.all([written, reader.write(chunk)]);
    this.#part.sizeBytes += chunk.byteLength;
  }

  /** Resolves when all bytes are on disk. `path` is the temporary path. */
  async end(): Promise<{ path: string; sizeBytes: number; result: Result }> {
    const { path, file, reader, sizeBytes } = this.#part;
    const result = await reader.finish();
    await file.flush();
    await file.close();
    return { path, sizeBytes, result };
  }

  /** Deletes the partial file. Idempotent; never throws. */
  async abandon(): Promise<void> {
    const { path, file, reader } = this.#part;
    await reader.abort().catch(() => undefined);
    await file.close().catch(() => undefined);
    await realDisk.remove(path).catch(() => undefined);
  }
}

async function createPart<Result>(
  folder: string,
  startReading: () => ByteConsumer<Result>,
): Promise<Part<Result>> {
  const path = join(folder, `.packhorse-${randomBytes(6).toString('hex')}.part`);
  const file = await realDisk.create(path);
  return { path, file, reader: startReading(), sizeBytes: 0 };
}
