/** @file Builds the services for archives, and rebuilds the archive index if the catalogue was lost. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Disk } from '../../platform/disk/disk.ts';
import { ArchiveFolders } from '../../catalogue/archives/archive-folders.ts';
import { ProjectsWithArchives } from '../../catalogue/archives/projects-with-archives.ts';
import { ArchiveIndex } from '../../catalogue/archives/archive-index.ts';
import type { Recovery } from '../../catalogue/recovery/recovery.ts';
import { ArchiveContents } from './archive-contents.ts';
import { ArchiveIntake } from './archive-intake.ts';
import { ArchiveProofs } from './archive-proofs.ts';
import { ArchiveRegister } from './archive-register.ts';
import { createJobArchives } from './job-archives.ts';
import { createRecordAccess } from './record-access.ts';
import { StoredArchives } from './stored-archives.ts';
import { createTrash } from './keeping/trash.ts';
import { RootChanges } from './folders/root-changes.ts';
import { ArchiveRoots } from './folders/archive-roots.ts';
import type { DiskLimits } from './folders/timed-disk-access.ts';
import { rebuildArchiveIndex } from './keeping/rebuild-archive-index.ts';
import { countMissingArchives, missingArchiveNotices } from './folders/missing-archives.ts';
import { createArchiveVerifier, overdueProofNotices } from './keeping/verifying.ts';
import { createPlanPruning, createArchivesForPruning } from './keeping/pruning.ts';
import { purgeExpiredTrash } from './keeping/tidying.ts';
import type { SharedDeps } from '../shared-deps.ts';

export interface ArchiveDeps extends SharedDeps {
  /** The repair of the catalogue when it was opened; null if it was intact. */
  recovery: Recovery | null;
  disk: Disk | undefined;
  diskLimits: Partial<DiskLimits> | undefined;
  mayVerify(): boolean;
}

export type ArchiveServices = Awaited<ReturnType<typeof createArchiveServices>>;

/** Resolves when the index includes every archive of the stores. */
export async function createArchiveServices(deps: ArchiveDeps) {
  const { paths, settings, catalogue, log, announce } = deps;
  const folders = new ArchiveFolders(catalogue);
  const roots: ArchiveRoots = new ArchiveRoots({
    ...deps,
    defaultPath: paths.archives,
    dataFolder: paths.dataFolder,
    hasArchives: (root) => folders.hasIndexedArchives(root),
    onPresenceChecked(absent) {
      try {
        if (folders.storeAbsentRoots(absent)) announce('archive.changed', { archiveId: null });
      } catch (thrown) {
        // Polling continues; projects keep the status of the last poll.
        log.warn({ code: AppError.from(thrown).code }, 'absent archive folders could not be recorded');
      }
    },
  });
  const index = new ArchiveIndex(catalogue, roots);
  const projectsWithArchives = new ProjectsWithArchives(catalogue, roots);
  await roots.refreshPresence();
  const register = new ArchiveRegister({ roots, index, announce });
  const records = createRecordAccess({
    indexFolder: roots.recordIndexPath,
    findByAbsolutePath: (path) => register.findByAbsolutePath(path),
    manifest: (id) => index.manifest(id),
    hasArchive: (sha256) => index.findByFullSha(sha256).length > 0,
  });
  const shared = { ...deps, roots, index, folders, projectsWithArchives, register, records };
  const archivesForPruning = createArchivesForPruning(shared);
  const archivePort = createJobArchives({ ...shared, archivesForPruning });
  const intake = new ArchiveIntake(shared);
  const proofs = new ArchiveProofs(index, register);
  const notices = await rebuildArchiveIndex({ ...shared, intake });
  let missingCounts: ReadonlyMap<number, number> = new Map();
  const verifier = createArchiveVerifier({
    ...{ ...shared, proofs },
    mayVerify: () => deps.mayVerify(),
    async removeLeftovers() {
      await purgeExpiredTrash(roots, log);
      missingCounts = await countMissingArchives(index);
    },
  });
  return {
    ...{
      roots,
      rootChanges: new RootChanges({ settings, roots, dataFolder: paths.dataFolder }),
      index,
      folders,
      projectsWithArchives,
      register,
      records,
      archivePort,
      intake,
      proofs,
      verifier,
    },
    archives: new StoredArchives(shared),
    contents: new ArchiveContents(shared),
    trash: createTrash({ ...shared, archivesForPruning }),
    pruning: createPlanPruning({ ...shared, archives: archivePort }),
    openingNotices: notices,
    /** Returns sentences about problems of the store that this process found. */
    storeNotices: () => [
      ...missingArchiveNotices(missingCounts),
      ...overdueProofNotices(verifier.overdueProofs),
    ],
  };
}
