/**
 * @file The fetches of project lists, by instance, shared by the whole window. A fetch continues when the user leaves
 * the view, and every view can watch and cancel it.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import { call } from '../../client.ts';

class ListRefresh {
  busy = $state(true);
  progress = $state.raw<Progress | null>(null);
  /** Null after a cancelled fetch, which is no error. */
  error = $state.raw<ErrorData | null>(null);
  readonly abortController = new AbortController();
}

class ListRefreshes {
  readonly #byInstance = new SvelteMap<string, ListRefresh>();

  /** The fetch in progress, or the last one if it failed; null otherwise. */
  get(instance: string): Pick<ListRefresh, 'busy' | 'progress' | 'error'> | null {
    return this.#byInstance.get(instance) ?? null;
  }

  /** Fetches the list; returns true if it was stored. Does nothing if a fetch is already in progress. */
  async start(instance: string): Promise<boolean> {
    if (this.#byInstance.get(instance)?.busy === true) return false;
    const refresh = new ListRefresh();
    this.#byInstance.set(instance, refresh);
    const onProgress = (progress: Progress): void => {
      refresh.progress = progress;
    };
    const { signal } = refresh.abortController;
    const result = await call('instance.refresh', { name: instance, visible: false }, { onProgress, signal });
    refresh.busy = false;
    refresh.progress = null;
    if (!result.ok && result.error.code !== 'cancelled') refresh.error = result.error;
    else this.#byInstance.delete(instance);
    return result.ok;
  }

  cancel(instance: string): void {
    this.#byInstance.get(instance)?.abortController.abort();
  }
}

export const listRefreshes = new ListRefreshes();
