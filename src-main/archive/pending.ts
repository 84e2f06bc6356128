/**
 * @file An archive that is being received. Its bytes are inspected and written to its own `.part` file at the same
 * time. Once complete, the file is flushed and renamed by `durable-file.ts`. The manifest is written in the same
 * way, so that an acknowledged archive survives a power cut. Files of another attempt are never touched.
 */
import { basename } from 'node:path';
import type { Inspection, Manifest } from '../../src-contract/archives/archive.ts';
import { AppError } from '../../src-contract/errors.ts';
import { type Disk, type DiskFile, writeAll } from '../platform/disk/disk.ts';
import { diskError } from '../platform/disk/disk-errors.ts';
import { moveFile, replaceFile } from '../platform/disk/durable-file.ts';
import { exists } from './folders.ts';
import type { InspectionSession, SharedBuffer } from './inspect.ts';
import { manifestSuffix } from './names.ts';
import { serializeSidecar } from './sidecar.ts';

/** Facts that the caller supplies when it commits an archive. */
export type ManifestFields = Pick<
  Manifest,
  'instance' | 'project' | 'serverVersion' | 'jobId' | 'appVersion' | 'sourceCounts' | 'findings'
> &
  Partial<Pick<Manifest, 'storedAt' | 'receivedAt' | 'adopted'>>;

export interface PendingArchive {
  /** The future path of the archive, relative to the root, with `/`. */
  readonly path: string;
  /** Copies the next bytes. One call at a time. Rejects with a disk error or `archive-limit`. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the input: flushes the file and returns its inspection, whatever the verdict. */
  finish(): Promise<Inspection>;
  /**
   * Renames the archive to its final name and writes its manifest. Throws `archive-corrupt` for an unusable archive,
   * and `already-exists` if another attempt was faster. After a failure, no file of this attempt remains under the
   * archive's name.
   */
  commit(fields: ManifestFields): Promise<Manifest>;
  /**
   * Discards the bytes: deletes them, or with `trashReason` moves them to the trash folder. May be called at any time.
   */
  discard(options?: { trashReason?: string }): Promise<void>;
}

/**
 * After this many bytes the free space is checked and a flush is started, which runs while more is received. A single
 * flush at the end would block the caller until the disk has written the whole archive.
 */
const bytesPerCheck = 64 * 1024 * 1024;

export interface PendingFileOptions {
  disk: Disk;
  path: string;
  absolutePath: string;
  /** The path and the open file of this attempt alone. */
  partPath: string;
  file: DiskFile;
  session: InspectionSession;
  /** Rejects with `disk-full` if the remaining bytes would not fit. */
  checkSpace: () => Promise<void>;
  /** Runs work while no other process or caller changes the files of archives. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
  currentTime: () => string;
  moveToTrash: (absolutePath: string, reason: string) => Promise<void>;
  releasePath: () => void;
}

export class PendingFile implements PendingArchive {
  readonly path: string;
  readonly #options: PendingFileOptions;
  readonly #partPath: string;
  /** The piece being filled; earlier pieces are being written and inspected. */
  #piece: SharedBuffer | null = null;
  #filled = 0;
  #pendingWrite: Promise<void> = Promise.resolve();
  #pendingFlush: Promise<void> = Promise.resolve();
  #written = 0;
  #bytesSinceCheck = 0;
  #isOpen = true;
  #state: 'receiving' | 'received' | 'dead' | 'committed' | 'discarded' = 'receiving';
  #inspection: Inspection | null = null;

  constructor(options: PendingFileOptions) {
    this.#options = options;
    this.path = options.path;
    this.#partPath = options.partPath;
  }

