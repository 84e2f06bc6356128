/** @file Checks after a run whether its archives are still there. A job whose archive is gone is marked as failed. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import { exportResultSchema } from '../../../../src-contract/runs/job-schema.ts';
import { errnoOf } from '../../../platform/disk/disk-errors.ts';
import { manifestSuffix } from '../../../archive/names.ts';
import type { IndexedArchive } from '../../../catalogue/archives/archive-rows.ts';
import type { JobRunner } from '../../../jobs/running/runner.ts';
import { absentRootError } from '../folders/archive-roots.ts';
import type { ArchiveCollection } from '../archive-collection.ts';
import type { SharedDeps } from '../../shared-deps.ts';
import { Service } from '../../service.ts';

export interface LostArchivesDeps extends ArchiveCollection, Pick<SharedDeps, 'jobs' | 'log' | 'runs'> {
  runner: JobRunner;
}

export class LostArchives extends Service<LostArchivesDeps> {
  readonly #inProgress = new Map<string, Promise<number>>();

  /** Checks the archives if all jobs of the run have ended, else does nothing. @returns the number of jobs marked. */
  checkRun(runId: string): Promise<number> {
    const runningCheck = this.#inProgress.get(runId);
    if (runningCheck !== undefined) return runningCheck;
    if (this.deps.runs.hasOpenJobs(runId)) return Promise.resolve(0);
    const work = this.#markLostJobs(runId).finally(() => this.#inProgress.delete(runId));
    this.#inProgress.set(runId, work);
    return work;
  }

  checkInBackground(runId: string): void {
    this.checkRun(runId).catch((thrown: unknown) => {
      this.deps.log.error(
        { err: AppError.from(thrown), run: runId },
        'the archives of a run could not be checked',
      );
    });
  }

  async waitForChecks(): Promise<void> {
    await Promise.allSettled(this.#inProgress.values());
  }

  async #markLostJobs(runId: string): Promise<number> {
    const { roots, index, jobs, runs, runner } = this.deps;
    const exportedArchives = jobs.jobsOfRun(runId).flatMap((job) => exportedArchiveOf(job) ?? []);
    if (exportedArchives.length === 0) return 0;
    await roots.refreshPresence();
    let lostCount = 0;
    for (const { jobId, archiveId } of exportedArchives) {
      const archive = index.find(archiveId);
      const error = archive === null ? null : await this.#lossOf(archive);
      if (error === null) continue;
      try {
        runner.markArchiveLost(jobId, error);
        lostCount += 1;
      } catch (thrown) {
        // Another process may have marked it meanwhile.
        if (AppError.from(thrown).code !== 'job-ended') throw thrown;
      }
    }
    if (lostCount > 0) runs.clearCache();
    return lostCount;
  }

  /** Returns null for an archive that exists, that a person has moved to the trash, or that cannot be checked. */
  async #lossOf({ root, path, absolutePath, absent }: IndexedArchive): Promise<AppError | null> {
    const { roots } = this.deps;
    if (absent) return absentRootError(roots.pathOf(root));
    if (!(await isMissing(absolutePath))) return null;
    const trashedManifest = join(roots.byNumber(root).store.trash, ...path.split('/')) + manifestSuffix;
    if (!(await isMissing(trashedManifest))) return null;
    return new AppError('archive-missing', `The archive ${absolutePath} no longer exists.`, {
      details: { path: absolutePath },
    });
  }
}

function exportedArchiveOf({
  id,
  kind,
  state,
  result,
}: StoredJob): { jobId: string; archiveId: string } | null {
  if (kind !== 'export' || state.status !== 'succeeded') return null;
  const parsed = exportResultSchema.safeParse(result).data;
  return parsed === undefined ? null : { jobId: id, archiveId: parsed.archiveId };
}

const isMissing = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => !found.isFile(),
    (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error)),
  );
