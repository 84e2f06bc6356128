/**
 * @file Composes the parts for archives: the stores, their index, the background work on them, and the rebuild of the
 * index after the catalogue was lost. `compose.ts` provides the parts and uses the result.
 */
import { resolve } from 'node:path';
import { AppError } from '../../src-contract/errors.ts';
import type { Disk } from '../platform/disk/disk.ts';
import type { PruningPort } from '../bridge/archives/archive-ports.ts';
import { ArchiveFolders } from '../catalogue/archives/archive-folders.ts';
import { ArchivedProjects } from '../catalogue/archives/archived-projects.ts';
import { ArchiveIndex } from '../catalogue/archives/archives.ts';
import type { Catalogue } from '../catalogue/database.ts';
import type { JobSearch } from '../catalogue/jobs/job-search.ts';
import type { JobStore } from '../catalogue/jobs/jobs.ts';
import { projectsMet } from '../catalogue/plans/plan-projects.ts';
import { endRecovery, markRecovery, recoveryOf, type Recovery } from '../catalogue/recovery/recovery.ts';
import type { Proofing } from '../jobs/plans/proofing.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { SettingsStore } from '../platform/settings.ts';
import { createArchiveAccess, type ArchiveAccess } from '../services/archives/archive-access.ts';
import { absentRoot, ArchiveRoots } from '../services/archives/archive-roots.ts';
import type { DiskLimits } from '../services/archives/disk-questions.ts';
import { settleCatalogue } from '../services/archives/opening.ts';
import { missingArchives, missingNotices } from '../services/archives/missing-archives.ts';
import { proofNotices } from '../services/archives/proof-notices.ts';
import { createProofing } from '../services/archives/proofing.ts';
import { createPlanPruning } from '../services/archives/pruning.ts';
import { createTidying, type Tidying } from '../services/archives/tidying.ts';
import type { Announce } from '../services/events.ts';

export interface ArchiveParts {
  paths: DataPaths;
  settings: SettingsStore;
  catalogue: Catalogue;
  /** The repair of the catalogue when it was opened; null if it was intact. */
  recovery: Recovery | null;
  jobs: JobStore;
  jobSearch: JobSearch;
  disk: Disk | undefined;
  diskLimits: Partial<DiskLimits> | undefined;
  clock: Clock;
  log: Log;
  announce: Announce;
  /** Whether archives may be verified in the background now. */
  mayProve(): boolean;
}

export interface ComposedArchives {
  roots: ArchiveRoots;
  index: ArchiveIndex;
  folders: ArchiveFolders;
  archivedProjects: ArchivedProjects;
  access: ArchiveAccess;
  tidying: Tidying;
  proofing: Proofing;
  pruning: PruningPort;
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
  const access = createArchiveAccess({
    roots,
    index,
    folders,
    archivedProjects,
    clock,
    changed: (archiveId) => {
      announce('archive.changed', { archiveId });
    },
    inUse: () => parts.jobSearch.archivesInUse(),
    rescanIsDue: () => recoveryOf(paths.catalogue) !== null,
    rescanned: () => {
      endRecovery(paths.catalogue);
    },
  });
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
      const scanned = await access.forBridge.rescan(new AbortController().signal, () => undefined);
      const lost = await roots.lostStandard();
      if (lost !== null) throw absentRoot(lost);
      return scanned;
    },
  });
  const tidying = createTidying({
    roots,
    indexForgotten: () => access.indexForgotten(),
    sweepIndexes: () => access.sweepIndexes(),
    log,
  });
  let missing: ReadonlyMap<number, number> = new Map();
  const proofing = createProofing({
    roots,
    index,
    prove: (id, level, signal) => access.proveAgain(id, level, signal),
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
    archives: access.forJobs,
    archivedProjects,
    clock,
    plans: () => settings.read().plans,
    urlOf: (name) => settings.instance(name).url,
    met: (planId) => projectsMet(catalogue, planId),
  });
  const forgetRoot = async (path: string): Promise<void> => {
    for (const id of parts.jobSearch.archivesInUse()) {
      const used = index.find(id);
      if (used === null || roots.pathOf(used.root) !== resolve(path)) continue;
      throw new AppError('job-busy', `A job that has not ended needs ${used.absolutePath}`);
    }
    folders.removeAllIn(await roots.forget(path));
    announce('archive.changed', { archiveId: null });
  };
  const concerns = (): string[] => [...missingNotices(missing), ...proofNotices(proofing.behind)];
  return {
    ...{ roots, index, folders, archivedProjects, access, tidying, proofing, pruning },
    ...{ forgetRoot, notices, concerns },
  };
}