  /** Bytes passed to the disk so far. */
  get writtenBytes(): number {
    return this.#written;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#assertState('receiving');
    for (let offset = 0; offset < chunk.length;) {
      this.#piece ??= await this.#failOnError(() => this.#options.session.acquireBuffer());
      const { bytes } = this.#piece;
      const part = chunk.subarray(offset, offset + bytes.length - this.#filled);
      bytes.set(part, this.#filled);
      this.#filled += part.length;
      offset += part.length;
      if (this.#filled === bytes.length) await this.#failOnError(() => this.#passPieceOn());
    }
  }

  async finish(): Promise<Inspection> {
    this.#assertState('receiving');
    return this.#failOnError(async () => {
      await this.#passPieceOn();
      await this.#pendingWrite;
      this.#inspection = await this.#options.session.finish();
      await this.#pendingFlush;
      await this.#options.file.flush();
      await this.#close();
      this.#state = 'received';
      return this.#inspection;
    });
  }

  async commit(fields: ManifestFields): Promise<Manifest> {
    this.#assertState('received');
    const { withLock, absolutePath } = this.#options;
    const inspection = this.#inspection;
    if (inspection === null || inspection.verdict === 'unusable') {
      throw new AppError('archive-corrupt', 'The received file is not a usable archive.', {
        details: { finding: inspection?.findings[0]?.code ?? 'none' },
      });
    }
    const manifest: Manifest = {
      schemaVersion: 1,
      file: basename(absolutePath),
      sizeBytes: inspection.sizeBytes,
      sha256: inspection.sha256,
      storedAt: this.#options.currentTime(),
      ...fields,
      inspection,
    };
    await this.#failOnError(() => withLock(() => this.#moveIntoPlace(manifest)));
    this.#state = 'committed';
    this.#options.releasePath();
    return manifest;
  }

  async discard(options: { trashReason?: string } = {}): Promise<void> {
    if (this.#state === 'committed' || this.#state === 'discarded') return;
    this.#state = 'discarded';
    const { disk, session, moveToTrash, releasePath } = this.#options;
    try {
      await session.abort();
      await Promise.allSettled([this.#pendingWrite, this.#pendingFlush]);
      await this.#close().catch(() => undefined);
      if (options.trashReason === undefined) await disk.remove(this.#partPath);
      else if (await exists(this.#partPath)) await moveToTrash(this.#partPath, options.trashReason);
    } catch (error) {
      throw diskError(error, this.#partPath);
    } finally {
      releasePath();
    }
  }

  async #moveIntoPlace(manifest: Manifest): Promise<void> {
    const { disk, absolutePath } = this.#options;
    const manifestPath = absolutePath + manifestSuffix;
    if ((await exists(absolutePath)) || (await exists(manifestPath))) {
      throw new AppError('already-exists', 'An archive of this name exists.');
    }
    try {
      await moveFile(disk, this.#partPath, absolutePath);
      await replaceFile(disk, manifestPath, serializeSidecar(manifest));
    } catch (error) {
      // Any file with that name is ours now. The manifest is removed first: without it, a sweep removes the rest.
      await disk
        .remove(manifestPath)
        .then(() => disk.remove(absolutePath))
        .catch(() => undefined);
      throw error;
    }
  }

  #assertState(state: 'receiving' | 'received'): void {
    if (this.#state !== state) throw new AppError('internal', `The archive is ${this.#state}, not ${state}.`);
  }

  /** The first failure ends the attempt: nothing is written, flushed or renamed after it. */
  async #failOnError<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#state = 'dead';
      throw diskError(error, this.#partPath);
    }
  }

  /** Waits only for the previous write. A failed write is thrown by the next call or by `finish`. */
  async #passPieceOn(): Promise<void> {
    await this.#pendingWrite;
    if (this.#bytesSinceCheck >= bytesPerCheck) {
      this.#bytesSinceCheck = 0;
      await this.#options.checkSpace();
      await this.#pendingFlush;
      this.#pendingFlush = this.#options.file.flush();
      this.#pendingFlush.catch(() => undefined);
    }
    if (this.#piece === null) return;
    const bytes = this.#piece.bytes.subarray(0, this.#filled);
    this.#bytesSinceCheck += bytes.length;
    this.#written += bytes.length;
    this.#pendingWrite = writeAll(this.#options.file, bytes);
    this.#pendingWrite.catch(() => undefined);
    this.#piece.submit(this.#filled, this.#pendingWrite);
    this.#piece = null;
    this.#filled = 0;
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#options.file.close();
  }
}
