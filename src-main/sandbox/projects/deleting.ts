/** @file Delayed deletion: projects are marked first, and deleted when their time has come (gitlab-facts 2.2). */
import { isoTime, type Clock } from '../../platform/clock.ts';
import type { Background } from '../background.ts';
import { fullPath, hexOf, type Project, type World } from '../world.ts';

const day = 86_400_000;

export interface DeletionOptions {
  /** Whether a deletion only marks the project; other servers delete at once. */
  delayed: boolean;
  /** Days between marking and deletion. */
  delayDays: number;
  /** Whether a marked project may be deleted earlier. */
  immediateAllowed: boolean;
  /** Milliseconds between the reply to an immediate deletion and the end of the project. */
  deletionMs: number;
}

export class Deletions {
  readonly options: DeletionOptions;
  readonly #world: World;
  readonly #clock: Clock;
  readonly #background: Background;
  /** Time of the deletion of each marked project, epoch milliseconds. */
  readonly #due = new Map<Project, number>();

  constructor(parts: { world: World; clock: Clock; background: Background; options: DeletionOptions }) {
    this.options = parts.options;
    this.#world = parts.world;
    this.#clock = parts.clock;
    this.#background = parts.background;
  }

  /** Renames the project, so that its path and name are free at once, and makes it read-only. */
  mark(project: Project): void {
    const suffix = `-deletion_scheduled-${project.id}`;
    this.#world.rename(project, `${project.path}${suffix}`, `${project.name}${suffix}`);
    const now = this.#clock.now();
    project.markedForDeletionOn = isoTime(now).slice(0, 10);
    project.archived = true;
    project.updatedAt = now;
    this.#due.set(project, now + this.options.delayDays * day);
  }

  /** Gives a marked project its name and path back, with a suffix if they are taken by now. */
  restore(project: Project): void {
    const suffix = `-deletion_scheduled-${project.id}`;
    const path = project.path.replace(suffix, '');
    const isTaken = this.#world.projectAt(`${project.namespace.fullPath}/${path}`) !== undefined;
    const addition = isTaken ? `-${hexOf(`${fullPath(project)} ${this.#clock.now()}`, 5)}` : '';
    this.#world.rename(project, `${path}${addition}`, `${project.name.replace(suffix, '')}${addition}`);
    project.markedForDeletionOn = null;
    project.archived = false;
    project.updatedAt = this.#clock.now();
    this.#due.delete(project);
  }

  /** The project is invisible from now on; its row is deleted in the background. */
  remove(project: Project): void {
    project.pendingDelete = true;
    this.#due.delete(project);
    const work = this.#clock.sleep(this.options.deletionMs, this.#background.signal).then(
      () => {
        this.#world.removeProject(project);
      },
      () => undefined,
    );
    this.#background.add(work);
  }

  /** Removes the projects whose deletion is due. */
  sweep(): void {
    const now = this.#clock.now();
    for (const [project, due] of this.#due) if (now >= due) this.remove(project);
  }
}
