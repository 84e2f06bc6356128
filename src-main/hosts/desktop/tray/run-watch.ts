/**
 * @file Reports once how each plan run ended, then its later notes. Also polls, because events of other processes do
 * not arrive.
 */
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import {
  PlanRunNotifications,
  type RunNotification,
} from '../../../../src-contract/runs/run-notifications.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Clock } from '../../../platform/clock.ts';
import { listJobs } from '../../reply-pages.ts';

/** A run with its jobs and the name of its plan. A removed plan is named by its instance. */
export interface ReportedRun extends RunNotification {
  planName: string;
  jobs: Job[];
}

const pollIntervalMs = 30_000;
const page = 100;

export class RunWatch {
  readonly #client: Pick<Client, 'call'>;
  readonly #clock: Clock;
  readonly #onNews: (news: ReportedRun) => void;
  readonly #news: PlanRunNotifications;
  #polling: Promise<void> = Promise.resolve();
  #waiting = false;
  #stopped = false;
  #cancelTimer: () => void = () => undefined;

  /** Runs that ended before `since`, in epoch milliseconds, are not reported. */
  constructor(
    client: Pick<Client, 'call'>,
    clock: Clock,
    since: number,
    onNews: (news: ReportedRun) => void,
  ) {
    this.#client = client;
    this.#clock = clock;
    this.#onNews = onNews;
    this.#news = new PlanRunNotifications(since);
    void this.poll();
    this.#pollLater();
  }

  async handleEvent(name: EventName): Promise<void> {
    if (name === 'plan.changed') await this.poll();
  }

  /** Polls one at a time; all requests during a poll share one further poll. */
  poll(): Promise<void> {
    if (this.#waiting) return this.#polling;
    this.#waiting = true;
    this.#polling = this.#polling.then(async () => {
      this.#waiting = false;
      // A failed call is repeated by the next poll.
      if (!this.#stopped) await this.#poll().catch(() => undefined);
    });
    return this.#polling;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
  }

  #pollLater(): void {
    this.#cancelTimer = this.#clock.timer(pollIntervalMs, () => {
      void this.poll();
      this.#pollLater();
    });
  }

  async #poll(): Promise<void> {
    for (const news of this.#news.findNew(await this.#runs())) {
      const jobsOfRun = listJobs(this.#client, { runId: news.run.id });
      const [jobs, plan] = await Promise.all([jobsOfRun, this.#planOf(news.run)]);
      if (!this.#stopped) this.#onNews({ ...news, jobs, planName: plan });
    }
  }

  /** Returns the newest runs, at least back to the oldest run last seen running. */
  async #runs(): Promise<Run[]> {
    const runs: Run[] = [];
    const missing = new Set(this.#news.open);
    let before: string | null = null;
    do {
      const reply: CallReply<'run.list'> = await this.#client.call('run.list', { before, limit: page });
      runs.push(...reply.runs);
      for (const { id } of reply.runs) missing.delete(id);
      before = reply.next;
    } while (before !== null && missing.size > 0);
    return runs;
  }

  async #planOf({ planId, instances }: Run): Promise<string> {
    const { plans } = await this.#client.call('plan.list', {});
    return plans.find(({ plan }) => plan.id === planId)?.plan.name ?? instances.join(', ');
  }
}
