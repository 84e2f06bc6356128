/**
 * @file The archive store: a folder tree of archives with a manifest and a state file beside each. Files are the truth;
 * nothing here knows of a catalogue. Only one process may begin archives and sweep at a time. Links are never followed out
 * of the root.
 */
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import {
  manifestSchema,
  stateFileSchema,
  type Manifest,
  type StateFile,
} from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { isoTime, type Clock } from '../platform/clock.ts';
import { diskError, errnoOf, realDisk, type Disk } from './disk.ts';
import { startInspection, type InspectFileOptions } from './inspect.ts';
import {
  archivePath,
  isArchiveName,
  manifestSuffix,
  partSuffix,
  stateSuffix,
  trashFolder,
  type ArchiveIdentity,
} from './names.ts';
import { PendingFile, type PendingArchive } from './pending.ts';
import { readSidecar, replaceFile, sidecarText } from './sidecar.ts';
import { verifyArchive, withProof, type Verification } from './verify.ts';

/** Space that is left free on the disk, whatever is written. */
export const reservedBytes = 200 * 1024 * 1024;

export interface StoredArchive {
  /** Relative to the root, with `/`. */
  path: string;
  absolutePath: string;
  manifest: Manifest;
  state: StateFile;
}

export interface ArchiveStore {
  readonly root: string;
  /**
   * Opens a place for an archive that is about to arrive; `expectedBytes` lets it refuse early with `disk-full`. The same
   * identity names the same place, so that an interrupted attempt can be repeated; rejects with `already-exists` where a
   * committed archive stands.
   */
  begin(identity: ArchiveIdentity & { expectedBytes?: number }): Promise<PendingArchive>;
  /** Every archive that has a manifest. Unreadable ones are told to `onUnreadable` and left out. */
  list(onUnreadable?: (path: string, error: AppError) => void): AsyncIterable<StoredArchive>;
  /** Removes what interrupted work left behind and nobody writes now; returns the paths it cleared. */
  sweep(): Promise<string[]>;
  /** Rejects with `archive-missing` or `manifest-unreadable`. */
  readManifest(path: string): Promise<Manifest>;
  /** The state file, or the state of an archive about which nothing was recorded. */
  readState(path: string): Promise<StateFile>;
  updateState(path: string, change: (state: StateFile) => StateFile): Promise<StateFile>;
  /** Checks the stored bytes against the manifest and records the proof, or the damage, in the state file. */
  verify(path: string, level: 'L1' | 'L2', options?: InspectFileOptions): Promise<Verification>;
  /** The archive's place on disk; rejects with `archive-unsafe` when the path leads out of the root. */
  locate(path: string): Promise<string>;
  freeBytes(): Promise<number>;
}

const withoutManifest = 'Interrupted before its manifest was written';

const freshState: StateFile = { schemaVersion: 1, pinned: false, note: null, proofs: [], damaged: null };

/** The root is created when the first archive begins. `disk` is replaced by tests that make it fail. */
export function openArchiveStore(options: { root: string; disk?: Disk; clock: Clock }): ArchiveStore {
  return new Store(options.root, options.disk ?? realDisk, options.clock);
}

class Store implements ArchiveStore {
  readonly root: string;
  readonly #disk: Disk;
  readonly #clock: Clock;
  /** Archives being received, by absolute path; `sweep` leaves them alone. */
  readonly #pending = new Set<string>();
  /** The last change of each state file, so that two changes of one file never cross. */
  readonly #stateChanges = new Map<string, Promise<unknown>>();

  constructor(root: string, disk: Disk, clock: Clock) {
    this.root = root;
    this.#disk = disk;
    this.#clock = clock;
  }

