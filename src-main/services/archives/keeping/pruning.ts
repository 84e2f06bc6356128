/**
 * @file Lists the archives of a project for pruning, moves archives to the trash (files first, then the row), and
 * prunes for a plan.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { canBeRead } from '../../../../src-contract/archives/archive-quality.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { PrunePreview, Retention, StoredPlan } from '../../../../src-contract/plans/plan.ts';
import { countsOf, minSourceCounts } from '../../../archive/compare.ts';
import { manifestSuffix } from '../../../archive/names.ts';
import { decidePlanRetention, type RetentionCandidate } from '../../../archive/retention.ts';
import type { IndexedArchive } from '../../../catalogue/archives/archive-rows.ts';
import type { ProjectsWithArchives } from '../../../catalogue/archives/projects-with-archives.ts';
import { trashReason, moveAllToTrash, folderOrNull } from '../../../jobs/exporting/prune.ts';
import { requirePlan, retentionOfPlan } from '../../../jobs/plans/plans.ts';
import type { ArchivePort } from '../../../jobs/ports.ts';
import { ScopeProjects } from '../../../catalogue/plans/scope-projects.ts';
import type { JobSearch } from '../../../catalogue/runs/job-search.ts';
import type { SharedDeps } from '../../shared-deps.ts';
import type { ArchiveRegister } from '../archive-register.ts';
import type { RecordAccess } from '../record-access.ts';
import type { ArchiveCollection } from '../archive-collection.ts';

/**
 * Returns whether the archive is proven to be readable, and whether it may be readable without a proof. A row whose
 * file was removed by hand must not count as an archive that is kept.
 */
async function readabilityOf(
  archive: IndexedArchive,
): Promise<Pick<RetentionCandidate, 'readable' | 'mayBeReadable'>> {
  const { proof, condition, absolutePath, sizeBytes } = archive;
  const found = canBeRead(condition) ? await lstat(absolutePath).catch(() => null) : null;
  const mayBeReadable = found?.isFile() === true && found.size === sizeBytes;
  const isProvenReadable = proof !== null && proof.level !== 'L1';
  return { readable: mayBeReadable && isProvenReadable, mayBeReadable };
}

type PrunableArchive = Awaited<ReturnType<ArchivePort['archivesOf']>>[number];
type ShownArchive = PrunableArchive & Pick<IndexedArchive, 'proof'> & { damage: IndexedArchive['damaged'] };

export interface ArchivesForPruning extends Pick<ArchivePort, 'moveToTrash'> {
  archivesOf(...project: Parameters<ArchivePort['archivesOf']>): Promise<ShownArchive[]>;
  countAbsent(...project: Parameters<ArchivePort['archivesOf']>): number;
}

export function createArchivesForPruning(
  deps: ArchiveCollection & {
    jobSearch: JobSearch;
    register: Pick<ArchiveRegister, 'locationOf' | 'announceChange'>;
    records: Pick<RecordAccess, 'forget'>;
  },
): ArchivesForPruning {
  const { roots, index } = deps;
  /**
   * Returns the time at which an archive was adopted, found on the instance, or identified; null for other archives.
   * These are few, so reading their state files is cheap. An archive with an unreadable state file is kept anyway.
   */
  async function takenInAt({ root, path, takenInAt }: IndexedArchive & { takenInAt: string | null }) {
    if (takenInAt === null) return null;
    const state = await roots
      .byNumber(root)
      .store.readState(path)
      .catch(() => null);
    return state?.identified?.at ?? takenInAt;
  }
  return {
    async archivesOf(project) {
      await roots.refreshPresence();
      const inUse = deps.jobSearch.archivesInUse();
      const presentArchives = index.listForProject(project).filter(({ absent }) => !absent);
      return Promise.all(
        presentArchives.map(async (archive) => ({
          id: archive.id,
          path: archive.path,
          storedAt: archive.storedAt,
          sizeBytes: archive.sizeBytes,
          counts: countsOf(archive.inspection),
          sourceCounts: minSourceCounts(archive.sourceCounts),
          source: archive.sourceCounts,
          root: roots.pathOf(archive.root),
          ...(await readabilityOf(archive)),
          damaged: archive.damaged !== null,
          damage: archive.damaged,
          condition: archive.condition,
          level: archive.proof?.level ?? null,
          proof: archive.proof,
          pinned: archive.pinned,
          inUse: inUse.has(archive.id),
          takenInAt: await takenInAt(archive),
        })),
      );
    },
    countAbsent: (project) => index.listForProject(project).filter(({ absent }) => absent).length,
    async moveToTrash(archiveId, reason) {
      if (deps.jobSearch.archivesInUse().has(archiveId)) return false;
      const { store, path } = deps.register.locationOf(archiveId);
      const forget = async (): Promise<void> => {
        const { sha256 } = index.get(archiveId);
        index.remove(archiveId);
        deps.register.announceChange(archiveId);
        await deps.records.forget(sha256);
      };
      try {
        if (!(await store.discard(path, reason))) return false;
      } catch (thrown) {
        // The manifest moves first. Once it is in the trash, the archive no longer exists, and its other files are
        // swept later.
        const manifest = join(store.trash, ...path.split('/')) + manifestSuffix;
        if ((await lstat(manifest).catch(() => null)) !== null) await forget();
        throw thrown;
      }
      await forget();
      return true;
    },
  };
}

