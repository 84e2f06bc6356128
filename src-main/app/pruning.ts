/** @file What pruning needs of store and index: the archives of a project, and giving one up. Files first, then the row. */
import { lstat } from 'node:fs/promises';
import type { ArchiveStore } from '../archive/store.ts';
import type { ArchiveIndex, IndexedArchive } from '../catalogue/archives.ts';
import type { ArchivePort } from '../jobs/ports.ts';
import type { ArchiveRoots } from './archive-roots.ts';

/** A row stays when somebody takes its file away; it must not then count as an archive that is kept. */
async function isReadable(archive: IndexedArchive): Promise<boolean> {
  const { proof, damaged, verdict, absolutePath, sizeBytes } = archive;
  if (damaged !== null || verdict === 'unusable' || proof === null || proof.level === 'L1') return false;
  const found = await lstat(absolutePath).catch(() => null);
  return found?.isFile() === true && found.size === sizeBytes;
}

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
      const held = index.ofProject(project).filter(({ absent }) => !absent);
      return Promise.all(
        held.map(async (archive) => ({
          id: archive.id,
          path: archive.path,
          storedAt: archive.storedAt,
          sizeBytes: archive.sizeBytes,
          relations: archive.relations,
          readable: await isReadable(archive),
          pinned: archive.pinned,
          inUse: inUse.has(archive.id),
        })),
      );
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
