/** @file Copies repositories after the reply: for forks, and for imports by URL from the sandbox itself. */
import { join } from 'node:path';
import { enterStates, type WorkDeps } from '../background.ts';
import { createBranchBundle } from '../content/shorter-bundle.ts';
import { emptyContent, type ProjectContent } from '../content/project-content.ts';
import type { FaultOf } from '../faults/fault-kinds.ts';
import type { Project } from '../sandbox-database.ts';

export class Cloner {
  readonly #deps: WorkDeps;

  constructor(deps: WorkDeps) {
    this.#deps = deps;
  }

  /** Marks the project as scheduled and copies the repository of `source` in the background, with one branch or all. */
  start(project: Project, source: Project, branch: string | null, endFault?: FaultOf<'end-fork'>): void {
    const { background } = this.#deps;
    project.importStatus = 'scheduled';
    const work = this.#run(project, source, branch, endFault).catch(() => {
      if (!background.signal.aborted) project.importStatus = 'failed';
    });
    background.add(work);
  }

  async #run(project: Project, source: Project, branch: string | null, endFault?: FaultOf<'end-fork'>) {
    const { clock, speed } = this.#deps;
    const states = { scheduled: speed.forkScheduledMs, started: speed.forkStartedMs };
    const end = await enterStates(this.#deps, states, endFault, (state) => {
      project.importStatus = state;
    });
    if (end !== null) {
      if (end.as === 'failed') project.importStatus = 'failed';
      return;
    }
    const content = await this.#copyRepository(project, source.content(), branch);
    project.content = () => content;
    project.defaultBranch = branch ?? source.defaultBranch;
    project.updatedAt = project.lastActivityAt = clock.now();
    project.importStatus = 'finished';
  }

  /** Returns content with only the repository and the LFS objects that it refers to. */
  async #copyRepository(
    project: Project,
    source: ProjectContent,
    branch: string | null,
  ): Promise<ProjectContent> {
    const content = emptyContent();
    for (const [name, bytes] of source.otherFiles) {
      if (name.startsWith('lfs-objects')) content.otherFiles.set(name, bytes);
    }
    const fullBundle = source.otherFiles.get('project.bundle');
    if (fullBundle === undefined) return content;
    const path = join(this.#deps.folder, `clone-${project.id}.bundle`);
    const bundle = branch === null ? fullBundle : await createBranchBundle(fullBundle, branch, path);
    if (bundle === null) throw new Error('The branch no longer exists.');
    content.otherFiles.set('project.bundle', bundle);
    return content;
  }
}
