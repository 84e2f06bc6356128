/**
 * @file Reads an export archive to its end in one pass and tells all that reading can tell. Hashing and inflating are fed
 * from here, walking and counting run in a worker; at most a few megabytes are held, whatever the archive's size.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Inspection } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { openArchive, readToEnd, type FileReadOptions } from './archive-file.ts';
import { defaultReadLimits, type ReadLimits } from './limits.ts';
import { Inflater, inflatedPieceBytes } from './reader/inflater.ts';
import type { FromWorker, ToWorker, WorkerInput } from './reader/inspect-worker.ts';
import type { UnpackedInspection } from './reader/inspector.ts';

const workerUrl = new URL(`./reader/inspect-worker${extname(import.meta.url)}`, import.meta.url);
const slotCount = 4;

export interface InspectionSession {
  /**
   * Takes the next bytes; they must stay unchanged until the promise resolves, and only then may the next be written.
   * Rejects with `archive-limit` as soon as a limit is crossed.
   */
  write(chunk: Uint8Array): Promise<void>;
  /** No more bytes come. Damage is told in the inspection; rejects with `archive-limit` only. */
  finish(): Promise<Inspection>;
  /** Ends the session without a result and frees what it holds; may be called at any time. */
  abort(): Promise<void>;
}

export function startInspection(
  options: { limits?: Partial<ReadLimits> | undefined } = {},
): InspectionSession {
  return new Session({ ...defaultReadLimits, ...options.limits });
}

class Session implements InspectionSession {
  readonly #hash = createHash('sha256');
  readonly #inflater: Inflater;
  readonly #worker: Worker;
  readonly #slots: Buffer[];
  readonly #freeSlots: number[];
  readonly #inspected: Promise<UnpackedInspection>;
  #fail: (error: AppError) => void = () => undefined;
  #failure: AppError | null = null;
  #packedBytes = 0;

  constructor(limits: ReadLimits) {
    const slots = Array.from({ length: slotCount }, () => new SharedArrayBuffer(inflatedPieceBytes));
    this.#slots = slots.map((slot) => Buffer.from(slot));
    this.#freeSlots = slots.map((_, index) => index);
    this.#worker = new Worker(workerUrl, { workerData: { limits, slots } satisfies WorkerInput });
    this.#inflater = new Inflater(limits, (bytes) => this.#hand(bytes));
    this.#inspected = new Promise((resolve, reject) => {
      this.#fail = (error) => {
        this.#failure ??= error;
        reject(this.#failure);
        this.#inflater.destroy();
        void this.#worker.terminate();
      };
      this.#worker.on('message', (message: FromWorker) => {
        if (message.kind === 'done') resolve(message.inspection);
        else if (message.kind === 'failed') this.#fail(AppError.fromData(message.error));
        else this.#slotIsFree(message.slot);
      });
      this.#worker.once('error', (error) => {
        this.#fail(AppError.from(error));
      });
    });
    this.#inspected.catch(() => undefined);
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#throwFailure();
    this.#packedBytes += chunk.length;
    const inflated = this.#inflater.write(chunk);
    this.#hash.update(chunk);
    await inflated;
    this.#throwFailure();
  }

  async finish(): Promise<Inspection> {
    const fault = await this.#inflater.finish();
    this.#throwFailure();
    this.#post({ finish: fault });
    const inspection = await this.#inspected;
    return { ...inspection, sha256: this.#hash.digest('hex'), sizeBytes: this.#packedBytes };
  }

  async abort(): Promise<void> {
    this.#fail(new AppError('cancelled', 'The inspection was given up'));
    await this.#worker.terminate();
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Copies a piece into a free slot for the worker; says whether there is room for another. */
  #hand(bytes: Buffer): boolean {
    const slot = this.#freeSlots.pop();
    if (slot === undefined) throw new Error('A piece was inflated while no slot was free');
    bytes.copy(this.#slots[slot] as Buffer);
    this.#post({ slot, length: bytes.length });
    return this.#freeSlots.length > 0;
  }

  #slotIsFree(slot: number): void {
    this.#freeSlots.push(slot);
    this.#inflater.resume();
  }
}

export interface InspectFileOptions extends FileReadOptions {
  limits?: Partial<ReadLimits> | undefined;
}

/**
 * Inspects a file of any origin. A damaged file is a verdict; errors are `archive-missing`, `archive-unsafe` (a link, a
 * folder, a device), `archive-changed` while it was read, `archive-limit`, `disk-denied`, `disk-failed`.
 */
export async function inspectFile(path: string, options: InspectFileOptions = {}): Promise<Inspection> {
  options.signal?.throwIfAborted();
  const file = await openArchive(path);
  const session = startInspection({ limits: options.limits });
  try {
    await readToEnd(file, options, (piece) => session.write(piece));
    return await session.finish();
  } catch (error) {
    await session.abort();
    throw error;
  } finally {
    await file.close();
  }
}
