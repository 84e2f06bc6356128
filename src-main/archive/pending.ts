/**
 * @file An archive that is being received: its bytes are inspected and written to a `.part` file of its own at once; it gets
 * its name only when it is whole, in the order of `durable-file.ts`, and then its manifest is written in the same order, so that an
 * acknowledged archive survives a power cut. What another attempt put there is never touched.
 */
import { basename } from 'node:path';
import type { Inspection, Manifest } from '../../src-contract/archive.ts';
import { AppError } from '../../src-contract/errors.ts';
import { type Disk, type DiskFile, writeAll } from '../platform/disk/disk.ts';
import { diskError } from '../platform/disk/disk-errors.ts';
import { moveFile, replaceFile } from '../platform/disk/durable-file.ts';
import { exists } from './folders.ts';
import type { InspectionSession, Piece } from './inspect.ts';
import { manifestSuffix } from './names.ts';
import { sidecarText } from './sidecar.ts';

/** What the store cannot know itself about an archive that it commits. */
export type ManifestFields = Pick<
  Manifest,
  'instance' | 'project' | 'serverVersion' | 'jobId' | 'appVersion' | 'sourceCounts' | 'findings'
> &
  Partial<Pick<Manifest, 'storedAt' | 'adopted'>>;

export interface PendingArchive {
  /** Relative to the root, with `/`: where the archive will stand. */
  readonly path: string;
  /** Takes the next bytes; they are copied. One call at a time. Rejects with a disk error or `archive-limit`. */
  write(chunk: Uint8Array): Promise<void>;
  /** All bytes came: flushes the file and tells what was received, whatever its verdict. */
  finish(): Promise<Inspection>;
  /**
   * Gives the archive its name and its manifest. Refuses an unusable one with `archive-corrupt`, and with `already-exists`
   * where another attempt was faster. When it fails, nothing of this attempt is left under the archive's name.
   */
  commit(fields: ManifestFields): Promise<Manifest>;
  /** Gives the bytes up: deleted, or moved to the trash folder with the reason beside them. May be called at any time. */
  discard(options?: { keepAs?: string }): Promise<void>;
}

/**
 * After so many bytes the free space is checked and a flush is started. The flush runs while more is received; a single flush at
 * the end would make the caller wait until the disk has written the whole archive.
 */
const bytesPerCheck = 64 * 1024 * 1024;

export interface PendingParts {
  disk: Disk;
  path: string;
  absolutePath: string;
  /** Where the bytes are written, and the open file; nobody else's. */
  part: string;
  file: DiskFile;
  session: InspectionSession;
  /** Rejects with `disk-full` when too little space is left for the rest. */
  checkSpace: () => Promise<void>;
  /** Runs work while nobody else, in whatever process, changes what stands under the names of archives. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  storedAt: () => string;
  toTrash: (absolutePath: string, reason: string) => Promise<void>;
  released: () => void;
}

export class PendingFile implements PendingArchive {
  readonly path: string;
  readonly #parts: PendingParts;
  readonly #part: string;
  /** The piece being filled; earlier ones are being written and inspected. */
  #piece: Piece | null = null;
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();
  #flushing: Promise<void> = Promise.resolve();
  #written = 0;
  #sinceCheck = 0;
  #open = true;
  #state: 'receiving' | 'received' | 'dead' | 'committed' | 'discarded' = 'receiving';
  #inspection: Inspection | null = null;

  constructor(parts: PendingParts) {
    this.#parts = parts;
    this.path = parts.path;
    this.#part = parts.part;
  }

