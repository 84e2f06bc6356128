/**
 * @file What is under way, summed up for the taskbar, the tray and the power setting, and which runs have just ended.
 * Looks when a job changed, at most twice a second, and each second while one runs. Needs no Electron.
 */
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { EventPayload } from '../../../../src-contract/calls.ts';
import type { Job } from '../../../../src-contract/job.ts';
import type { WaitReason } from '../../../../src-contract/wait-reasons.ts';
import { exportInputSchema } from '../../../../src-contract/job-schema.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Clock } from '../../../platform/clock.ts';
import { words } from './words.ts';

export interface Activity {
  /** Whether something is being done that a sleep of the machine would break off. */
  busy: boolean;
  /** Of all that was enqueued since nothing was open: between 0 and 1, null when nothing is open. */
  fraction: number | null;
  /** One line for people. */
  text: string;
}

export const idle: Activity = { busy: false, fraction: null, text: words.activity.idle };

export interface ActivityParts {
  client: Pick<Client, 'call'>;
  clock: Clock;
  onActivity(activity: Activity): void;
  /**
   * All jobs of a run of which one changed since the start, once all of them have ended; once per run. `isPlanned`: a plan made
   * the run.
   */
  onRunEnded(jobs: Job[], isPlanned: boolean): void;
}

const pollIntervalMs = 500;
const progressMs = 1_000;
const page = 500;
/** A wait of ours between two steps; the machine must not fall asleep in it. Longer ones may be slept through. */
const shortWaitMs = 5 * 60_000;
const workingWaits: readonly WaitReason[] = ['server-working', 'pace', 'rate-limited', 'answer-lost'];

export class ActivityWatch {
  readonly #parts: ActivityParts;
  /** Jobs since nothing was open. */
  readonly #batch = new Set<string>();
  /** Runs of which a job changed and which have not been seen ended. */
  readonly #touched = new Set<string>();
  /** Runs of which it was told that they have ended; news of the last job may come after it was seen. */
  readonly #told = new Set<string>();
  #cancelTimer: (() => void) | null = null;
  /** When the timer is due, monotonic. */
  #due = 0;
  #looking: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(parts: ActivityParts) {
    this.#parts = parts;
    this.#lookIn(0);
  }

  /** To be told of every event of the app. */
  heard(name: EventName, payload: unknown): void {
    if (name !== 'job.changed') return;
    this.#touched.add((payload as EventPayload<'job.changed'>).runId);
    if (this.#looking === null) this.#lookIn(pollIntervalMs);
    else this.#again = true;
  }

  /** Nothing is told any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #lookIn(ms: number): void {
    const due = this.#parts.clock.monotonic() + ms;
    if (this.#stopped || (this.#cancelTimer !== null && this.#due <= due)) return;
    this.#cancelTimer?.();
    this.#due = due;
    this.#cancelTimer = this.#parts.clock.timer(ms, () => {
      this.#cancelTimer = null;
      this.#looking = this.#look()
        .then(
          (again) => again,
          () => null,
        )
        .then((againMs) => {
          this.#looking = null;
          if (this.#again) this.#lookIn(pollIntervalMs);
          else if (againMs !== null) this.#lookIn(againMs);
          this.#again = false;
        });
    });
  }

  /** When to look again, in milliseconds, because the progress of a running job is worth it; else null. */
  async #look(): Promise<number | null> {
    const open = await this.#jobs({ status: 'open' });
    const running = open.some(({ state }) => state.status === 'running');
    if (this.#stopped) return null;
    this.#parts.onActivity(this.#sumUp(open));
    for (const runId of [...this.#touched]) {
      if (open.some((job) => job.runId === runId)) {
        this.#told.delete(runId);
        continue;
      }
      this.#touched.delete(runId);
      if (this.#told.has(runId)) continue;
      this.#told.add(runId);
      const jobs = await this.#jobs({ runId });
      if (!this.#isStopped() && jobs.length > 0) this.#parts.onRunEnded(jobs, isPlanned(jobs, runId));
    }
    // A look reads every open job, so many are looked at less often.
    return running ? Math.max(progressMs, open.length) : null;
  }

  #isStopped(): boolean {
    return this.#stopped;
  }

  async #jobs(filter: { status?: 'open'; runId?: string }): Promise<Job[]> {
    const { status = null, runId = null } = filter;
    const jobs: Job[] = [];
    let before: string | null = null;
    do {
      const answer: { jobs: Job[]; next: string | null } = await this.#parts.client.call('job.list', {
        status,
        runId,
        before,
        limit: page,
      });
      jobs.push(...answer.jobs);
      before = answer.next;
    } while (before !== null);
    return jobs;
  }

  #sumUp(open: readonly Job[]): Activity {
    if (open.length === 0) this.#batch.clear();
    for (const { id } of open) this.#batch.add(id);
    if (open.length === 0) return idle;
    const ended = this.#batch.size - open.length;
    const begun = open.reduce((sum, { progress }) => {
      return sum + (progress?.total ? Math.min(1, progress.done / progress.total) : 0);
    }, 0);
    const now = this.#parts.clock.now();
    const working = open.filter(({ state }) => isWorking(state, now));
    return {
      busy: working.length > 0,
      fraction: (ended + begun) / this.#batch.size,
      text: textOf(working, open.length, ended),
    };
  }
}

/** Read off the jobs that were made with the run; others it has joined. */
function isPlanned(jobs: readonly Job[], runId: string): boolean {
  return jobs.some((job) => {
    if (job.kind !== 'export' || job.runId !== runId) return false;
    const input = exportInputSchema.safeParse(job.input);
    return input.success && input.data.planId !== null;
  });
}

function isWorking(state: Job['state'], now: number): boolean {
  if (state.status === 'waiting') {
    return workingWaits.includes(state.reason) && state.until - now <= shortWaitMs;
  }
  return state.status === 'running' || state.status === 'cancelling';
}

function textOf(working: readonly Job[], open: number, ended: number): string {
  const [first] = working;
  if (first === undefined) return words.activity.waiting(open);
  if (open + ended > 1) return words.activity.several(ended, open + ended);
  return words.activity[first.kind](first.project);
}
