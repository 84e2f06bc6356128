/**
 * @file The archive store: a folder tree of archives with a manifest and a state file beside each. Files are the truth;
 * the store does not use the catalogue. Only one process may create archives and sweep at a time; any process may read,
 * verify and change state files meanwhile. Links out of the root are never followed.
 */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Manifest, StateFile } from '../../src-contract/archives/archive.ts';
import { manifestSchema, stateFileSchema } from '../../src-contract/archives/archive-schema.ts';
import { AppError } from '../../src-contract/errors.ts';
import { isoTime, type Clock } from '../platform/clock.ts';
import { withFileLock } from '../platform/file-lock.ts';
import { IncomingArchives } from './incoming-archives.ts';
import type { Disk } from '../platform/disk/disk.ts';
import { isUnwritableError, withDiskErrors } from '../platform/disk/disk-errors.ts';
import { replaceFile } from '../platform/disk/durable-file.ts';
import { realDisk } from '../platform/disk/real-disk.ts';
import { ensureFolder, exists, filesBelow } from './folders.ts';
import type { InspectFileOptions } from './inspect.ts';
import {
  isExportName,
  lockFile,
  manifestSuffix,
  stateSuffix,
  trashFolder,
  type ArchiveIdentity,
} from './names.ts';
import type { PendingArchive } from './pending.ts';
import { hasRecordIndex } from './records/index-files.ts';
import { readSidecar, serializeSidecar } from './sidecar.ts';
import {
  emptyTrash,
  restoreFromTrash,
  moveToTrash,
  removeTrashed,
  trashBytes,
  trashedArchives,
  trashRetentionMs,
  type TrashedArchive,
} from './trash.ts';
import { missingReasonOf, verifiedState, verifyArchive, type Verification } from './verify.ts';

export interface FoundState {
  manifest: Manifest;
  /** Empty without a readable state file. */
  state: StateFile;
  hasStateFile: boolean;
}

export interface StoredArchive extends FoundState {
  /** Relative to the root, with `/`. */
  path: string;
  absolutePath: string;
  /** There is no readable file under the archive's name; `state.damaged` says so. */
  missing: boolean;
}

const freshState: StateFile = { schemaVersion: 1, pinned: false, note: null, proofs: [], damaged: null };

const isUnreadable = (thrown: unknown): boolean => AppError.from(thrown).code === 'manifest-unreadable';

/**
 * The root is created with the first archive. `indexFolder` is the folder for record indexes of received and verified
 * archives; without it none are written. Tests replace `disk` to make it fail.
 */
export function openArchiveStore(options: {
  root: string;
  indexFolder?: string | undefined;
  disk?: Disk | undefined;
  clock: Clock;
}): ArchiveStore {
  return new ArchiveStore(options.root, options.disk ?? realDisk, options.clock, options.indexFolder);
}

export class ArchiveStore {
  readonly root: string;
  /** The folder for discarded archives. */
  readonly trash: string;
  readonly #disk: Disk;
  readonly #clock: Clock;
  readonly #indexFolder: string | undefined;
  readonly #incoming: IncomingArchives;
  /** The last work under the lock; calls of one process queue here. */
  #lastLocked: Promise<unknown> = Promise.resolve();

