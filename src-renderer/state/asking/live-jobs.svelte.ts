/**
 * @file The open jobs with their progress, once for the whole window. However many events arrive, it asks four times a second at most. Events only say that it is time to ask; progress has no
 * events, so while something runs and the window is seen, it asks once a second.
 */
import type { ErrorData } from '../../../src-preload/contract/errors.ts';
import type { Job } from '../../../src-preload/contract/job.ts';
import { call, on } from '../../client.ts';
import { spaced } from './coalesce.ts';

/** As many as are shown; `more` says that there are others. */
const shown = 200;

class LiveJobs {
  /** Null until they were loaded. */
  jobs = $state.raw<Job[] | null>(null);
  more = $state(false);
  error = $state.raw<ErrorData | null>(null);

  #asking = false;
  #askAgain = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** How many jobs are open, as far as they are loaded. */
  get count(): number {
    return this.jobs?.length ?? 0;
  }

  get running(): Job[] {
    return (this.jobs ?? []).filter((job) => job.state.status === 'running');
  }

  /** Begins to follow them; the returned function ends it. */
  follow(): () => void {
    const coalesced = spaced(() => void this.refresh(), 250);
    const ends = [on('job.changed', coalesced.ask)];
    const seen = (): void => {
      if (document.visibilityState === 'visible') void this.refresh();
    };
    document.addEventListener('visibilitychange', seen);
    void this.refresh();
    return () => {
      coalesced.end();
      for (const end of ends) end();
      document.removeEventListener('visibilitychange', seen);
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
    };
  }

  /** However often it is called meanwhile, once more after the current answer. */
  async refresh(): Promise<void> {
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    this.#asking = true;
    const result = await call('job.list', { runId: null, status: 'open', before: null, limit: shown });
    this.#asking = false;
    if (result.ok) {
      this.jobs = result.value.jobs;
      this.more = result.value.next !== null;
    }
    this.error = result.ok ? null : result.error;
    if (this.#askAgain) {
      this.#askAgain = false;
      await this.refresh();
      return;
    }
    this.#wait();
  }

  #wait(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.running.length === 0 || document.visibilityState !== 'visible') return;
    this.#timer = setTimeout(() => void this.refresh(), 1000);
  }
}

export const liveJobs = new LiveJobs();
