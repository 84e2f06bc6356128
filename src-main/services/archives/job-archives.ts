/** @file Stores, reads and prunes archives for jobs. */
import type { StateFile } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { readAuthoredRecords } from '../../archive/authored-records.ts';
import { inspectFile } from '../../archive/inspect.ts';
import { archivePath } from '../../archive/names.ts';
import { withProof } from '../../archive/verify.ts';
import type { ArchivePort } from '../../jobs/ports.ts';
import { recoveryOf } from '../../catalogue/recovery/recovery.ts';
import { isUnwritableError } from '../../platform/disk/disk-errors.ts';
import { manifestBeside } from './archive-file.ts';
import type { ArchiveRegister } from './archive-register.ts';
import { absentRootError } from './folders/archive-roots.ts';
import type { ArchivesForPruning } from './keeping/pruning.ts';
import type { RecordAccess } from './record-access.ts';
import type { SharedDeps } from '../shared-deps.ts';
import type { ArchiveCollection } from './archive-collection.ts';

interface Deps extends ArchiveCollection, Pick<SharedDeps, 'paths'> {
  register: ArchiveRegister;
  archivesForPruning: ArchivesForPruning;
  records: Pick<RecordAccess, 'records'>;
}

export function createJobArchives(deps: Deps): ArchivePort & ArchivesForPruning {
  const { roots, index, register, archivesForPruning, records } = deps;
  return {
    ...archivesForPruning,
    records: (...wanted) => records.records(...wanted),

    async findCommitted(key, jobId) {
      const path = archivePath(key);
      // The root for new archives may have changed since the attempt that stored this archive.
      for (const root of await roots.refreshPresence()) {
        try {
          const manifest = await root.store.readManifest(path);
          if (manifest.jobId === jobId) return await register.register(root, path, manifest);
        } catch (thrown) {
          if (AppError.from(thrown).code !== 'archive-missing') throw thrown;
        }
      }
      return null;
    },

    folder: (root) => roots.byPath(root).path,

    async createPending(key, expectedBytes, rootPath) {
      const root = await roots.requirePresent(rootPath);
      const expected = expectedBytes === null ? {} : { expectedBytes };
      const pending = await root.store.createPending({ ...key, ...expected });
      return {
        write: (chunk) => pending.write(chunk),
        finish: () => pending.finish(),
        async commit(fields) {
          const ref = await register.register(root, pending.path, await pending.commit(fields));
          // If the folder was removed or replaced meanwhile, the archive is gone, too.
          await roots.refreshPresence();
          if (roots.isAbsent(root.number)) throw absentRootError(root.path);
          return ref;
        },
        discard: (trashReason) => pending.discard(trashReason === null ? {} : { trashReason }),
      };
    },

    inspect: (path, signal) => inspectFile(path, { signal }),

    async manifestOf(path, sha256) {
      const stored = register.findByAbsolutePath(path);
      if (stored === null) return manifestBeside(path, sha256);
      return roots.byNumber(stored.root).store.readManifest(stored.path);
    },

    authoredRecords: (path, relation, max, signal) => readAuthoredRecords(path, relation, max, { signal }),

    async addProof(archiveId, proof) {
      const change = (state: StateFile) => ({ ...state, proofs: withProof(state.proofs, proof) });
      // An import from a read-only disk has still succeeded.
      await register.updateState(archiveId, change).catch((thrown: unknown) => {
        if (!isUnwritableError(thrown)) throw thrown;
      });
      index.updateProof(archiveId, proof);
      register.announceChange(archiveId);
    },

    /** Throws `rescan-needed` while the catalogue may not know all archives of the store. */
    async moveToTrash(archiveId, reason) {
      if (recoveryOf(deps.paths.catalogue) === null) return archivesForPruning.moveToTrash(archiveId, reason);
      const why = 'The catalogue was rebuilt and may not know all archives of the store, so none is pruned.';
      throw new AppError('rescan-needed', why);
    },
  };
}
