/**
 * @file Starts the runs of due plans. Due times are computed from plans, stored firings and clock. A crash or a second
 * process therefore neither repeats nor loses a run.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { Clock } from '../../platform/clock.ts';
import { startRun } from './firing.ts';
import type { RunPreparation } from './hook-programs.ts';
import { dueNow, nextFiring, skippedDueNow } from './plan-due.ts';
import type { PlanRunsPort } from '../ports.ts';
import { PollLoop } from '../running/poll-loop.ts';
import type { Survey } from './survey.ts';

export interface SchedulerOptions {
  plans(): StoredPlan[];
  runStore: PlanRunsPort;
  /**
   * Reads which projects the plan covers now. Fails if the instance was removed, or if this process has no token that
   * may export.
   */
  survey(plan: StoredPlan, signal: AbortSignal): Promise<Survey>;
  /** Chooses the run's id and decides whether it takes place. Fails if the run cannot start now. */
  prepareRun(
    plan: StoredPlan,
    upcoming: { dueAt: number; projects: number },
    signal: AbortSignal,
  ): Promise<RunPreparation>;
  mayFire(): boolean;
  /** Rotates the tokens that are due. Called at every poll. */
  rotateDueTokens(): void;
  clock: Clock;
  observer: {
    onFired(planId: string, runId: string): void;
    onSkipped(planId: string): void;
    /** Called when a plan could not fire. The plan stays due and is tried again. */
    onFireFailed(planId: string, error: AppError): void;
    onError(error: AppError): void;
  };
}

/** How often plans and clock are checked, because another process may save a plan, and the clock may be set. */
const pollIntervalMs = 60_000;
/** How often a process that does not run the jobs checks whether it must run them. */
const standbyPollIntervalMs = 1_000;
const firstRetryMs = 30_000;
const maxRetryMs = 600_000;

/** The next try for a due time that could not be fired. `at` is a monotonic time. */
interface Retry {
  dueAt: number;
  failures: number;
  at: number;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #firing = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, Retry>();
  readonly #loop: PollLoop;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#loop = new PollLoop({
      clock: options.clock,
      poll: () => this.#pollPlans(),
      onPollError(error) {
        options.observer.onError(error);
        return firstRetryMs;
      },
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Aborts requests to instances; due plans stay due. Idempotent. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.all(this.#firing.values());
  }

  /** Polls now and retries every plan that could not fire. */
  wake(): void {
    this.#retries.clear();
    this.#loop.wake();
  }

  #pollPlans(): number {
    if (!this.#options.mayFire()) return standbyPollIntervalMs;
    const pauseMs = this.#fireDue();
    this.#options.rotateDueTokens();
    return pauseMs;
  }

  /** Fires the due plans. Returns the milliseconds until something may be due, at most a minute. */
  #fireDue(): number {
    const { runStore, clock } = this.#options;
    let pauseMs = pollIntervalMs;
    for (const plan of this.#options.plans()) {
      this.#recordSkip(plan);
      const due = dueNow(plan, runStore, clock.now());
      const retryMs = due === null ? null : this.#retryIn(plan.id, due);
      const next = nextFiring(plan, runStore, clock.now());
      if (next !== null) pauseMs = Math.min(pauseMs, next - clock.now());
      if (retryMs !== null && retryMs > 0) pauseMs = Math.min(pauseMs, retryMs);
      if (retryMs === 0 && !this.#firing.has(plan.id)) this.#startFiring(plan);
    }
    return Math.max(1, pauseMs);
  }

  #recordSkip(plan: StoredPlan): void {
    const { runStore, clock, observer } = this.#options;
    const skip = skippedDueNow(plan, runStore, clock.now());
    if (skip === null) return;
    const request = { instance: plan.instance, planId: plan.id, dueAt: skip.dueAt };
    if (runStore.recordSkip(plan.id, skip.dueAt, skip.why, request, clock.now())) observer.onSkipped(plan.id);
  }

  #retryIn(planId: string, dueAt: number): number {
    const retry = this.#retries.get(planId);
    if (retry?.dueAt !== dueAt) return 0;
    return Math.max(0, retry.at - this.#options.clock.monotonic());
  }

  #startFiring(plan: StoredPlan): void {
    const firing = this.#fire(plan).finally(() => {
      this.#firing.delete(plan.id);
      this.#loop.wake();
    });
    this.#firing.set(plan.id, firing);
  }

  /** Never throws: a failure is recorded and tried again. */
  async #fire(plan: StoredPlan): Promise<void> {
    const { clock, runStore, observer } = this.#options;
    try {
      const survey = await this.#options.survey(plan, this.#loop.signal);
      const dueAt = this.#dueIfUnchanged(plan);
      if (dueAt === null) return;
      const upcoming = { dueAt, projects: survey.chosen.length };
      const preparation = await this.#options.prepareRun(plan, upcoming, this.#loop.signal);
      const due = preparation.isCancelled ? this.#currentDue(plan.id) : this.#dueIfUnchanged(plan);
      if (due === null) return;
      const fired = startRun(runStore, plan, survey, due, clock.now(), preparation);
      this.#retries.delete(plan.id);
      if (fired !== null) observer.onFired(plan.id, fired.runId);
    } catch (thrown) {
      if (this.#isStopping()) return;
      this.#recordFailure(plan, AppError.from(thrown));
    }
  }

  /** Returns null if the plan was changed or fired elsewhere during the survey. A newer due time takes precedence. */
  #dueIfUnchanged(plan: StoredPlan): number | null {
    const current = this.#options.plans().find(({ id }) => id === plan.id);
    return isDeepStrictEqual(current, plan) ? this.#currentDue(plan.id) : null;
  }

  /** Returns the current due time even if the plan was changed in the meantime. */
  #currentDue(planId: string): number | null {
    const { runStore, clock } = this.#options;
    if (this.#isStopping() || !this.#options.mayFire()) return null;
    const plan = this.#options.plans().find(({ id }) => id === planId);
    return plan === undefined ? null : dueNow(plan, runStore, clock.now());
  }

  #recordFailure(plan: StoredPlan, error: AppError): void {
    const { clock, runStore, observer } = this.#options;
    try {
      const dueAt = dueNow(plan, runStore, clock.now());
      if (dueAt === null) return;
      const previous = this.#retries.get(plan.id);
      const failures = (previous?.dueAt === dueAt ? previous.failures : 0) + 1;
      const retryAfterMs = typeof error.retry === 'object' ? error.retry.afterMs : 0;
      const waitMs = Math.min(maxRetryMs, Math.max(retryAfterMs, firstRetryMs * 2 ** (failures - 1)));
      this.#retries.set(plan.id, { dueAt, failures, at: clock.monotonic() + waitMs });
      runStore.recordFailure(plan.id, error.toData(), clock.now());
      observer.onFireFailed(plan.id, error);
    } catch (failure) {
      observer.onError(AppError.from(failure));
    }
  }

  #isStopping(): boolean {
    return this.#loop.signal.aborted;
  }
}
