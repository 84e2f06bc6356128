/** @file Tracks imports in progress, so that the project list of a target is fetched once after its last import. */
import { liveJobs } from './live-jobs.svelte.ts';

class ImportTracker {
  readonly #instances = new Set<string>();

  /** Call this when an import into `instance` was started: the import may end before the list of open jobs shows it. */
  track(instance: string): void {
    this.#instances.add(instance);
    void liveJobs.refresh();
  }

  /** Returns the instances whose last open import has ended since the previous call. Reads the open jobs. */
  takeEnded(): string[] {
    const { jobs, hasMore } = liveJobs;
    if (jobs === null || hasMore) return [];
    const open = new Set(jobs.filter(({ kind }) => kind === 'import').map(({ instance }) => instance));
    const ended = [...this.#instances].filter((instance) => !open.has(instance));
    for (const instance of ended) this.#instances.delete(instance);
    for (const instance of open) this.#instances.add(instance);
    return ended;
  }
}

export const importTracker = new ImportTracker();
