/**
 * @file Copies repositories after the reply to the request: for forks, and for imports by URL from the sandbox itself.
 */
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Background } from '../background.ts';
import { onlyBranch } from '../content/shorter-bundle.ts';
import { emptyContent, type ProjectContent } from '../content/project-content.ts';
import type { FaultOf } from '../faults/fault-kinds.ts';
import type { Project } from '../world.ts';

/** Minimum duration of each state in milliseconds. */
export interface CloneSpeed {
  forkScheduledMs: number;
  forkStartedMs: number;
}

export class Cloner {
  readonly #clock: Clock;
  readonly #speed: CloneSpeed;
  readonly #folder: string;
  readonly #background: Background;

  constructor(parts: { clock: Clock; speed: CloneSpeed; folder: string; background: Background }) {
    this.#clock = parts.clock;
    this.#speed = parts.speed;
    this.#folder = parts.folder;
    this.#background = parts.background;
  }

  /** Marks the project as scheduled and copies the repository of `from` in the background, with one branch or all. */
  start(project: Project, from: Project, branch: string | null, ending?: FaultOf<'end-fork'>): void {
    project.importStatus = 'scheduled';
    const work = this.#run(project, from, branch, ending).catch(() => {
      if (!this.#background.signal.aborted) project.importStatus = 'failed';
    });
    this.#background.add(work);
  }

  async #run(
    project: Project,
    from: Project,
    branch: string | null,
    ending: FaultOf<'end-fork'> | undefined,
  ): Promise<void> {
    const { forkScheduledMs, forkStartedMs } = this.#speed;
    for (const state of ['scheduled', 'started'] as const) {
      project.importStatus = state;
      const ms = state === 'scheduled' ? forkScheduledMs : forkStartedMs;
      await this.#clock.sleep(ms, this.#background.signal);
      if (ending === undefined || (ending.at ?? 'started') !== state) continue;
      if (ending.as === 'failed') project.importStatus = 'failed';
      return;
    }
    const content = await this.#repository(project, from.content(), branch);
    project.content = () => content;
    project.defaultBranch = branch ?? from.defaultBranch;
    project.updatedAt = project.lastActivityAt = this.#clock.now();
    project.importStatus = 'finished';
  }

  /** Copies only the repository and the large files it refers to. */
  async #repository(project: Project, from: ProjectContent, branch: string | null): Promise<ProjectContent> {
    const content = emptyContent();
    for (const [name, bytes] of from.members) {
      if (name.startsWith('lfs-objects')) content.members.set(name, bytes);
    }
    const whole = from.members.get('project.bundle');
    if (whole === undefined) return content;
    const path = join(this.#folder, `clone-${project.id}.bundle`);
    const bundle = branch === null ? whole : await onlyBranch(whole, branch, path);
    if (bundle === null) throw new Error('The branch is gone.');
    content.members.set('project.bundle', bundle);
    return content;
  }
}
