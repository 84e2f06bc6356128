/** @file The jobs that were started from the panel, newest per project and part, for as long as the panel is open. */
import { SvelteMap } from 'svelte/reactivity';

export type PanelPart = 'changes' | 'upload' | 'export' | 'relation-import';

export class StartedJobs {
  readonly #jobs = new SvelteMap<string, string>();

  /** Its id; null: none was started, or what came of it was put away. `project` is its key. */
  of(project: string, part: PanelPart): string | null {
    return this.#jobs.get(`${part} ${project}`) ?? null;
  }

  add(project: string, part: PanelPart, jobId: string): void {
    this.#jobs.set(`${part} ${project}`, jobId);
  }

  putAway(project: string, part: PanelPart): void {
    this.#jobs.delete(`${part} ${project}`);
  }
}
