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

const withoutManifest = 'Interrupted before its manifest was written';

export interface IncomingDependencies {
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
  readonly #parts: IncomingDependencies;
  /** The number of bytes that each archive still needs, by absolute path. `sweep` skips these archives. */
  readonly #pending = new Map<string, () => number>();

  constructor(parts: IncomingDependencies) {
    this.#parts = parts;
  }

  /** Returns whether an archive is being received for this absolute path. */
  has(absolutePath: string): boolean {
    return this.#pending.has(absolutePath);
  }

  /** See `createPending` of the store. */
  async begin(identity: ArchiveIdentity & { expectedBytes?: number }): Promise<PendingArchive> {
    const { root, disk, clock, recordIndexFolder, withLock: alone } = this.#parts;
    const path = archivePath(identity);
    const absolutePath = join(root, ...path.split('/'));
    const part = partPath(absolutePath);
    await withDiskErrors(part, () => this.#prepare(path, absolutePath));
    const expected = identity.expectedBytes ?? 0;
    const others = [...this.#pending.values()].reduce((sum, rest) => sum + rest(), 0);
    this.#pending.set(absolutePath, () => expected);
    try {
      await this.#checkSpace(expected + expected / 10 + others);
      const file = await disk.create(part);
      const rest = (): number => Math.max(0, expected - pending.writtenBytes);
      const pending = new PendingFile({
        disk,
        path,
        absolutePath,
        partPath: part,
        file,
        session: startInspection({ indexFolder: recordIndexFolder }),
        checkSpace: () => this.#checkSpace(rest()),
        withLock: alone,
        currentTime: () => isoTime(clock.now()),
        moveToTrash: (from, reason) => this.#toTrash(from, reason),
        releasePath: () => this.#pending.delete(absolutePath),
      });
      this.#pending.set(absolutePath, rest);
      return pending;
    } catch (error) {
      this.#pending.delete(absolutePath);
      throw diskError(error, part);
    }
  }

  /** Removes leftovers of interrupted downloads that nobody writes any more. Returns their relative paths. */
  async sweep(): Promise<string[]> {
    const { root, withLock: alone } = this.#parts;
    const swept: string[] = [];
    for await (const path of filesBelow(root)) {
      const absolutePath = join(root, ...path.split('/'));
      const isLeft = archiveOfPart(path) !== null || (await lacksManifest(absolutePath));
      if (isLeft && (await withDiskErrors(absolutePath, () => alone(() => this.#clear(path)))))
        swept.push(path);
    }
    return swept;
  }

  /** Creates the folders of the path and removes the leftovers of an interrupted commit. */
  async #prepare(path: string, absolutePath: string): Promise<void> {
    const { root, disk, withLock: alone } = this.#parts;
    if (this.#pending.has(absolutePath)) throw taken(path);
    await makeFolders(disk, root, path.split('/').slice(0, -1));
    await alone(async () => {
      if (await exists(absolutePath + manifestSuffix)) throw taken(path);
      if (await exists(absolutePath)) await this.#toTrash(absolutePath, withoutManifest);
    });
  }

  /** Removes one leftover under the lock. Returns false if it was finished, removed, or is being received. */
  async #clear(path: string): Promise<boolean> {
    const absolutePath = join(this.#parts.root, ...path.split('/'));
    const archive = archiveOfPart(absolutePath);
    if (this.#pending.has(archive ?? absolutePath)) return false;
    if (archive === null) {
      if (!(await lacksManifest(absolutePath))) return false;
      await this.#toTrash(absolutePath, withoutManifest);
    } else {
      if (!(await exists(absolutePath))) return false;
      await this.#parts.disk.remove(absolutePath);
    }
    return true;
  }

  async #checkSpace(wanted: number): Promise<void> {
    const free = await this.#parts.disk.freeBytes(this.#parts.root);
    if (free < wanted + reservedBytes) {
      throw new AppError('disk-full', 'Too little space is left for archives.', {
        retry: 'later',
        details: { freeBytes: free, neededBytes: Math.ceil(wanted + reservedBytes) },
      });
    }
  }

  async #toTrash(file: string, reason: string): Promise<void> {
    const { root, disk, clock } = this.#parts;
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

function taken(path: string): AppError {
  return new AppError('already-exists', 'This archive is already stored, or being received.', {
    details: { path },
  });
}
