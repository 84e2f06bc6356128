/** @file Reports the running work to the taskbar and the tray, and runs that have just ended. Needs no Electron. */
import type { EventName } from '../../../../src-contract/call-names.ts';
import type { EventPayload } from '../../../../src-contract/calls.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import type { WaitReason } from '../../../../src-contract/runs/wait-reasons.ts';
import { exportInputSchema } from '../../../../src-contract/runs/job-schema.ts';
import type { Client } from '../../../bridge/transports/in-process.ts';
import type { Clock } from '../../../platform/clock.ts';
import { listJobs } from '../../reply-pages.ts';
import { desktopTexts } from './desktop-texts.ts';

export interface Activity {
  /** True if work is in progress that a sleep of the machine would interrupt. */
  isBusy: boolean;
  /** Progress from 0 to 1 of all jobs since Packhorse was last idle; null while no job is open. */
  progress: number | null;
  /** One line of text for the user. */
  text: string;
}

export const idleActivity: Activity = { isBusy: false, progress: null, text: desktopTexts.activity.idle };

export interface ActivityDeps {
  client: Pick<Client, 'call'>;
  clock: Clock;
  onActivity(activity: Activity): void;
  /**
   * Called once per run with all its jobs, when all have ended and at least one changed since the start. `isPlanned` is
   * true if a plan created the run.
   */
  onRunEnded(jobs: Job[], isPlanned: boolean): void;
}

const pollIntervalMs = 500;
const minProgressPollMs = 1_000;
/**
 * The machine must stay awake during waits between two steps that are at most this long. During longer waits the
 * machine may sleep.
 */
const shortWaitMs = 5 * 60_000;
const activeWaitReasons: readonly WaitReason[] = ['server-working', 'pace', 'rate-limited', 'answer-lost'];

export class ActivityWatch {
  readonly #deps: ActivityDeps;
  /** All jobs since Packhorse was last idle. */
  readonly #batch = new Set<string>();
  /** Runs that have a changed job and whose end was not seen yet. */
  readonly #changedRuns = new Set<string>();
  /** Runs whose end was reported; the event of the last job may arrive after its end was seen. */
  readonly #reportedRuns = new Set<string>();
  #cancelTimer: (() => void) | null = null;
  /** The due time of the timer, monotonic. */
  #dueAt = 0;
  #currentPoll: Promise<void> | null = null;
  #mustPollAgain = false;
  #stopped = false;

  constructor(deps: ActivityDeps) {
    this.#deps = deps;
    this.#pollIn(0);
  }

  handleEvent(name: EventName, payload: unknown): void {
    if (name !== 'job.changed') return;
    this.#changedRuns.add((payload as EventPayload<'job.changed'>).runId);
    if (this.#currentPoll === null) this.#pollIn(pollIntervalMs);
    else this.#mustPollAgain = true;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #pollIn(ms: number): void {
    const due = this.#deps.clock.monotonic() + ms;
    if (this.#stopped || (this.#cancelTimer !== null && this.#dueAt <= due)) return;
    this.#cancelTimer?.();
    this.#dueAt = due;
    this.#cancelTimer = this.#deps.clock.timer(ms, () => {
      this.#cancelTimer = null;
      this.#currentPoll = this.#poll()
        .catch(() => null)
        .then((nextPollMs) => {
          this.#currentPoll = null;
          if (this.#mustPollAgain) this.#pollIn(pollIntervalMs);
          else if (nextPollMs !== null) this.#pollIn(nextPollMs);
          this.#mustPollAgain = false;
        });
    });
  }

  /** Returns when to poll again, in milliseconds, to follow the progress of a running job; null if no job runs. */
  async #poll(): Promise<number | null> {
    const open = await listJobs(this.#deps.client, { status: 'open' });
    const isAnyRunning = open.some(({ state }) => state.status === 'running');
    if (this.#stopped) return null;
    this.#deps.onActivity(this.#sumUp(open));
    for (const runId of [...this.#changedRuns]) {
      if (open.some((job) => job.runId === runId)) {
        this.#reportedRuns.delete(runId);
        continue;
      }
      this.#changedRuns.delete(runId);
      if (this.#reportedRuns.has(runId)) continue;
      this.#reportedRuns.add(runId);
      const jobs = await listJobs(this.#deps.client, { runId });
      if (!this.#isStopped() && jobs.length > 0) this.#deps.onRunEnded(jobs, isPlanned(jobs, runId));
    }
    // A poll reads every open job, so many jobs are polled less often.
    return isAnyRunning ? Math.max(minProgressPollMs, open.length) : null;
  }

  #isStopped(): boolean {
    return this.#stopped;
  }

  #sumUp(open: readonly Job[]): Activity {
    if (open.length === 0) this.#batch.clear();
    for (const { id } of open) this.#batch.add(id);
    if (open.length === 0) return idleActivity;
    const endedCount = this.#batch.size - open.length;
    const partialProgress = open.reduce((sum, { progress }) => {
      return sum + (progress?.total ? Math.min(1, progress.done / progress.total) : 0);
    }, 0);
    const now = this.#deps.clock.now();
    const working = open.filter(({ state }) => isWorking(state, now));
    return {
      isBusy: working.length > 0,
      progress: (endedCount + partialProgress) / this.#batch.size,
      text: textOf(working, open.length, endedCount),
    };
  }
}

/** Checks only the jobs that were created with the run, not older jobs that the run joined. */
function isPlanned(jobs: readonly Job[], runId: string): boolean {
  return jobs.some((job) => {
    if (job.kind !== 'export' || job.runId !== runId) return false;
    const input = exportInputSchema.safeParse(job.input);
    return input.success && input.data.planId !== null;
  });
}

function isWorking(state: Job['state'], now: number): boolean {
  if (state.status === 'waiting') {
    return activeWaitReasons.includes(state.reason) && state.until - now <= shortWaitMs;
  }
  return state.status === 'running' || state.status === 'cancelling';
}

function textOf(working: readonly Job[], openCount: number, endedCount: number): string {
  const [first] = working;
  if (first === undefined) return desktopTexts.activity.waiting(openCount);
  if (openCount + endedCount > 1) return desktopTexts.activity.jobsDone(endedCount, openCount + endedCount);
  return desktopTexts.activity[first.kind](first.project);
}