  constructor(root: string, disk: Disk, clock: Clock, indexFolder: string | undefined) {
    this.root = root;
    this.trash = join(root, trashFolder);
    this.#disk = disk;
    this.#clock = clock;
    this.#indexFolder = indexFolder;
    this.#incoming = new IncomingArchives({
      root,
      disk,
      clock,
      recordIndexFolder: indexFolder,
      withLock: (work) => this.#withLock(work),
    });
  }

  /**
   * Reserves a place for an archive that is about to arrive. With `expectedBytes` it throws `disk-full` early, counting
   * the space that other incoming archives still need. The same identity has the same place, so that an interrupted
   * attempt can be repeated. Rejects with `already-exists` if a committed archive is there.
   */
  createPending(identity: ArchiveIdentity & { expectedBytes?: number }): Promise<PendingArchive> {
    return this.#incoming.begin(identity);
  }

  /**
   * Yields every archive that has a manifest, even if its file is missing. `onUnreadable` is called for each unreadable
   * manifest, whose archive is left out, and for each unreadable state file, whose archive is yielded with an empty
   * state. Reads nothing of archives that `isWanted` refuses. `folder` limits the list to one folder, as `a/b`.
   */
  async *list(
    onUnreadable?: (path: string, error: AppError) => void,
    isWanted: (path: string) => boolean = () => true,
    folder: string | null = null,
  ): AsyncGenerator<StoredArchive> {
    for await (const file of filesBelow(this.root, folder === null ? '' : `${folder}/`)) {
      if (!file.endsWith(manifestSuffix)) continue;
      const path = file.slice(0, -manifestSuffix.length);
      if (!isWanted(path)) continue;
      const reportUnreadable = (error: unknown): void => onUnreadable?.(path, AppError.from(error));
      try {
        const absolutePath = await this.locate(path);
        const manifest = await this.readManifest(path);
        const reason = await missingReasonOf(absolutePath);
        const foundState = await this.#findState(path).catch((error: unknown) => {
          reportUnreadable(error);
          return null;
        });
        const storedState = foundState ?? freshState;
        const isNewDamage = reason !== null && storedState.damaged?.reason !== reason;
        const state = isNewDamage
          ? { ...storedState, damaged: { at: isoTime(this.#clock.now()), reason } }
          : storedState;
        const hasStateFile = foundState !== null;
        yield { path, absolutePath, manifest, state, hasStateFile, missing: reason !== null };
      } catch (error) {
        reportUnreadable(error);
      }
    }
  }

  /** Yields absolute paths of files that are named like exports and have no manifest. */
  async *untrackedFiles(): AsyncGenerator<string> {
    for await (const path of filesBelow(this.root)) {
      const absolutePath = join(this.root, ...path.split('/'));
      const isArchive = isExportName(basename(path)) && !this.#incoming.has(absolutePath);
      if (isArchive && !(await exists(absolutePath + manifestSuffix))) yield absolutePath;
    }
  }

  /** Removes the leftovers of interrupted work that nobody writes any more; returns their paths. */
  sweep(): Promise<string[]> {
    return this.#incoming.sweep();
  }

  /** Rejects with `archive-missing` or `manifest-unreadable`. */
  async readManifest(path: string): Promise<Manifest> {
    const file = (await this.locate(path)) + manifestSuffix;
    const manifest = await readSidecar(file, manifestSchema);
    if (manifest === null) {
      throw new AppError('archive-missing', 'This archive has no manifest.', { details: { path } });
    }
    if (manifest.file !== basename(path)) {
      throw new AppError('manifest-unreadable', 'The manifest describes another file.', {
        details: { path },
      });
    }
    return manifest;
  }

  /** Returns the content of the state file, or an empty state. */
  async readState(path: string): Promise<StateFile> {
    return (await this.#findState(path)) ?? freshState;
  }

  async #findState(path: string): Promise<StateFile | null> {
    const file = (await this.locate(path)) + stateSuffix;
    return readSidecar(file, stateFileSchema);
  }

  async updateState(
    path: string,
    change: (state: StateFile, hasStateFile: boolean) => StateFile,
  ): Promise<StateFile> {
    const file = (await this.locate(path)) + stateSuffix;
    return this.#withLock(async () => {
      const current = await this.#findState(path);
      const state = stateFileSchema.parse(change(current ?? freshState, current !== null));
      await replaceFile(this.#disk, file, serializeSidecar(state));
      return state;
    });
  }

  /**
   * Checks the stored bytes against the manifest and records the proof, or the damage, in the state file. Also records
   * a complete reading that is worse than the manifest says. If that file cannot be written or is unreadable, the
   * result says so, because the damage must be known all the same. `complete` adds what the caller knows of the archive.
   */
  async verify(
    path: string,
    level: 'L1' | 'L2',
    options: InspectFileOptions = {},
    complete: (found: FoundState) => StateFile = ({ state }) => state,
  ): Promise<Verification> {
    const manifest = await this.readManifest(path);
    const indexFolder = this.#indexFolder;
    const lacksIndex = indexFolder !== undefined && !(await hasRecordIndex(indexFolder, manifest.sha256));
    const inspectOptions = lacksIndex ? { ...options, indexFolder } : options;
    const found = await verifyArchive(await this.locate(path), manifest, level, inspectOptions);
    const at = isoTime(this.#clock.now());
    const change = (state: StateFile, hasStateFile: boolean): StateFile => {
      const current = complete({ manifest, state, hasStateFile });
      return found.damage !== null
        ? { ...current, damaged: { at, reason: found.damage } }
        : verifiedState(current, manifest, found, at);
    };
    let unrecorded: AppError | null = null;
    const state = await this.updateState(path, change).catch(async (thrown: unknown) => {
      if (!isUnwritableError(thrown) && !isUnreadable(thrown)) throw thrown;
      unrecorded = AppError.from(thrown);
      const current = await this.#findState(path).catch((error: unknown) => {
        if (isUnreadable(error)) return null;
        throw error;
      });
      return change(current ?? freshState, current !== null);
    });
    return {
      proof:
        found.damage === null ? (state.proofs.find((proof) => proof.level === found.level) ?? null) : null,
      damaged: state.damaged,
      inspection: found.inspection,
      state,
      unrecorded,
    };
  }

  /** Moves an archive with its sidecars to the trash. Returns false if it is pinned. Idempotent. */
  async discard(path: string, reason: string): Promise<boolean> {
    const archive = await this.locate(path);
    return this.#withLock(async () => {
      if ((await this.readState(path)).pinned) return false;
      // A commit writes the manifest last, so the manifest moves first. If the move is interrupted, a sweep removes the
      // rest.
      const files = [archive + manifestSuffix, archive, archive + stateSuffix] as const;
      const discardNote = { reason, at: this.#clock.now() };
      await withDiskErrors(archive, () => moveToTrash(this.#disk, this.root, archive, files, discardNote));
      return true;
    });
  }

  /** Yields discarded archives that are still in the trash folder. */
  listTrashed(): AsyncIterable<TrashedArchive> {
    return trashedArchives(this.root);
  }

  /**
   * Moves a discarded archive back and pins it. Rejects with `archive-missing`, and with `already-exists` if its place
   * is taken.
   */
  async restore(path: string): Promise<void> {
    const archive = await this.locate(path);
    await this.#withLock(() =>
      withDiskErrors(archive, () => restoreFromTrash(this.#disk, this.root, path, freshState)),
    );
  }

  /** Permanently removes archives whose time in the trash folder is over; returns their paths. */
  async sweepTrash(): Promise<string[]> {
    const before = this.#clock.now() - trashRetentionMs;
    const swept: string[] = [];
    for await (const { path, trashed } of trashedArchives(this.root)) {
      if (trashed === null || Date.parse(trashed.at) > before) continue;
      await this.#withLock(() => withDiskErrors(path, () => removeTrashed(this.#disk, this.root, path)));
      swept.push(path);
    }
    return swept;
  }

  /** Permanently removes everything in the trash folder; returns the number of bytes. */
  emptyTrash(): Promise<number> {
    return this.#withLock(() => withDiskErrors(this.trash, () => emptyTrash(this.#disk, this.root)));
  }

  trashBytes(): Promise<number> {
    return withDiskErrors(this.root, () => trashBytes(this.root));
  }

  /** Returns the archive's path on disk; rejects with `archive-unsafe` if the path leads out of the root. */
  async locate(path: string): Promise<string> {
    const parts = path.split('/');
    const isPlain = parts.every(
      (part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part),
    );
    const absolutePath = join(this.root, ...parts);
    const folder = isPlain ? await realpath(dirname(absolutePath)).catch(() => null) : null;
    // The call that then reads from the folder reports a missing folder.
    const isOutside = folder !== null && !`${folder}${sep}`.startsWith(`${await realpath(this.root)}${sep}`);
    if (!isPlain || isOutside) {
      throw new AppError('archive-unsafe', 'The path leads out of the archive folder.', {
        details: { path },
      });
    }
    return absolutePath;
  }

  freeBytes(): Promise<number> {
    return withDiskErrors(this.root, async () => {
      await ensureFolder(this.#disk, this.root);
      return this.#disk.freeBytes(this.root);
    });
  }

  /** Runs work under the lock, across all processes. The work must not wait for other work of this kind. */
  #withLock<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastLocked.then(() => withFileLock(join(this.root, lockFile), this.#clock, work));
    this.#lastLocked = result.catch(() => undefined);
    return result;
  }
}