  /** Handed to the disk so far. */
  get writtenBytes(): number {
    return this.#written;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#expect('receiving');
    for (let at = 0; at < chunk.length;) {
      this.#piece ??= await this.#orDie(() => this.#parts.session.emptyPiece());
      const { bytes } = this.#piece;
      const taken = chunk.subarray(at, at + bytes.length - this.#filled);
      bytes.set(taken, this.#filled);
      this.#filled += taken.length;
      at += taken.length;
      if (this.#filled === bytes.length) await this.#orDie(() => this.#passPieceOn());
    }
  }

  async finish(): Promise<Inspection> {
    this.#expect('receiving');
    return this.#orDie(async () => {
      await this.#passPieceOn();
      await this.#writing;
      this.#inspection = await this.#parts.session.finish();
      await this.#flushing;
      await this.#parts.file.flush();
      await this.#close();
      this.#state = 'received';
      return this.#inspection;
    });
  }

  async commit(fields: ManifestFields): Promise<Manifest> {
    this.#expect('received');
    const { alone, absolutePath } = this.#parts;
    const inspection = this.#inspection;
    if (inspection === null || inspection.verdict === 'unusable') {
      throw new AppError('archive-corrupt', 'What was received is not a usable archive', {
        details: { finding: inspection?.findings[0]?.code ?? 'none' },
      });
    }
    const manifest: Manifest = {
      schemaVersion: 1,
      file: basename(absolutePath),
      sizeBytes: inspection.sizeBytes,
      sha256: inspection.sha256,
      storedAt: this.#parts.storedAt(),
      ...fields,
      inspection,
    };
    await this.#orDie(() => alone(() => this.#place(manifest)));
    this.#state = 'committed';
    this.#parts.released();
    return manifest;
  }

  async discard(options: { keepAs?: string } = {}): Promise<void> {
    if (this.#state === 'committed' || this.#state === 'discarded') return;
    this.#state = 'discarded';
    const { disk, session, toTrash, released } = this.#parts;
    try {
      await session.abort();
      await Promise.allSettled([this.#writing, this.#flushing]);
      await this.#close().catch(() => undefined);
      if (options.keepAs === undefined) await disk.remove(this.#part);
      else if (await exists(this.#part)) await toTrash(this.#part, options.keepAs);
    } catch (error) {
      throw diskError(error, this.#part);
    } finally {
      released();
    }
  }

  async #place(manifest: Manifest): Promise<void> {
    const { disk, absolutePath } = this.#parts;
    const manifestPath = absolutePath + manifestSuffix;
    if ((await exists(absolutePath)) || (await exists(manifestPath))) {
      throw new AppError('already-exists', 'An archive of this name exists');
    }
    try {
      await moveFile(disk, this.#part, absolutePath);
      await replaceFile(disk, manifestPath, sidecarText(manifest));
    } catch (error) {
      // Whatever stands there now is ours. The manifest goes first: without one, a sweep clears the rest away.
      await disk
        .remove(manifestPath)
        .then(() => disk.remove(absolutePath))
        .catch(() => undefined);
      throw error;
    }
  }

  #expect(state: 'receiving' | 'received'): void {
    if (this.#state !== state) throw new AppError('internal', `The archive is ${this.#state}, not ${state}`);
  }

  /** One failure ends the attempt: nothing is written, flushed or renamed after it. */
  async #orDie<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#state = 'dead';
      throw diskError(error, this.#part);
    }
  }

  /** Waits for the previous write only; a failed write is thrown by the next call or by `finish`. */
  async #passPieceOn(): Promise<void> {
    await this.#writing;
    if (this.#sinceCheck >= bytesPerCheck) {
      this.#sinceCheck = 0;
      await this.#parts.checkSpace();
      await this.#flushing;
      this.#flushing = this.#parts.file.flush();
      this.#flushing.catch(() => undefined);
    }
    if (this.#piece === null) return;
    const bytes = this.#piece.bytes.subarray(0, this.#filled);
    this.#sinceCheck += bytes.length;
    this.#written += bytes.length;
    this.#writing = writeAll(this.#parts.file, bytes);
    this.#writing.catch(() => undefined);
    this.#piece.pass(this.#filled, this.#writing);
    this.#piece = null;
    this.#filled = 0;
  }

  async #close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#parts.file.close();
  }
}
