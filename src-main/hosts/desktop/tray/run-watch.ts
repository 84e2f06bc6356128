/**
 * @file Tells once how a run of a plan ended, and what was noted of it afterwards. Looks when a plan changed, when a run has ended
 * and by the clock, as runs of other processes are heard of by none of these. Needs no Electron.
 */
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { Job } from '../../../../src-contract/job.ts';
import { PlanRunNews, type RunNews } from '../../../../src-contract/plans/run-news.ts';
import type { Run } from '../../../../src-contract/plans/run.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Clock } from '../../../platform/clock.ts';

/** What is new of a run, the jobs that it has, and what its plan is called; a removed one is called by its instance. */
export interface ToldRun extends RunNews {
  plan: string;
  jobs: Job[];
}

const pollIntervalMs = 30_000;
const page = 100;
const jobsPage = 500;

export class RunWatch {
  readonly #client: Pick<Client, 'call'>;
  readonly #clock: Clock;
  readonly #onNews: (told: ToldRun) => void;
  readonly #news: PlanRunNews;
  #looking: Promise<void> = Promise.resolve();
  #waiting = false;
  #stopped = false;
  #cancelTimer: () => void = () => undefined;

  /** `since`: what ended before is no news; epoch milliseconds. */
  constructor(client: Pick<Client, 'call'>, clock: Clock, since: number, onNews: (told: ToldRun) => void) {
    this.#client = client;
    this.#clock = clock;
    this.#onNews = onNews;
    this.#news = new PlanRunNews(since);
    void this.look();
    this.#lookLater();
  }

  /** To be told of every event of the app. Resolves when what followed from it is done. */
  async heard(name: EventName): Promise<void> {
    if (name === 'plan.changed') await this.look();
  }

  /** One look at a time; however often it is asked for meanwhile, one more follows. */
  look(): Promise<void> {
    if (this.#waiting) return this.#looking;
    this.#waiting = true;
    this.#looking = this.#looking.then(async () => {
      this.#waiting = false;
      // What cannot be asked now is asked at the next look.
      if (!this.#stopped) await this.#look().catch(() => undefined);
    });
    return this.#looking;
  }

  /** Nothing is told any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
  }

  #lookLater(): void {
    this.#cancelTimer = this.#clock.timer(pollIntervalMs, () => {
      void this.look();
      this.#lookLater();
    });
  }

  async #look(): Promise<void> {
    for (const told of this.#news.look(await this.#runs())) {
      const [jobs, plan] = await Promise.all([this.#jobs(told.run.id), this.#planOf(told.run)]);
      if (!this.#stopped) this.#onNews({ ...told, jobs, plan });
    }
  }

  /** The newest, back to all that were seen under way. */
  async #runs(): Promise<Run[]> {
    const runs: Run[] = [];
    const missing = new Set(this.#news.open);
    let before: string | null = null;
    do {
      const answer: { runs: Run[]; next: string | null } = await this.#client.call('run.list', {
        before,
        limit: page,
      });
      runs.push(...answer.runs);
      for (const { id } of answer.runs) missing.delete(id);
      before = answer.next;
    } while (before !== null && missing.size > 0);
    return runs;
  }

  async #jobs(runId: string): Promise<Job[]> {
    const jobs: Job[] = [];
    let before: string | null = null;
    do {
      const answer: { jobs: Job[]; next: string | null } = await this.#client.call('job.list', {
        runId,
        before,
        limit: jobsPage,
      });
      jobs.push(...answer.jobs);
      before = answer.next;
    } while (before !== null);
    return jobs;
  }

  async #planOf({ planId, instances }: Run): Promise<string> {
    const { plans } = await this.#client.call('plan.list', {});
    return plans.find(({ plan }) => plan.id === planId)?.plan.name ?? instances.join(', ');
  }
}
