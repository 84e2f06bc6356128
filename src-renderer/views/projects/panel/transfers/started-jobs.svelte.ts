/** @file The newest job started from the panel, by project and part, while the panel is open. */
import { SvelteMap } from 'svelte/reactivity';

export type PanelPart = 'changes' | 'upload' | 'export' | 'relation-import';

export class StartedJobs {
  readonly #jobs = new SvelteMap<string, string>();

  /**
   * Returns the id of the job; null if no job was started, or if its result was dismissed. `project` is the key of
   * the project.
   */
  jobIdOf(project: string, part: PanelPart): string | null {
    return this.#jobs.get(`${part} ${project}`) ?? null;
  }

  add(project: string, part: PanelPart, jobId: string): void {
    this.#jobs.set(`${part} ${project}`, jobId);
  }

  dismiss(project: string, part: PanelPart): void {
    this.#jobs.delete(`${part} ${project}`);
  }
}
