/**
 * @file The stored project lists: refreshed, shown with new copies marked, and updated after jobs that change
 * an instance.
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
  ProjectHoldings,
  JudgedProject,
  Project,
  ProjectRow,
} from '../../../src-contract/projects/project.ts';
import type { ProjectList } from '../../catalogue/projects/projects.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Announce } from '../events.ts';

/** For this time a project that was imported from a held archive is not reported as unprotected: that archive has its contents. */
export const newCopyMs = dayMs;

/** Number of projects that are passed to the catalogue at once. */
const pageSize = 100;

export interface ProjectListParts {
  lists: ProjectList;
  /** Throws `instance-unknown`. */
  instance(name: string): Instance;
  clock: Clock;
  log: Log;
  announce: Announce;
}

export class ProjectLists {
  readonly #parts: ProjectListParts;

  constructor(parts: ProjectListParts) {
    this.#parts = parts;
  }

  /** Replaces the list; a refresh that breaks off loses nothing. `refreshedAt` is in epoch milliseconds. */
  async replace(
    instance: Instance,
    projects: AsyncIterable<Project>,
    onProgress: (done: number) => void,
  ): Promise<{ projects: number; refreshedAt: number }> {
    const refreshedAt = this.#parts.clock.now();
    const count = await this.#parts.lists.replace(instance, inPages(projects, onProgress), refreshedAt);
    this.#parts.announce('project.changed', { instance: instance.name });
    return { projects: count, refreshedAt };
  }

  page(request: ParsedRequest<'project.page'>): {
    projects: (ProjectRow & { newCopy?: boolean })[];
    total: number;
  } {
    const importedSince = this.#parts.clock.now() - newCopyMs;
    const { projects, total } = this.#parts.lists.page({ ...request, importedSince });
    return { projects: this.#withNewCopies(projects), total };
  }

  /** Returns the archives held of any projects of the instance, listed or not, in the given order. */
  held(instance: Instance, projects: readonly JudgedProject[]): (ProjectHoldings & { newCopy?: boolean })[] {
    const held = this.#parts.lists.held(instance, projects);
    const rows = held.map((one, at) => ({ ...one, instance: instance.name, id: projects[at]?.id ?? 0 }));
    return this.#withNewCopies(rows).map(({ instance: _instance, id: _id, ...one }) => one);
  }

  forget(instance: string): void {
    this.#parts.lists.forget(instance);
    this.#parts.announce('project.changed', { instance });
  }

  /**
   * Must be called with every job that changed. A changed project is listed at once; a crash just before
   * costs no more than the next refresh. Never throws: the change itself is done.
   */
  jobChanged(job: StoredJob): void {
    if (job.kind !== 'change' || job.state.status !== 'succeeded') return;
    try {
      this.#listChange(job);
    } catch (thrown) {
      this.#parts.log.error({ err: AppError.from(thrown), job: job.id }, 'a changed project was not listed');
    }
  }

  #listChange(job: StoredJob): void {
    const { lists, clock } = this.#parts;
    const { change, projectId } = changeInputSchema.parse(job.input);
    const { project }: ChangeResult = changeResultSchema.parse(job.result);
    // The account that creates or forks a project is a member of it; not so one that creates it for somebody
    // else.
    const add = change.kind === 'fork' || (change.kind === 'create' && change.forUser === null);
    if (project !== null) lists.put(this.#parts.instance(job.instance), project, { add, at: clock.now() });
    else if (projectId !== null) lists.drop(job.instance, projectId);
    this.#parts.announce('project.changed', { instance: job.instance });
  }

  /** Marks the projects that the overview counts as new copies. */
  #withNewCopies<Row extends { instance: string; id: number; backupStatus: BackupStatus }>(
    rows: readonly Row[],
  ): (Row & { newCopy?: boolean })[] {
    if (rows.every(({ backupStatus }) => backupStatus !== 'never')) return [...rows];
    const copies = this.#parts.lists.newCopies(this.#parts.clock.now() - newCopyMs);
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
  if (page.length > 0) yield page;
}
