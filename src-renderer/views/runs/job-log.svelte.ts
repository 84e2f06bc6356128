/** @file Follows the log of one job: loads it to its end, then loads new lines. Holds a limited number of lines. */
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { JobEvent } from '../../../src-contract/runs/job.ts';
import { call } from '../../client.ts';

const pageSize = 500;
const maxLines = 5000;

export class JobLog {
  /** Oldest first; null until the first lines have arrived. */
  lines = $state.raw<JobEvent[] | null>(null);
  /** Number of older lines that were dropped. */
  droppedCount = $state(0);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);

  readonly #job: string;
  #lastId = 0;
  #mustReload = false;
  #isStopped = false;

  constructor(job: string) {
    this.#job = job;
  }

  /** Loads new lines. Calls during a request cause one more request after it. */
  async load(): Promise<void> {
    if (this.busy) {
      this.#mustReload = true;
      return;
    }
    this.busy = true;
    let hasMore = true;
    while (hasMore) {
      this.#mustReload = false;
      const result = await call('job.log', { job: this.#job, afterId: this.#lastId, limit: pageSize });
      if (this.#isStopped) return;
      this.error = result.ok ? null : result.error;
      if (result.ok) this.#append(result.value.events);
      hasMore = this.#isReloadPending() || (result.ok && result.value.events.length === pageSize);
    }
    this.busy = false;
  }

  #isReloadPending(): boolean {
    return this.#mustReload;
  }

  stop(): void {
    this.#isStopped = true;
  }

  #append(events: JobEvent[]): void {
    this.#lastId = events.at(-1)?.id ?? this.#lastId;
    const all = [...(this.lines ?? []), ...events];
    const excess = Math.max(0, all.length - maxLines);
    this.droppedCount += excess;
    this.lines = excess === 0 ? all : all.slice(excess);
  }
}
