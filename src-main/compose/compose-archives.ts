/**
 * @file Composes the parts for archives: the stores, their index, the background work on them, and the rebuild of the
 * index after the catalogue was lost. `compose.ts` provides the parts and uses the result.
 */
import { resolve } from 'node:path';
import { AppError } from '../../src-contract/errors.ts';
import type { Disk } from '../platform/disk/disk.ts';
import { ArchiveFolders } from '../catalogue/archives/archive-folders.ts';
import { ArchivedProjects } from '../catalogue/archives/archived-projects.ts';
import { ArchiveIndex } from '../catalogue/archives/archive-index.ts';
import type { JobSearch } from '../catalogue/runs/job-search.ts';
import { projectsSeen } from '../catalogue/plans/plan-projects.ts';
import { endRecovery, markRecovery, recoveryOf, type Recovery } from '../catalogue/recovery/recovery.ts';
import type { Proofing } from '../jobs/plans/proofing.ts';
import { ArchiveContents } from '../services/archives/archive-contents.ts';
import { ArchiveIntake } from '../services/archives/archive-intake.ts';
import { ArchiveProofs } from '../services/archives/archive-proofs.ts';
import { ArchiveRegister } from '../services/archives/archive-register.ts';
import { JobArchives } from '../services/archives/job-archives.ts';
import { createRecordAccess, type RecordAccess } from '../services/archives/record-access.ts';
import { StoredArchives } from '../services/archives/stored-archives.ts';
import { StoreStatus } from '../services/archives/store-status.ts';
import { createTrash, type Trash } from '../services/archives/keeping/trash.ts';
import { absentRoot, ArchiveRoots } from '../services/archives/folders/archive-roots.ts';
import type { DiskLimits } from '../services/archives/folders/disk-questions.ts';
import { settleCatalogue } from '../services/archives/keeping/opening.ts';
import { missingArchives, missingNotices } from '../services/archives/folders/missing-archives.ts';
import { proofNotices } from '../services/archives/keeping/proof-notices.ts';
import { createProofing } from '../services/archives/keeping/proofing.ts';
import { createPlanPruning, createPruning, type PlanPruning } from '../services/archives/keeping/pruning.ts';
import { createStoreCleanup, type StoreCleanup } from '../services/archives/keeping/tidying.ts';
import type { SharedParts } from '../services/shared-parts.ts';

export interface ArchiveParts extends Pick<
  SharedParts,
  'announce' | 'catalogue' | 'clock' | 'jobs' | 'log' | 'paths' | 'settings'
> {
  /** The repair of the catalogue when it was opened; null if it was intact. */
  recovery: Recovery | null;
  jobSearch: JobSearch;
  disk: Disk | undefined;
  diskLimits: Partial<DiskLimits> | undefined;
  /** Whether archives may be verified in the background now. */
  mayProve(): boolean;
}

export interface ComposedArchives {
  roots: ArchiveRoots;
  index: ArchiveIndex;
  folders: ArchiveFolders;
  archivedProjects: ArchivedProjects;
  forJobs: JobArchives;
  stored: StoredArchives;
  contents: ArchiveContents;
  intake: ArchiveIntake;
  proofs: ArchiveProofs;
  records: RecordAccess;
  status: StoreStatus;
  trash: Trash;
  tidying: StoreCleanup;
  proofing: Proofing;
  pruning: PlanPruning;
  /**
   * Stops listing the archives of an archive folder; deletes no file. Throws the errors of `ArchiveRoots.forget`, and
   * `job-busy`.
   */
  forgetRoot(path: string): Promise<void>;
  /** Sentences for the user about the opening of the catalogue. */
  notices: string[];
  /** Sentences about problems of the store that were found while this process runs. */
  concerns(): string[];
}

