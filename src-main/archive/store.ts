/**
 * @file The archive store: a folder tree of archives with a manifest and a state file beside each. Files are the truth;
 * nothing here knows of a catalogue. Only one process may begin archives and sweep at a time; any may read, verify and change
 * state files meanwhile. Links are never followed out of the root.
 */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Manifest, StateFile } from '../../src-contract/archive.ts';
import { manifestSchema, stateFileSchema } from '../../src-contract/archive-schema.ts';
import { AppError } from '../../src-contract/errors.ts';
import { isoTime, type Clock } from '../platform/clock.ts';
import { withFileLock } from '../platform/file-lock.ts';
import { IncomingArchives } from './incoming-archives.ts';
import type { Disk } from '../platform/disk/disk.ts';
import { isUnwritable, asDiskError } from '../platform/disk/disk-errors.ts';
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
import { readSidecar, sidecarText } from './sidecar.ts';
import {
  emptyTrash,
  moveBack,
  moveToTrash,
  removeTrashed,
  trashBytes,
  trashedArchives,
  undoMs,
  type TrashedArchive,
} from './trash.ts';
import { absenceOf, verifyArchive, withProof, type Verification } from './verify.ts';

export interface StoredArchive {
  /** Relative to the root, with `/`. */
  path: string;
  absolutePath: string;
  manifest: Manifest;
  state: StateFile;
  /** Nothing that could be read stands under the archive's name; `state.damaged` says so. */
  missing: boolean;
}

export interface ArchiveStore {
  readonly root: string;
  /** The folder to which archives that are given up are moved. */
  readonly trash: string;
  /**
   * Opens a place for an archive that is about to arrive. With `expectedBytes` it refuses early with `disk-full`, beside what the
   * others that arrive still need; what is missing of it is looked for again while it arrives. The same
   * identity names the same place, so that an interrupted attempt can be repeated; rejects with `already-exists` where a
   * committed archive stands.
   */
  createPending(identity: ArchiveIdentity & { expectedBytes?: number }): Promise<PendingArchive>;
  /**
   * Every archive that has a manifest, also one whose file is missing. `onUnreadable` is told of each manifest that cannot
   * be read, whose archive is left out, and of each such state file, whose archive comes as if nothing had been recorded.
   * Nothing is read of those that `isWanted` refuses by their paths. `below` limits it to one folder of the root, as `a/b`.
   */
  list(
    onUnreadable?: (path: string, error: AppError) => void,
    isWanted?: (path: string) => boolean,
    below?: string | null,
  ): AsyncIterable<StoredArchive>;
  /** Absolute paths of files that are called as exports are and have no manifest beside them. */
  untrackedFiles(): AsyncIterable<string>;
  /** Removes what interrupted work left behind and nobody writes now; returns the paths it cleared. */
  sweep(): Promise<string[]>;
  /** Rejects with `archive-missing` or `manifest-unreadable`. */
  readManifest(path: string): Promise<Manifest>;
  /** The state file, or the state of an archive about which nothing was recorded. */
  readState(path: string): Promise<StateFile>;
  updateState(path: string, change: (state: StateFile) => StateFile): Promise<StateFile>;
  /**
   * Checks the stored bytes against the manifest and records the proof, or the damage, in the state file. Where that
   * file cannot be written, the result says so; reading needs no right to write.
   */
  verify(path: string, level: 'L1' | 'L2', options?: InspectFileOptions): Promise<Verification>;
  /**
   * Moves an archive with its manifest and state file to the trash folder, the reason beside them. False, and nothing is done,
   * when it is pinned. Repeatable: what an interrupted discard left is moved too.
   */
  discard(path: string, reason: string): Promise<boolean>;
  trashBytes(): Promise<number>;
  /** Archives that were given up and are still in the trash folder. */
  trashed(): AsyncIterable<TrashedArchive>;
  /** Moves one back and pins it. Rejects with `archive-missing`, and `already-exists` where another stands in its place. */
  restore(path: string): Promise<void>;
  /** Removes for good what was given up so long ago that it cannot be brought back any more; returns their paths. */
  sweepTrash(): Promise<string[]>;
  /** Removes for good all that is in the trash folder; returns how many bytes that were. */
  emptyTrash(): Promise<number>;
  /** The archive's place on disk; rejects with `archive-unsafe` when the path leads out of the root. */
  locate(path: string): Promise<string>;
  freeBytes(): Promise<number>;
}

