/** @file Delayed deletion: projects are marked first, and deleted after a delay (gitlab-facts 2.2). */
import { isoTime } from '../../platform/clock.ts';
import type { WorkDeps } from '../background.ts';
import { fullPath, hexDigest, type Project } from '../sandbox-database.ts';

const dayMs = 86_400_000;

export interface DeletionOptions {
  /** True if a deletion only marks the project. Other servers delete at once. */
  delayed: boolean;
  delayDays: number;
  /** True if a marked project may be deleted earlier. */
  immediateAllowed: boolean;
}

export class Deletions {
  readonly options: DeletionOptions;
  readonly #deps: WorkDeps;
  /** Time of the deletion of each marked project, epoch milliseconds. */
  readonly #due = new Map<Project, number>();

  constructor(deps: WorkDeps, options: DeletionOptions) {
    this.options = options;
    this.#deps = deps;
  }

  /** Renames the project, so that its path and name are free at once, and makes it read-only. */
  mark(project: Project): void {
    const { database, clock } = this.#deps;
    const suffix = `-deletion_scheduled-${project.id}`;
    database.rename(project, `${project.path}${suffix}`, `${project.name}${suffix}`);
    const now = clock.now();
    project.markedForDeletionOn = isoTime(now).slice(0, 10);
    project.archived = true;
    project.updatedAt = now;
    this.#due.set(project, now + this.options.delayDays * dayMs);
  }

  /** Gives a marked project its name and path back, with a suffix if they are taken by now. */
  restore(project: Project): void {
    const { database, clock } = this.#deps;
    const suffix = `-deletion_scheduled-${project.id}`;
    const path = project.path.replace(suffix, '');
    const isTaken = database.projectAt(`${project.namespace.fullPath}/${path}`) !== undefined;
    const uniqueSuffix = isTaken ? `-${hexDigest(`${fullPath(project)} ${clock.now()}`, 5)}` : '';
    database.rename(project, `${path}${uniqueSuffix}`, `${project.name.replace(suffix, '')}${uniqueSuffix}`);
    project.markedForDeletionOn = null;
    project.archived = false;
    project.updatedAt = clock.now();
    this.#due.delete(project);
  }

  /** Makes the project invisible at once, and deletes its row in the background. */
  remove(project: Project): void {
    const { database, clock, speed, background } = this.#deps;
    project.pendingDelete = true;
    this.#due.delete(project);
    const deleteRow = (): void => {
      database.removeProject(project);
    };
    background.add(clock.sleep(speed.deletionMs, background.signal).then(deleteRow, () => undefined));
  }

  sweep(): void {
    const now = this.#deps.clock.now();
    for (const [project, due] of this.#due) if (now >= due) this.remove(project);
  }
}