  async begin(identity: ArchiveIdentity & { expectedBytes?: number }): Promise<PendingArchive> {
    const path = archivePath(identity);
    const absolutePath = join(this.root, ...path.split('/'));
    const part = absolutePath + partSuffix;
    await this.#orDiskError(part, () => this.#prepare(path, absolutePath));
    this.#pending.add(absolutePath);
    try {
      const expected = identity.expectedBytes ?? 0;
      await this.#checkSpace(expected + expected / 10);
      const file = await this.#disk.create(part);
      return new PendingFile({
        disk: this.#disk,
        path,
        absolutePath,
        file,
        session: startInspection(),
        checkSpace: () => this.#checkSpace(0),
        storedAt: () => isoTime(this.#clock.now()),
        toTrash: (from, reason) => this.#toTrash(from, reason),
        released: () => this.#pending.delete(absolutePath),
      });
    } catch (error) {
      this.#pending.delete(absolutePath);
      throw diskError(error, part);
    }
  }

  async *list(onUnreadable?: (path: string, error: AppError) => void): AsyncGenerator<StoredArchive> {
    for await (const file of this.#files(this.root, '')) {
      if (!file.endsWith(manifestSuffix)) continue;
      const path = file.slice(0, -manifestSuffix.length);
      try {
        const [manifest, state] = await Promise.all([this.readManifest(path), this.readState(path)]);
        yield { path, absolutePath: await this.locate(path), manifest, state };
      } catch (error) {
        onUnreadable?.(path, AppError.from(error));
      }
    }
  }

  async sweep(): Promise<string[]> {
    const swept: string[] = [];
    for await (const path of this.#files(this.root, '')) {
      const absolutePath = join(this.root, ...path.split('/'));
      if (this.#pending.has(absolutePath.replace(/\.part$/, ''))) continue;
      if (path.endsWith(partSuffix)) {
        await this.#orDiskError(absolutePath, () => this.#disk.remove(absolutePath));
      } else if (isArchiveName(basename(absolutePath)) && !(await exists(absolutePath + manifestSuffix))) {
        await this.#toTrash(absolutePath, withoutManifest);
      } else continue;
      swept.push(path);
    }
    return swept;
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
    const before = this.#stateChanges.get(file) ?? Promise.resolve();
    const changed = before.then(async () => {
      const state = stateFileSchema.parse(change(await this.readState(path)));
      await replaceFile(this.#disk, file, sidecarText(state));
      return state;
    });
    const settled = changed.catch(() => undefined);
    this.#stateChanges.set(file, settled);
    void settled.then(() => {
      if (this.#stateChanges.get(file) === settled) this.#stateChanges.delete(file);
    });
    return changed;
  }

  async verify(path: string, level: 'L1' | 'L2', options: InspectFileOptions = {}): Promise<Verification> {
    const manifest = await this.readManifest(path);
    const found = await verifyArchive(await this.locate(path), manifest, level, options);
    const at = isoTime(this.#clock.now());
    const state = await this.updateState(path, (known) =>
      found.damage !== null
        ? { ...known, damaged: { at, reason: found.damage } }
        : {
            ...known,
            damaged: null,
            proofs: withProof(known.proofs, { level: found.level, at, detail: found.detail }),
          },
    );
    return {
      proof:
        found.damage === null ? (state.proofs.find((proof) => proof.level === found.level) ?? null) : null,
      damaged: state.damaged,
      inspection: found.inspection,
    };
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
    return this.#orDiskError(this.root, async () => {
      await this.#ensureFolder(this.root);
      return this.#disk.freeBytes(this.root);
    });
  }

  /** Prepares the identity's place: its folders exist, and what an interrupted attempt left there is cleared away. */
  async #prepare(path: string, absolutePath: string): Promise<void> {
    if (this.#pending.has(absolutePath) || (await exists(absolutePath + manifestSuffix))) {
      throw new AppError('already-exists', 'This archive is stored already, or being received', {
        details: { path },
      });
    }
    await this.#makeFolders(path.split('/').slice(0, -1));
    await this.#disk.remove(absolutePath + partSuffix);
    if (await exists(absolutePath)) await this.#toTrash(absolutePath, withoutManifest);
  }

  async #makeFolders(names: readonly string[]): Promise<void> {
    await this.#ensureFolder(this.root);
    let folder = this.root;
    for (const name of names) {
      const below = join(folder, name);
      if (await this.#disk.makeFolder(below)) await this.#disk.flushFolder(folder);
      else if (!(await lstat(below)).isDirectory()) {
        throw new AppError('archive-unsafe', 'A link or a file stands where a folder belongs', {
          details: { path: below },
        });
      }
      folder = below;
    }
  }

  async #ensureFolder(path: string): Promise<void> {
    if (await exists(path)) return;
    const parent = dirname(path);
    if (parent !== path) await this.#ensureFolder(parent);
    await this.#disk.makeFolder(path);
    await this.#disk.flushFolder(parent);
  }

  async #checkSpace(wanted: number): Promise<void> {
    const free = await this.#disk.freeBytes(this.root);
    if (free < wanted + reservedBytes) {
      throw new AppError('disk-full', 'Too little space is left for archives', {
        retry: 'later',
        details: { freeBytes: free, neededBytes: Math.ceil(wanted + reservedBytes) },
      });
    }
  }

  async #toTrash(from: string, reason: string): Promise<void> {
    await this.#orDiskError(from, async () => {
      await this.#makeFolders([trashFolder]);
      const to = join(this.root, trashFolder, basename(from).replace(/\.part$/, ''));
      await replaceFile(this.#disk, `${to}.reason.txt`, `${reason}\n`);
      await this.#disk.rename(from, to);
      await this.#disk.flushFolder(dirname(from));
    });
  }

  /** Regular files below the root, as relative paths; neither links nor the trash folder are entered. */
  async *#files(folder: string, prefix: string): AsyncGenerator<string> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return [];
      throw diskError(error, folder);
    });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = prefix + entry.name;
      if (entry.isFile()) yield path;
      else if (entry.isDirectory() && path !== trashFolder)
        yield* this.#files(join(folder, entry.name), `${path}/`);
    }
  }

  async #orDiskError<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, path);
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