const freshState: StateFile = { schemaVersion: 1, pinned: false, note: null, proofs: [], damaged: null };

/**
 * The root is created when the first archive begins. `indexes` is the folder for record indexes of what is received and verified;
 * without it none are written. `disk` is replaced by tests that make it fail.
 */
export function openArchiveStore(options: {
  root: string;
  indexes?: string | undefined;
  disk?: Disk | undefined;
  clock: Clock;
}): ArchiveStore {
  return new Store(options.root, options.disk ?? realDisk, options.clock, options.indexes);
}

class Store implements ArchiveStore {
  readonly root: string;
  readonly trash: string;
  readonly #disk: Disk;
  readonly #clock: Clock;
  readonly #indexes: string | undefined;
  readonly #arrivals: IncomingArchives;
  /** The last work that was done alone; calls of one process wait here for their turn. */
  #lastAlone: Promise<unknown> = Promise.resolve();

  constructor(root: string, disk: Disk, clock: Clock, indexes: string | undefined) {
    this.root = root;
    this.trash = join(root, trashFolder);
    this.#disk = disk;
    this.#clock = clock;
    this.#indexes = indexes;
    this.#arrivals = new IncomingArchives({ root, disk, clock, indexes, alone: (work) => this.#alone(work) });
  }

  createPending(identity: ArchiveIdentity & { expectedBytes?: number }): Promise<PendingArchive> {
    return this.#arrivals.begin(identity);
  }

