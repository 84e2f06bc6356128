/**
 * @file The archives that are being received into a root: their paths, disk space and leftovers. `pending.ts` receives
 * one archive.
 */
import { basename, join } from 'node:path';
import { AppError } from '../../src-contract/errors.ts';
import { isoTime, type Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk/disk.ts';
import { diskError, withDiskErrors } from '../platform/disk/disk-errors.ts';
import { partPath } from '../platform/disk/durable-file.ts';
import { exists, filesBelow, makeFolders } from './folders.ts';
import { startInspection } from './inspect.ts';
import { archiveOfPart, archivePath, isArchiveName, manifestSuffix, type ArchiveIdentity } from './names.ts';
import { PendingFile, type PendingArchive } from './pending.ts';
import { moveToTrash } from './trash.ts';

/** Space that always stays free on the disk, for manifests, the catalogue, and other files. */
export const reservedBytes = 200 * 1024 * 1024;

const missingManifestReason = 'Interrupted before its manifest was written';

export interface IncomingDeps {
  root: string;
  disk: Disk;
  clock: Clock;
  /** The folder for record indexes of received archives; without it none are written. */
  recordIndexFolder: string | undefined;
  /** Runs work while no other process or caller changes the files of archives. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
}

/** All archives that this process is receiving into one root. */
export class IncomingArchives {
  readonly #deps: IncomingDeps;
  /** The number of bytes that each archive still needs, by absolute path. `sweep` skips these archives. */
  readonly #pending = new Map<string, () => number>();

  constructor(deps: IncomingDeps) {
    this.#deps = deps;
  }

  /** Returns whether an archive is being received for this absolute path. */
  has(absolutePath: string): boolean {
    return this.#pending.has(absolutePath);
  }

  /** Starts receiving an archive. `createPending` of the store describes the details and errors. */
  async begin(identity: ArchiveIdentity & { expectedBytes?: number }): Promise<PendingArchive> {
    const { root, disk, clock, recordIndexFolder, withLock } = this.#deps;
    const path = archivePath(identity);
    const absolutePath = join(root, ...path.split('/'));
    const part = partPath(absolutePath);
    await withDiskErrors(part, () => this.#prepare(path, absolutePath));
    const expectedBytes = identity.expectedBytes ?? 0;
    const otherBytes = [...this.#pending.values()].reduce((sum, remainingBytes) => sum + remainingBytes(), 0);
    this.#pending.set(absolutePath, () => expectedBytes);
    try {
      await this.#checkSpace(expectedBytes + expectedBytes / 10 + otherBytes);
      const file = await disk.create(part);
      const remainingBytes = (): number => Math.max(0, expectedBytes - pending.writtenBytes);
      const pending = new PendingFile({
        disk,
        path,
        absolutePath,
        partPath: part,
        file,
        session: startInspection({ indexFolder: recordIndexFolder }),
        checkSpace: () => this.#checkSpace(remainingBytes()),
        withLock,
        currentTime: () => isoTime(clock.now()),
        moveToTrash: (from, reason) => this.#moveToTrash(from, reason),
        releasePath: () => this.#pending.delete(absolutePath),
      });
      this.#pending.set(absolutePath, remainingBytes);
      return pending;
    } catch (error) {
      this.#pending.delete(absolutePath);
      throw diskError(error, part);
    }
  }

  /** Removes leftovers of interrupted downloads that nobody writes any more. Returns their relative paths. */
  async sweep(): Promise<string[]> {
    const { root, withLock } = this.#deps;
    const removedPaths: string[] = [];
    for await (const path of filesBelow(root)) {
      const absolutePath = join(root, ...path.split('/'));
      const isLeftover = archiveOfPart(path) !== null || (await lacksManifest(absolutePath));
      if (isLeftover && (await withDiskErrors(absolutePath, () => withLock(() => this.#clear(path)))))
        removedPaths.push(path);
    }
    return removedPaths;
  }

  /** Creates the folders of the path and removes the leftovers of an interrupted commit. */
  async #prepare(path: string, absolutePath: string): Promise<void> {
    const { root, disk, withLock } = this.#deps;
    if (this.#pending.has(absolutePath)) throw alreadyExistsError(path);
    await makeFolders(disk, root, path.split('/').slice(0, -1));
    await withLock(async () => {
      if (await exists(absolutePath + manifestSuffix)) throw alreadyExistsError(path);
      if (await exists(absolutePath)) await this.#moveToTrash(absolutePath, missingManifestReason);
    });
  }

  /** Removes one leftover under the lock. Returns false if it was finished, removed, or is being received. */
  async #clear(path: string): Promise<boolean> {
    const absolutePath = join(this.#deps.root, ...path.split('/'));
    const archive = archiveOfPart(absolutePath);
    if (this.#pending.has(archive ?? absolutePath)) return false;
    if (archive === null) {
      if (!(await lacksManifest(absolutePath))) return false;
      await this.#moveToTrash(absolutePath, missingManifestReason);
    } else {
      if (!(await exists(absolutePath))) return false;
      await this.#deps.disk.remove(absolutePath);
    }
    return true;
  }

  async #checkSpace(requiredBytes: number): Promise<void> {
    const freeBytes = await this.#deps.disk.freeBytes(this.#deps.root);
    if (freeBytes < requiredBytes + reservedBytes) {
      throw new AppError('disk-full', 'Too little space is left for archives.', {
        retry: 'later',
        details: { freeBytes, neededBytes: Math.ceil(requiredBytes + reservedBytes) },
      });
    }
  }

  async #moveToTrash(file: string, reason: string): Promise<void> {
    const { root, disk, clock } = this.#deps;
    const why = { reason, at: clock.now() };
    await withDiskErrors(file, () => moveToTrash(disk, root, archiveOfPart(file) ?? file, [file], why));
  }
}

/** Returns whether the file has the name of an archive and was never committed. */
async function lacksManifest(absolutePath: string): Promise<boolean> {
  return (
    isArchiveName(basename(absolutePath)) &&
    (await exists(absolutePath)) &&
    !(await exists(absolutePath + manifestSuffix))
  );
}

function alreadyExistsError(path: string): AppError {
  return new AppError('already-exists', 'This archive is already stored, or being received.', {
    details: { path },
  });
}
