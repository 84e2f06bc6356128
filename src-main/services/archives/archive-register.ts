/**
 * @file Adds the rows of stored archives to the catalogue. Files are written before the row. [Note: file before row]
 */
import {
  receptionTimeOf,
  type Manifest,
  type Proof,
  type StateFile,
} from '../../../src-contract/archives/archive.ts';
import type { ArchiveStore } from '../../archive/store.ts';
import { proofLevelOf } from '../../archive/verify.ts';
import {
  archiveFromFiles,
  type ArchiveOnDisk,
  type IndexedArchive,
} from '../../catalogue/archives/archive-rows.ts';
import type { StoredArchiveRef } from '../../jobs/ports.ts';
import type { Announce } from '../events.ts';
import { Service } from '../service.ts';
import { absentRootError, type ArchiveRoot } from './folders/archive-roots.ts';
import type { ArchiveCollection } from './archive-collection.ts';
import { completeState } from './remembered-state.ts';

export interface ArchiveRegisterDeps extends ArchiveCollection {
  announce: Announce;
}

export class ArchiveRegister extends Service<ArchiveRegisterDeps> {
  /**
   * Stores the first proof and the row. The proof is known, because a manifest is written only after the whole archive
   * was read.
   */
  async register(root: ArchiveRoot, path: string, manifest: Manifest): Promise<StoredArchiveRef> {
    const firstProof: Proof = { ...proofLevelOf(manifest.inspection), at: receptionTimeOf(manifest) };
    const state = await root.store.updateState(path, (current) =>
      current.proofs.length > 0 ? current : { ...current, proofs: [firstProof] },
    );
    const row = this.insert({ rootNumber: root.number, path, manifest, state });
    this.announceChange(row.id);
    return { id: row.id, path: row.absolutePath, manifest };
  }

  insert(archive: ArchiveOnDisk): IndexedArchive {
    return this.deps.index.insert(archiveFromFiles(archive), archive.manifest);
  }

  /** Announces that an archive changed; null means many at once. */
  announceChange(archiveId: string | null): void {
    this.deps.announce('archive.changed', { archiveId });
  }

  /**
   * Adds a row for every archive without one: a disk or a catalogue may have failed right after the manifest was
   * written.
   * @param folder a folder in the roots; null for all folders. @returns the paths of these archives.
   */
  async indexArchivesWithoutRow(folder: string | null = null): Promise<string[]> {
    const { roots, index } = this.deps;
    const indexedPaths: string[] = [];
    for (const root of await roots.refreshPresence()) {
      const hasNoRow = (path: string): boolean => index.findByPath(path, root.number) === null;
      for await (const stored of root.store.list(undefined, hasNoRow, folder)) {
        if (stored.missing) continue;
        await this.register(root, stored.path, stored.manifest).catch(() => {
          // On a read-only disk, or with an unreadable state file, the row is added without the first proof.
          this.announceChange(this.insert({ ...stored, rootNumber: root.number }).id);
        });
        indexedPaths.push(stored.path);
      }
    }
    return indexedPaths;
  }

  findByAbsolutePath(absolutePath: string): IndexedArchive | null {
    const location = this.deps.roots.locationOf(absolutePath);
    return location === null ? null : this.deps.index.findByPath(location.path, location.root.number);
  }

  /** Returns the store of an archive and the path in it. Throws while the archive folder is absent. */
  locationOf(archiveId: string): { store: ArchiveStore; path: string } {
    const { roots, index } = this.deps;
    const { root, path, absent } = index.get(archiveId);
    if (absent) throw absentRootError(roots.pathOf(root));
    return { store: roots.byNumber(root).store, path };
  }

  /**
   * Changes the state file of an archive. The change starts from all that is known of the archive, because the state
   * file may be absent.
   */
  async updateState(archiveId: string, change: (state: StateFile) => StateFile): Promise<void> {
    const { store, path } = this.locationOf(archiveId);
    const row = this.deps.index.get(archiveId);
    // Without a manifest, nothing shows that the row describes these bytes.
    const manifest = await store.readManifest(path).catch(() => null);
    await store.updateState(path, (state, hasStateFile) =>
      change(manifest === null ? state : completeState({ manifest, state, hasStateFile }, row)),
    );
  }
}
