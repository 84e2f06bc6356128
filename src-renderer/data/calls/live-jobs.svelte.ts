/**
 * @file The open jobs with their progress, shared by the whole window. Events reload them, at most four times a second.
 * While a job runs, they are reloaded once a second, because progress emits no events.
 */
import type { ErrorData } from '../../../src-contract/errors.ts';
import { hasEnded, type Job, type JobStatus } from '../../../src-contract/runs/job.ts';
import { call } from '../../client.ts';
import { onEvents } from './on-events.ts';

const maxJobs = 200;
/**
 * Jobs with these statuses are loaded first if there are too many jobs, because the list begins with the newest jobs,
 * which run last.
 */
const activeStatuses = ['running', 'cancelling', 'waiting'] as const;

class LiveJobs {
  jobs = $state.raw<Job[] | null>(null);
  hasMore = $state(false);
  /** Number of open jobs by status, including jobs that are not loaded; null if all are loaded. */
  #counts = $state.raw<Partial<Record<string, number>> | null>(null);
  error = $state.raw<ErrorData | null>(null);

  #isLoading = false;
  #mustReload = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  get count(): number {
    if (this.#counts === null) return this.jobs?.length ?? 0;
    return Object.values(this.#counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  }

  countOf(...statuses: readonly JobStatus[]): number {
    const counts = this.#counts;
    if (counts !== null) return statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
    return (this.jobs ?? []).filter(({ state }) => statuses.includes(state.status)).length;
  }

  get running(): Job[] {
    return (this.jobs ?? []).filter((job) => job.state.status === 'running');
  }

  /** Starts following the open jobs, and returns a function that stops it. */
  follow(): () => void {
    const stopEvents = onEvents(['job.changed'], () => void this.refresh(), 250);
    const onVisibilityChange = (): void => {
      if (document.visibilityState === 'visible') void this.refresh();
    };
    document.addEventListener('visibilitychange', onVisibilityChange);
    void this.refresh();
    return () => {
      stopEvents();
      document.removeEventListener('visibilitychange', onVisibilityChange);
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
    };
  }

  /** Requests the open jobs. Calls during a request cause one more request after it. */
  async refresh(): Promise<void> {
    if (this.#isLoading) {
      this.#mustReload = true;
      return;
    }
    this.#isLoading = true;
    const result = await call('job.list', { status: 'open', limit: maxJobs });
    const active = result.ok && result.value.next !== null ? await this.#fetchActive() : null;
    this.#isLoading = false;
    if (result.ok) {
      const activeIds = new Set(active?.jobs.map(({ id }) => id));
      const others = result.value.jobs.filter(
        ({ id, state }) => !activeIds.has(id) && (active === null || state.status === 'queued'),
      );
      this.jobs = [...(active?.jobs ?? []), ...others];
      this.hasMore = result.value.next !== null;
      this.#counts = active?.counts ?? null;
    }
    this.error = result.ok ? null : result.error;
    if (!this.#mustReload) {
      this.#scheduleRefresh();
      return;
    }
    this.#mustReload = false;
    await this.refresh();
  }

  /** Returns the running and waiting jobs, newest first, and the number of open jobs; null if the request fails. */
  async #fetchActive(): Promise<{ jobs: Job[]; counts: Partial<Record<string, number>> } | null> {
    const lists = await Promise.all(
      activeStatuses.map((status) => call('job.list', { status, limit: maxJobs })),
    );
    const overview = await call('overview.show', {});
    if (!overview.ok) return null;
    const jobs = lists.flatMap((list) => (list.ok ? list.value.jobs : []));
    return { jobs: jobs.filter(({ state }) => !hasEnded(state)), counts: overview.value.openJobs };
  }

  #scheduleRefresh(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.running.length === 0 || document.visibilityState !== 'visible') return;
    this.#timer = setTimeout(() => void this.refresh(), 1000);
  }
}

export const liveJobs = new LiveJobs();
