/**
 * @file Reads an export archive to its end in one pass and reports all findings. Hashing runs here; inflating, walking
 * and counting run in a worker. Memory use is a few megabytes, whatever the archive's size.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Inspection } from '../../src-contract/archives/archive.ts';
import { AppError } from '../../src-contract/errors.ts';
import { openArchive, toReadError, readToEnd, type FileReadOptions, type Read } from './archive-file.ts';
import { slotBytes, acquireWorker, type InspectionWorker } from './inspection-workers.ts';
import { indexFile, temporaryIndexFile } from './records/index-files.ts';
import { defaultReadLimits, LimitExceeded, type ReadLimits } from './limits.ts';
import type { ContentInspection } from './reader/inspector.ts';

/** Memory shared with the worker. The caller fills it from its beginning and passes it on once. */
export interface SharedBuffer {
  readonly bytes: Buffer;
  /** Passes the first `length` bytes on. Reuses the memory once the worker has read it and `pendingUse` has settled. */
  submit(length: number, pendingUse: Promise<unknown>): void;
}

export interface InspectionSession {
  /**
   * Waits for a free buffer, which the caller fills and submits instead of calling `write`. Rejects with
   * `archive-limit` past a limit.
   */
  acquireBuffer(): Promise<SharedBuffer>;
  /** Copies the next bytes; await it before the next call. Rejects with `archive-limit` past a limit. */
  write(chunk: Uint8Array): Promise<void>;
  /** Like `write`, but pulls the bytes with `read`, straight into the worker's memory, until it returns 0. */
  pullFrom(read: Read): Promise<void>;
  /** Ends the input. Damage is reported in the inspection; rejects with `archive-limit` only. */
  finish(): Promise<Inspection>;
  /** Ends the session without a result and frees its resources. May be called at any time. */
  abort(): Promise<void>;
}

export interface InspectionOptions {
  limits?: Partial<ReadLimits> | undefined;
  /**
   * The folder for the record index, created if missing. Without this folder, or for an unusable archive, no index is
   * written.
   */
  indexFolder?: string | undefined;
}

export function startInspection(options: InspectionOptions = {}): InspectionSession {
  return new Session({ ...defaultReadLimits, ...options.limits }, options.indexFolder ?? null);
}

class Session implements InspectionSession {
  readonly #hash = createHash('sha256');
  readonly #worker: InspectionWorker;
  readonly #freeSlots: number[];
  readonly #result = Promise.withResolvers<ContentInspection>();
  /** By slot, the caller's pending use of its memory. */
  readonly #pendingUses = new Map<number, Promise<unknown>>();
  /** Ends the wait for a slot, once a slot is returned or the session fails. */
  #wake: () => void = () => undefined;
  #failure: AppError | null = null;
  #packedBytes = 0;
  readonly #indexFolder: string | null;
  readonly #indexPart: string | null;

  constructor(limits: ReadLimits, indexFolder: string | null) {
    this.#indexFolder = indexFolder;
    this.#indexPart = indexFolder === null ? null : temporaryIndexFile(indexFolder);
    this.#worker = acquireWorker(
      (message) => {
        if (message.kind === 'done') this.#result.resolve(message.inspection);
        else if (message.kind === 'limit') this.#fail(new LimitExceeded(message.limit, message.allowed));
        else if (message.kind === 'free') void this.#releaseSlot(message.slot);
      },
      (error) => {
        this.#fail(error);
      },
    );
    this.#freeSlots = [...this.#worker.slots.keys()];
    this.#worker.post({ limits, indexPart: this.#indexPart });
    this.#result.promise.catch(() => undefined);
  }

  async acquireBuffer(): Promise<SharedBuffer> {
    const slot = await this.#acquireSlot();
    const bytes = this.#worker.slots[slot] as Buffer;
    return {
      bytes,
      submit: (length, pendingUse) => {
        this.#pendingUses.set(slot, pendingUse);
        this.#pass(slot, bytes.subarray(0, length));
      },
    };
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let offset = 0; offset < chunk.length; offset += slotBytes) {
      const piece = chunk.subarray(offset, offset + slotBytes);
      const slot = await this.#acquireSlot();
      this.#worker.slots[slot]?.set(piece);
      this.#pass(slot, piece);
    }
  }

  async pullFrom(read: Read): Promise<void> {
    let nextPiece = this.#readAhead(read);
    try {
      for (let piece = await nextPiece; piece.bytes.length > 0; piece = await nextPiece) {
        // The next piece is read while this one is hashed here and inflated in the worker.
        nextPiece = this.#readAhead(read);
        this.#pass(piece.slot, piece.bytes);
      }
    } finally {
      // The file must not be closed during a read.
      await nextPiece.catch(() => undefined);
    }
  }

  async #readAhead(read: Read): Promise<{ slot: number; bytes: Buffer }> {
    const slot = await this.#acquireSlot();
    const buffer = this.#worker.slots[slot] as Buffer;
    return { slot, bytes: buffer.subarray(0, await read(buffer)) };
  }

  async finish(): Promise<Inspection> {
    this.#throwFailure();
    const sha256 = this.#hash.digest('hex');
    this.#worker.post({
      sha256,
      indexName: this.#indexFolder === null ? null : indexFile(this.#indexFolder, sha256),
    });
    const inspection = await this.#result.promise;
    this.#worker.release();
    return { ...inspection, sha256, sizeBytes: this.#packedBytes };
  }

  async abort(): Promise<void> {
    this.#fail(new AppError('cancelled', 'The inspection was aborted.'));
    await this.#stop();
  }

  /** Ends the worker, and removes a file that it was writing. */
  async #stop(): Promise<void> {
    await this.#worker.terminate();
    if (this.#indexPart !== null) await rm(this.#indexPart, { force: true }).catch(() => undefined);
  }

  #pass(slot: number, bytes: Uint8Array): void {
    this.#worker.post({ slot, length: bytes.length });
    this.#hash.update(bytes);
    this.#packedBytes += bytes.length;
  }

  async #releaseSlot(slot: number): Promise<void> {
    // The owner of that promise reports its failure.
    await this.#pendingUses.get(slot)?.catch(() => undefined);
    this.#freeSlots.push(slot);
    this.#wake();
  }

  async #acquireSlot(): Promise<number> {
    for (;;) {
      this.#throwFailure();
      const slot = this.#freeSlots.pop();
      if (slot !== undefined) return slot;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= AppError.from(toReadError(error));
    this.#result.reject(this.#failure);
    this.#wake();
    void this.#stop();
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

export interface InspectFileOptions extends FileReadOptions, InspectionOptions {}

/**
 * Inspects a file of any origin. The verdict reports a damaged file. Throws `archive-missing`, `archive-unsafe` (a
 * link, a folder, a device), `archive-changed` while reading, `archive-limit`, `disk-denied` and `disk-failed`.
 */
export async function inspectFile(path: string, options: InspectFileOptions = {}): Promise<Inspection> {
  options.signal?.throwIfAborted();
  const file = await openArchive(path);
  const session = startInspection(options);
  try {
    await readToEnd(file, options, (read) => session.pullFrom(read));
    return await session.finish();
  } catch (error) {
    await session.abort();
    throw error;
  } finally {
    await file.close();
  }
}
