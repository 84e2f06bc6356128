/**
 * @file Checks after the jobs of a run whether the archives that they stored are still there: a run whose
 * folder was removed or replaced must not succeed. A job whose archive is gone is marked as failed.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import { exportResultSchema } from '../../../../src-contract/runs/job-schema.ts';
import { errnoOf } from '../../../platform/disk/disk-errors.ts';
import { manifestSuffix } from '../../../archive/names.ts';
import type { IndexedArchive } from '../../../catalogue/archives/archive-rows.ts';
import type { ArchiveIndex } from '../../../catalogue/archives/archive-index.ts';
import type { JobStore } from '../../../catalogue/runs/jobs.ts';
import type { RunStore } from '../../../catalogue/runs/runs.ts';
import { absentRoot, type ArchiveRoots } from '../folders/archive-roots.ts';

export interface LostArchivesParts {
  roots: ArchiveRoots;
  index: Pick<ArchiveIndex, 'find'>;
  jobs: Pick<JobStore, 'ofRun'>;
  runs: Pick<RunStore, 'hasOpen' | 'reread'>;
  /** Marks a job that had succeeded as failed. Throws `job-ended` for any other that has ended. */
  lose(jobId: string, error: AppError): void;
}

export class LostArchives {
  readonly #parts: LostArchivesParts;
  /** By run. */
  readonly #inProgress = new Map<string, Promise<number>>();

  constructor(parts: LostArchivesParts) {
    this.#parts = parts;
  }

  /** Checks once all jobs of the run have ended, else does nothing. @returns how many jobs it marked. */
  confirm(runId: string): Promise<number> {
    const known = this.#inProgress.get(runId);
    if (known !== undefined) return known;
    if (this.#parts.runs.hasOpen(runId)) return Promise.resolve(0);
    const work = this.#look(runId).finally(() => this.#inProgress.delete(runId));
    this.#inProgress.set(runId, work);
    return work;
  }

  async #look(runId: string): Promise<number> {
    const { roots, index, jobs, runs } = this.#parts;
    const stored = jobs.ofRun(runId).flatMap((job) => storedBy(job) ?? []);
    if (stored.length === 0) return 0;
    await roots.look();
    let lost = 0;
    for (const { jobId, archiveId } of stored) {
      const archive = index.find(archiveId);
      const error = archive === null ? null : await this.#lossOf(archive);
      if (error === null) continue;
      try {
        this.#parts.lose(jobId, error);
        lost += 1;
      } catch (thrown) {
        // Another process may have marked it meanwhile.
        if (AppError.from(thrown).code !== 'job-ended') throw thrown;
      }
    }
    if (lost > 0) runs.reread();
    return lost;
  }

  /** Null for an archive that is there, that a person has moved to the trash, or that cannot be checked. */
  async #lossOf({ root, path, absolutePath, absent }: IndexedArchive): Promise<AppError | null> {
    const { roots } = this.#parts;
    if (absent) return absentRoot(roots.pathOf(root));
    if (!(await isMissing(absolutePath))) return null;
    const trashed = join(roots.of(root).store.trash, ...path.split('/')) + manifestSuffix;
    if (!(await isMissing(trashed))) return null;
    return new AppError('archive-missing', `The archive ${absolutePath} is not there any more.`, {
      details: { path: absolutePath },
    });
  }
}

function storedBy({ id, kind, state, result }: StoredJob): { jobId: string; archiveId: string } | null {
  if (kind !== 'export' || state.status !== 'succeeded') return null;
  const stored = exportResultSchema.safeParse(result).data;
  return stored === undefined ? null : { jobId: id, archiveId: stored.archiveId };
}

const isMissing = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => !found.isFile(),
    (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error)),
  );