type PruneDecision = PrunePreview & { toRemove: PrunableArchive[]; absent: number };

interface PlanPruningDeps extends Pick<SharedDeps, 'catalogue' | 'clock' | 'settings'> {
  archives: ArchivesForPruning & Pick<ArchivePort, 'folder'>;
  projectsWithArchives: ProjectsWithArchives;
}

/**
 * A plan covers the projects it names. A plan with a rule covers the projects of its earlier runs; a plan for all
 * projects covers those of its instance. The archives of these projects count, whichever plan stored them.
 */
export function createPlanPruning(deps: PlanPruningDeps) {
  const { settings } = deps;
  const urlOf = (instance: string): string => settings.instance(instance).url;
  const scopes = new ScopeProjects(deps.catalogue);
  const projectIdsOf = (planId: string): number[] => scopes.knownProjectIds(planId);

  const projectsOf = ({ id, instance, selection }: StoredPlan): { projectId: number; fullPath: string }[] => {
    const candidates = deps.projectsWithArchives.projectsOf({ name: instance, url: urlOf(instance) });
    if (selection.kind === 'all') return candidates;
    const coveredIds = new Set(
      selection.kind === 'projects' ? selection.projects.map((project) => project.id) : projectIdsOf(id),
    );
    return candidates.filter(({ projectId }) => coveredIds.has(projectId));
  };

  async function* decisions(plan: StoredPlan, retention: Retention): AsyncGenerator<PruneDecision> {
    const now = deps.clock.now();
    const instanceRef = { instanceName: plan.instance, instanceUrl: urlOf(plan.instance) };
    for (const project of projectsOf(plan)) {
      const archives = await deps.archives.archivesOf({ ...instanceRef, ...project });
      const limits = {
        ...retentionOfPlan(plan, settings.read().plans, project.projectId, projectIdsOf),
        retention,
      };
      const archiveDecisions = decidePlanRetention(
        archives,
        limits,
        folderOrNull(deps.archives),
        now,
      ).flatMap((decision) => {
        const archive = archives.find(({ id }) => id === decision.id);
        return archive === undefined ? [] : [{ archive, ...decision }];
      });
      yield {
        project: project.fullPath,
        archives: archiveDecisions.map(({ archive, id, keep, reason }) => ({
          id,
          storedAt: archive.storedAt,
          sizeBytes: archive.sizeBytes,
          condition: archive.condition,
          proof: archive.proof,
          damaged: archive.damage,
          keep,
          reason,
        })),
        absent: deps.archives.countAbsent({ ...instanceRef, ...project }),
        toRemove: archiveDecisions.filter(({ keep }) => !keep).map(({ archive }) => archive),
      };
    }
  }

  return {
    async preview(planId: string, retention: Retention) {
      const projects: PrunePreview[] = [];
      let removedCount = 0;
      let removedBytes = 0;
      let absentCount = 0;
      for await (const { project, archives, toRemove, absent } of decisions(
        requirePlan(settings.read().plans, planId),
        retention,
      )) {
        if (archives.length > 0) projects.push({ project, archives });
        absentCount += absent;
        removedCount += toRemove.length;
        removedBytes += toRemove.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      }
      return { projects, removedCount, removedBytes, absentCount };
    },
    /** Moves the archives in `shownIds` to the trash, except those that the plan would still keep. */
    async prune(planId: string, shownIds: string[], signal: AbortSignal) {
      const plan = requirePlan(settings.read().plans, planId);
      const allowedIds = new Set(shownIds);
      const reason = trashReason(plan.retention);
      const result: CallReply<'archive.prune'> = { movedCount: 0, movedBytes: 0, failed: [] };
      for await (const { toRemove } of decisions(plan, plan.retention)) {
        const { moved, failed } = await moveAllToTrash(
          deps.archives,
          toRemove.filter(({ id }) => allowedIds.has(id)),
          { reason, signal },
        );
        result.movedCount += moved.length;
        result.movedBytes += moved.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        result.failed.push(...failed.map(({ path, error }) => ({ path, error: error.toData() })));
      }
      return result;
    },
  };
}