/** Resolves when the index holds everything that the stores hold. */
export async function composeArchives(parts: ArchiveParts): Promise<ComposedArchives> {
  const { paths, settings, catalogue, jobs, clock, log, announce } = parts;
  const folders = new ArchiveFolders(catalogue);
  const roots: ArchiveRoots = new ArchiveRoots({
    settings,
    standard: paths.archives,
    dataFolder: paths.dataFolder,
    clock,
    disk: parts.disk,
    diskLimits: parts.diskLimits,
    holds: (root) => folders.holdsIn(root),
    onLook(absent) {
      try {
        if (folders.noteAbsentRoots(absent)) announce('archive.changed', { archiveId: null });
      } catch (thrown) {
        // Polling continues; the status of projects stays that of the last poll.
        log.warn({ code: AppError.from(thrown).code }, 'absent archive folders could not be noted');
      }
    },
  });
  const index = new ArchiveIndex(catalogue, roots);
  const archivedProjects = new ArchivedProjects(catalogue, roots);
  await roots.look();
  const register = new ArchiveRegister({
    roots,
    index,
    changed: (archiveId) => {
      announce('archive.changed', { archiveId });
    },
  });
  const records = createRecordAccess({
    indexes: roots.recordIndexes,
    storedAt: (path) => register.storedAt(path),
    manifest: (id) => index.manifest(id),
    isHeld: (sha256) => index.ofSha(sha256).length > 0,
  });
  const held = createPruning({
    ...{ roots, index, register, records },
    inUse: () => parts.jobSearch.archivesInUse(),
  });
  const forJobs = new JobArchives({
    ...{ roots, index, register, held, records },
    rescanIsDue: () => recoveryOf(paths.catalogue) !== null,
  });
  const intake = new ArchiveIntake({
    ...{ roots, index, register, clock },
    rescanned: () => {
      endRecovery(paths.catalogue);
    },
  });
  const proofs = new ArchiveProofs(index, register);
  const notices = await settleCatalogue({
    recovery: parts.recovery,
    index,
    jobs,
    now: clock.now(),
    current: () => recoveryOf(paths.catalogue),
    mark: (begun) => {
      markRecovery(paths.catalogue, begun);
    },
    async rescan() {
      const scanned = await intake.rescan(new AbortController().signal, () => undefined);
      const lost = await roots.lostStandard();
      if (lost !== null) throw absentRoot(lost);
      return scanned;
    },
  });
  const tidying = createStoreCleanup({
    roots,
    indexForgotten: () => register.indexForgotten(),
    sweepIndexes: () => records.sweep(),
    log,
  });
  let missing: ReadonlyMap<number, number> = new Map();
  const proofing = createProofing({
    roots,
    index,
    prove: (id, level, signal) => proofs.proveAgain(id, level, signal),
    mayProve: () => parts.mayProve(),
    tidyUp: async () => {
      await tidying.trash();
      missing = await missingArchives(index);
    },
    clock,
    log,
    announce,
  });
  const pruning = createPlanPruning({
    archives: forJobs,
    archivedProjects,
    clock,
    plans: () => settings.read().plans,
    urlOf: (name) => settings.instance(name).url,
    met: (planId) => projectsSeen(catalogue, planId),
  });
  const forgetRoot = async (path: string): Promise<void> => {
    for (const id of parts.jobSearch.archivesInUse()) {
      const used = index.find(id);
      if (used === null || roots.pathOf(used.root) !== resolve(path)) continue;
      throw new AppError('job-busy', `A job that has not ended needs ${used.absolutePath}.`);
    }
    folders.removeAllIn(await roots.forget(path));
    announce('archive.changed', { archiveId: null });
  };
  const concerns = (): string[] => [...missingNotices(missing), ...proofNotices(proofing.behind)];
  return {
    ...{ roots, index, folders, archivedProjects, forJobs, intake, proofs, records },
    stored: new StoredArchives({ roots, index, archivedProjects, register }),
    contents: new ArchiveContents({ roots, register, records, clock }),
    status: new StoreStatus({ roots, folders, index }),
    trash: createTrash({
      ...{ roots, clock, register },
      discard: (archiveId, reason) => held.discard(archiveId, reason),
    }),
    ...{ tidying, proofing, pruning, forgetRoot, notices, concerns },
  };
}
