/** @file What pruning needs of store and index: the archives of a project, and giving one up. Files first, then the row. */
import type { Job } from '../../src-preload/contract/job.ts';
import { importInputSchema } from '../../src-preload/contract/job.ts';
import type { ArchiveStore } from '../archive/store.ts';
import type { ArchiveIndex, IndexedArchive } from '../catalogue/archives.ts';
import type { ArchivePort } from '../jobs/ports.ts';
import type { ArchiveRoots } from './archive-roots.ts';

const every = 1_000_000;

/** Ids of the archives that jobs which have not ended read. */
export function archivesInUse(open: readonly Job[]): Set<string> {
  const ids = open.map(({ kind, input }) =>
    kind === 'import' ? importInputSchema.parse(input).archiveId : null,
  );
  return new Set(ids.filter((id) => id !== null));
}

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
    async archivesOf({ instanceName, instanceUrl, projectId, fullPath }) {
      await roots.look();
      const inUse = parts.inUse();
      return index
        .list({ instance: instanceName, projectId, fullPath, limit: every })
        .filter((archive) => archive.instanceUrl === instanceUrl && !archive.absent)
        .map((archive) => ({
          id: archive.id,
          path: archive.path,
          storedAt: archive.storedAt,
          sizeBytes: archive.sizeBytes,
          relations: index.manifest(archive.id).inspection.relations,
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
