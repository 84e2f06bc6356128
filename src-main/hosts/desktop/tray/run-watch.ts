/**
 * @file Reports the end of each plan run once, and each warning that is added to the run later. Also polls, because
 * events of other processes do not arrive.
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

/** A run with its jobs and the name of its plan, or of its instance if the plan was removed. */
export interface ReportedRun extends RunNotification {
  planName: string;
  jobs: Job[];
}

const pollIntervalMs = 30_000;
const pageSize = 100;

export class RunWatch {
  readonly #client: Pick<Client, 'call'>;
  readonly #clock: Clock;
  readonly #onNotification: (news: ReportedRun) => void;
  readonly #notifications: PlanRunNotifications;
  #polling: Promise<void> = Promise.resolve();
  #isPollQueued = false;
  #stopped = false;
  #cancelTimer: () => void = () => undefined;

  /** Runs that ended before `since`, in epoch milliseconds, are not reported. */
  constructor(
    client: Pick<Client, 'call'>,
    clock: Clock,
    since: number,
    onNotification: (news: ReportedRun) => void,
  ) {
    this.#client = client;
    this.#clock = clock;
    this.#onNotification = onNotification;
    this.#notifications = new PlanRunNotifications(since);
    void this.poll();
    this.#pollLater();
  }

  async handleEvent(name: EventName): Promise<void> {
    if (name === 'plan.changed') await this.poll();
  }

  /** Runs one poll at a time. All calls during a poll share the next one. */
  poll(): Promise<void> {
    if (this.#isPollQueued) return this.#polling;
    this.#isPollQueued = true;
    this.#polling = this.#polling.then(async () => {
      this.#isPollQueued = false;
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
    for (const notification of this.#notifications.findNew(await this.#runs())) {
      const jobsOfRun = listJobs(this.#client, { runId: notification.run.id });
      const [jobs, planName] = await Promise.all([jobsOfRun, this.#planNameOf(notification.run)]);
      if (!this.#stopped) this.#onNotification({ ...notification, jobs, planName });
    }
  }

  /** Returns the newest runs, at least back to the oldest run that was still running at the previous poll. */
  async #runs(): Promise<Run[]> {
    const runs: Run[] = [];
    const missing = new Set(this.#notifications.openRunIds);
    let before: string | null = null;
    do {
      const reply: CallReply<'run.list'> = await this.#client.call('run.list', { before, limit: pageSize });
      runs.push(...reply.runs);
      for (const { id } of reply.runs) missing.delete(id);
      before = reply.next;
    } while (before !== null && missing.size > 0);
    return runs;
  }

  async #planNameOf({ planId, instances }: Run): Promise<string> {
    const { plans } = await this.#client.call('plan.list', {});
    return plans.find(({ plan }) => plan.id === planId)?.plan.name ?? instances.join(', ');
  }
}