  async *list(
    onUnreadable?: (path: string, error: AppError) => void,
    isWanted: (path: string) => boolean = () => true,
    below: string | null = null,
  ): AsyncGenerator<StoredArchive> {
    for await (const file of filesBelow(this.root, below === null ? '' : `${below}/`)) {
      if (!file.endsWith(manifestSuffix)) continue;
      const path = file.slice(0, -manifestSuffix.length);
      if (!isWanted(path)) continue;
      const tell = (error: unknown): void => onUnreadable?.(path, AppError.from(error));
      try {
        const absolutePath = await this.locate(path);
        const manifest = await this.readManifest(path);
        const reason = await absenceOf(absolutePath);
        const known = await this.readState(path).catch((error: unknown) => {
          tell(error);
          return freshState;
        });
        const isNews = reason !== null && known.damaged?.reason !== reason;
        const state = isNews ? { ...known, damaged: { at: isoTime(this.#clock.now()), reason } } : known;
        yield { path, absolutePath, manifest, state, missing: reason !== null };
      } catch (error) {
        tell(error);
      }
    }
  }

  async *untrackedFiles(): AsyncGenerator<string> {
    for await (const path of filesBelow(this.root)) {
      const absolutePath = join(this.root, ...path.split('/'));
      const isArchive = isExportName(basename(path)) && !this.#arrivals.has(absolutePath);
      if (isArchive && !(await exists(absolutePath + manifestSuffix))) yield absolutePath;
    }
  }

  sweep(): Promise<string[]> {
    return this.#arrivals.sweep();
  }

  async readManifest(path: string): Promise<Manifest> {
    const file = (await this.locate(path)) + manifestSuffix;
    const manifest = await readSidecar(file, manifestSchema);
    if (manifest === null) {
      throw new AppError('archive-missing', 'There is no manifest of this archive', { details: { path } });
    }
    if (manifest.file !== basename(path)) {
      throw new AppError('manifest-unreadable', 'The manifest describes another file', { details: { path } });
    }
    return manifest;
  }

  async readState(path: string): Promise<StateFile> {
    const file = (await this.locate(path)) + stateSuffix;
    return (await readSidecar(file, stateFileSchema)) ?? freshState;
  }

  async updateState(path: string, change: (state: StateFile) => StateFile): Promise<StateFile> {
    const file = (await this.locate(path)) + stateSuffix;
    return this.#alone(async () => {
      const state = stateFileSchema.parse(change(await this.readState(path)));
      await replaceFile(this.#disk, file, sidecarText(state));
      return state;
    });
  }

  async verify(path: string, level: 'L1' | 'L2', options: InspectFileOptions = {}): Promise<Verification> {
    const manifest = await this.readManifest(path);
    const indexes = this.#indexes;
    const lacksIndex = indexes !== undefined && !(await hasRecordIndex(indexes, manifest.sha256));
    const how = lacksIndex ? { ...options, indexes } : options;
    const found = await verifyArchive(await this.locate(path), manifest, level, how);
    const at = isoTime(this.#clock.now());
    const change = (known: StateFile): StateFile =>
      found.damage !== null
        ? { ...known, damaged: { at, reason: found.damage } }
        : {
            ...known,
            damaged: null,
            proofs: withProof(known.proofs, { level: found.level, at, detail: found.detail }),
          };
    let unrecorded: AppError | null = null;
    const state = await this.updateState(path, change).catch(async (thrown: unknown) => {
      if (!isUnwritable(thrown)) throw thrown;
      unrecorded = AppError.from(thrown);
      return change(await this.readState(path));
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

  async discard(path: string, reason: string): Promise<boolean> {
    const archive = await this.locate(path);
    return this.#alone(async () => {
      if ((await this.readState(path)).pinned) return false;
      // The reverse of a commit: without its manifest, what is left is no archive any more and is swept away.
      const files = [archive + manifestSuffix, archive, archive + stateSuffix] as const;
      const why = { reason, at: this.#clock.now() };
      await asDiskError(archive, () => moveToTrash(this.#disk, this.root, archive, files, why));
      return true;
    });
  }

  trashed(): AsyncIterable<TrashedArchive> {
    return trashedArchives(this.root);
  }

  async restore(path: string): Promise<void> {
    const archive = await this.locate(path);
    await this.#alone(() => asDiskError(archive, () => moveBack(this.#disk, this.root, path, freshState)));
  }

  async sweepTrash(): Promise<string[]> {
    const before = this.#clock.now() - undoMs;
    const swept: string[] = [];
    for await (const { path, trashed } of trashedArchives(this.root)) {
      if (trashed === null || Date.parse(trashed.at) > before) continue;
      await this.#alone(() => asDiskError(path, () => removeTrashed(this.#disk, this.root, path)));
      swept.push(path);
    }
    return swept;
  }

  emptyTrash(): Promise<number> {
    return this.#alone(() => asDiskError(this.trash, () => emptyTrash(this.#disk, this.root)));
  }

  trashBytes(): Promise<number> {
    return asDiskError(this.root, () => trashBytes(this.root));
  }

  async locate(path: string): Promise<string> {
    const parts = path.split('/');
    const plain = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part));
    const absolutePath = join(this.root, ...parts);
    const folder = plain ? await realpath(dirname(absolutePath)).catch(() => null) : null;
    // A folder that is missing is told by the call that reads below it.
    const outside = folder !== null && !`${folder}${sep}`.startsWith(`${await realpath(this.root)}${sep}`);
    if (!plain || outside) {
      throw new AppError('archive-unsafe', 'The path leads out of the archive folder', { details: { path } });
    }
    return absolutePath;
  }

  freeBytes(): Promise<number> {
    return asDiskError(this.root, async () => {
      await ensureFolder(this.#disk, this.root);
      return this.#disk.freeBytes(this.root);
    });
  }

  /** Runs work while nobody else does, in whatever process. It must not wait for other work of this kind. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastAlone.then(() => withFileLock(join(this.root, lockFile), this.#clock, work));
    this.#lastAlone = turn.catch(() => undefined);
    return turn;
  }
}
