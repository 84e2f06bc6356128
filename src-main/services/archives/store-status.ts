/** @file The state of the archive folders as a whole: what they hold, what is absent or damaged, and how much space is free. */
import type { ArchiveFolders } from '../../catalogue/archives/archive-folders.ts';
import type { ArchiveIndex } from '../../catalogue/archives/archive-index.ts';
import type { ArchiveRoots } from './folders/archive-roots.ts';
import type { Shelf } from './shelf.ts';

/** An archive folder that is absent, and what it held. */
export interface ArchiveAbsence {
  path: string;
  /** Another folder is in its place, such as an empty mount point. */
  replaced: boolean;
  archives: number;
  bytes: number;
  projects: number;
}

export class StoreStatus {
  readonly #roots: ArchiveRoots;
  readonly #folders: ArchiveFolders;
  readonly #index: ArchiveIndex;

  constructor(parts: Shelf & { folders: ArchiveFolders }) {
    this.#roots = parts.roots;
    this.#folders = parts.folders;
    this.#index = parts.index;
  }

  /** Counts only folders that are present. */
  totals(): { count: number; bytes: number } {
    return this.#folders.totals();
  }

  async absences(): Promise<ArchiveAbsence[]> {
    await this.#roots.look();
    return Promise.all(
      this.#folders.absences().map(async ({ root, ...held }) => {
        const folder = this.#roots.of(root);
        return { path: folder.path, replaced: await this.#roots.stands(folder), ...held };
      }),
    );
  }

  /** Damaged and unusable archives of projects without a newer readable archive, newest first. */
  bad(limit: number): ReturnType<ArchiveIndex['bad']> {
    return this.#index.bad(limit);
  }

  /** The folder of new archives, and its free space; null while that is unknown. */
  async space(): Promise<{ path: string; freeBytes: number | null }> {
    return { path: this.#roots.current().path, freeBytes: await this.#roots.freeBytes() };
  }
}
