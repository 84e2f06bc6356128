/** @file What pruning needs of store and index: the archives of a project, and giving one up. Files first, then the row. */
import type { ArchiveStore } from '../archive/store.ts';
import type { ArchiveIndex, IndexedArchive } from '../catalogue/archives.ts';
import type { ArchivePort } from '../jobs/ports.ts';
import type { ArchiveRoots } from './archive-roots.ts';

const isReadable = ({ proof, damaged, verdict }: IndexedArchive): boolean =>
  damaged === null && verdict !== 'unusable' && proof !== null && proof.level !== 'L1';

export function createPruning(parts: {
  roots: ArchiveRoots;
  index: ArchiveIndex;
  inUse(): Set<string>;
  storeOf(archiveId: string): { store: ArchiveStore; path: string };
  changed(archiveId: string): void;
}): Pick<ArchivePort, 'archivesOf' | 'discard'> {
  const { roots, index } = parts;
  return {
    async archivesOf(project) {
      await roots.look();
      const inUse = parts.inUse();
      return index
        .ofProject(project)
        .filter(({ absent }) => !absent)
        .map((archive) => ({
          id: archive.id,
          path: archive.path,
          storedAt: archive.storedAt,
          sizeBytes: archive.sizeBytes,
          relations: archive.relations,
          readable: isReadable(archive),
          pinned: archive.pinned,
          inUse: inUse.has(archive.id),
        }));
    },
    async discard(archiveId, reason) {
      if (parts.inUse().has(archiveId)) return false;
      const { store, path } = parts.storeOf(archiveId);
      if (!(await store.discard(path, reason))) return false;
      index.remove(archiveId);
      parts.changed(archiveId);
      return true;
    },
  };
}
