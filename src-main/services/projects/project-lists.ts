/**
 * @file The stored project lists: refreshes them, returns pages of them, marks recent imports, and updates them after
 * jobs.
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { changeInputSchema, changeResultSchema } from '../../../src-contract/projects/change-schema.ts';
import type { ChangeResult } from '../../../src-contract/projects/change.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import type {
  BackupStatus,
  ProjectBackupSummary,
  BackupStatusInput,
  Project,
  ProjectRow,
} from '../../../src-contract/projects/project.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

/**
 * A project imported from a stored archive is not reported as unprotected for this time: the archive has its contents.
 */
export const newCopyGraceMs = dayMs;

const pageSize = 100;

type Deps = Pick<SharedDeps, 'announce' | 'clock' | 'projectListStore' | 'log' | 'settings'>;

export class ProjectLists extends Service<Deps> {
  /** Replaces the list. An interrupted refresh loses nothing. `refreshedAt` is in epoch milliseconds. */
  async replace(
    instance: Instance,
    projects: AsyncIterable<Project>,
    onProgress: (done: number) => void,
  ): Promise<{ projects: number; refreshedAt: number }> {
    const refreshedAt = this.deps.clock.now();
    const count = await this.deps.projectListStore.replace(
      instance,
      inPages(projects, onProgress),
      refreshedAt,
    );
    this.deps.announce('project.changed', { instance: instance.name });
    return { projects: count, refreshedAt };
  }

  page(request: ParsedRequest<'project.page'>): {
    projects: (ProjectRow & { newCopy?: boolean })[];
    total: number;
  } {
    const importedSince = this.deps.clock.now() - newCopyGraceMs;
    const { projects, total } = this.deps.projectListStore.page({ ...request, importedSince });
    return { projects: this.#withNewCopies(projects), total };
  }

  /** Returns the backup status of the given projects in order, whether they are in the list or not. */
  backupSummariesOf(
    instance: Instance,
    projects: readonly BackupStatusInput[],
  ): (ProjectBackupSummary & { newCopy?: boolean })[] {
    const summaries = this.deps.projectListStore.backupSummariesOf(instance, projects);
    const rows = summaries.map((one, index) => ({
      ...one,
      instance: instance.name,
      id: projects[index]?.id ?? 0,
    }));
    return this.#withNewCopies(rows).map(({ instance: _instance, id: _id, ...one }) => one);
  }

  forget(instance: string): void {
    this.deps.projectListStore.forget(instance);
    this.deps.announce('project.changed', { instance });
  }

  /**
   * Updates the list with the project that a job changed. After a crash, the next refresh corrects the list. Never
   * throws.
   */
  updateAfterJob(job: StoredJob): void {
    if (job.kind !== 'change' || job.state.status !== 'succeeded') return;
    try {
      this.#applyChange(job);
    } catch (thrown) {
      this.deps.log.error(
        { err: AppError.from(thrown), job: job.id },
        'the list was not updated with a changed project',
      );
    }
  }

  #applyChange(job: StoredJob): void {
    const { projectListStore, clock } = this.deps;
    const { change, projectId } = changeInputSchema.parse(job.input);
    const { project }: ChangeResult = changeResultSchema.parse(job.result);
    // An account that creates or forks a project becomes a member, unless it creates the project for another user.
    const addIfMissing = change.kind === 'fork' || (change.kind === 'create' && change.forUser === null);
    if (project !== null)
      projectListStore.put(this.deps.settings.instance(job.instance), project, {
        addIfMissing,
        at: clock.now(),
      });
    else if (projectId !== null) projectListStore.drop(job.instance, projectId);
    this.deps.announce('project.changed', { instance: job.instance });
  }

  #withNewCopies<Row extends { instance: string; id: number; backupStatus: BackupStatus }>(
    rows: readonly Row[],
  ): (Row & { newCopy?: boolean })[] {
    if (rows.every(({ backupStatus }) => backupStatus !== 'never')) return [...rows];
    const copies = this.deps.projectListStore.newCopies(this.deps.clock.now() - newCopyGraceMs);
    const keys = new Set(copies.map(({ instance, id }) => `${id} ${instance}`));
    return rows.map((row) => (keys.has(`${row.id} ${row.instance}`) ? { ...row, newCopy: true } : row));
  }
}

async function* inPages(
  projects: AsyncIterable<Project>,
  onProgress: (done: number) => void,
): AsyncGenerator<Project[]> {
  let page: Project[] = [];
  let done = 0;
  onProgress(done);
  for await (const project of projects) {
    page.push(project);
    if (page.length < pageSize) continue;
    yield page;
    done += page.length;
    onProgress(done);
    page = [];
  }
  if (page.length === 0) return;
  yield page;
  onProgress(done + page.length);
}
