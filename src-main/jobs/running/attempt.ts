/** @file Runs one try of one step: counts the try, stores the step's memo, and decides whether a failure is retried. */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob, Progress } from '../../../src-contract/runs/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LimitedAction, RateLimiter } from './rate-limiter.ts';
import type { EarlierJob } from '../../catalogue/runs/jobs.ts';
import type { JobStorePort, StepPorts } from '../ports.ts';
import type { Outages } from './outages.ts';
import { decideRetry, failingText, isOutage, needsToken, outageText, tokenWaitText } from './retry.ts';
import type { Outcome, Step } from './step.ts';

/**
 * A crash does not show which step caused it. After the lower number of interruptions in a row, a step waits before
 * each try, so that other jobs can run. After the higher number, it fails.
 */
const [minWaitInterruptions, maxInterruptions] = [5, 12];
/** Maximum wait for a limit while the job occupies a slot. */
const maxHoldMs = 15_000;

/** An outage during which every try of the step has failed. */
interface StoredOutage {
  since: number;
  /** Excludes the time in which no process ran. */
  outageDurationMs: number;
  tries: number;
}

/** The stored memo: the step's own memo and the counters of its tries. */
interface StoredMemo {
  /** Consecutive failures, not counting those of an outage. */
  failures: number;
  interruptions: number;
  /** True if the step has waited since the last interruption. */
  rested?: boolean;
  outage?: StoredOutage | null;
  /** How long the instance was unavailable during this step, in outages that have ended. Milliseconds. */
  awayMs?: number;
  memo: unknown;
}

const emptyMemo: StoredMemo = { failures: 0, interruptions: 0, memo: null };

const unwrapMemos = (earlier: EarlierJob): EarlierJob => ({
  ...earlier,
  memos: Object.fromEntries(
    Object.entries(earlier.memos).map(([step, stored]) => [
      step,
      (stored as StoredMemo | null)?.memo ?? null,
    ]),
  ),
});

export interface AttemptDeps {
  store: JobStorePort;
  clock: Clock;
  rateLimiter: RateLimiter;
  outages: Pick<Outages, 'suspect' | 'outageSince' | 'outageDurationMs' | 'hasRespondedSince'>;
  maxOutageMs: number;
  /** Returns a number in [0, 1) that spreads waits. */
  random(): number;
  reportProgress(progress: Progress): void;
  /** Throws if this process must not write about the job any more. */
  assertMayWrite(): void;
}

/**
 * Returns the outcome of the try, or a wait if a failure is retried. Throws any other failure, and throws when aborted.
 */
export async function attemptStep(
  deps: AttemptDeps,
  job: StoredJob,
  step: Step,
  ports: StepPorts,
  signal: AbortSignal,
): Promise<Outcome> {
  const { store, clock } = deps;
  const stepRow = store.beginStep(job.id, step.name, clock.now());
  const stored = (stepRow.memo as StoredMemo | null) ?? emptyMemo;
  const save = (memo: StoredMemo): void => {
    deps.assertMayWrite();
    store.saveMemo(job.id, step.name, memo);
  };
  const { pace } = ports.instance;
  const message = `The step "${step.name}" was interrupted ${stored.interruptions} times.`;
  if (stored.interruptions >= maxInterruptions) throw new AppError('interrupted', message);
  if (stored.interruptions >= minWaitInterruptions && stored.rested !== true) {
    save({ ...stored, rested: true });
    const ms = pace.lookAgainMs * 2 ** (stored.interruptions - minWaitInterruptions);
    return { kind: 'wait', ms, reason: 'interrupted', text: message, memo: stored.memo };
  }
  // The interruption is counted before the step runs and reset when it returns. A remaining count means that the
  // process ended during the step.
  const countedMemo: StoredMemo = { ...stored, interruptions: stored.interruptions + 1, rested: false };
  save(countedMemo);
  /** Returns the fields to store after every outcome except another failure in the same outage. */
  const endedOutage = () => ({ outage: null, awayMs: awayMsOf(stored, clock.now()) });
  /** The last limited request that was sent. A rate-limit refusal may concern another request. */
  const requests: { last: LimitedAction | null } = { last: null };
  try {
    const outcome = await step.run({
      job,
      attempt: stepRow.attempt,
      memo: stored.memo,
      unavailableMs: awayMsOf(stored, clock.now()),
      outputs: store.outputs(job.id),
      earlierJobs: () => store.earlierJobs(job.id).map(unwrapMemos),
      signal,
      clock,
      ports,
      reserve: (action) => deps.rateLimiter.reserve(job.instance, pace, action, job.project),
      waitToSend: async (action) => {
        const nextWaitMs = (): number => deps.rateLimiter.trySend(job.instance, pace, action, job.project);
        for (let waitMs = nextWaitMs(); waitMs > 0; waitMs = nextWaitMs()) {
          if (waitMs > maxHoldMs) {
            throw new AppError('rate-limited', `Keeping to the ${action} limit.`, {
              retry: { afterMs: waitMs },
            });
          }
          await clock.sleep(waitMs, signal);
        }
        requests.last = action;
      },
      release: (action) => {
        deps.rateLimiter.release(job.instance, pace, action, job.project);
      },
      reportProgress: (progress) => {
        deps.reportProgress({ step: step.name, ...progress });
      },
      log: (message) => {
        store.appendEvent(job.id, 'note', message, clock.now());
      },
      saveMemo: (memo) => {
        countedMemo.memo = memo;
        save(countedMemo);
      },
    });
    // A finished step keeps its memo until its output is stored, because the next try must find the intent after a
    // crash in between. A step that waits for the rate limit made no progress, so failures before and after it are
    // consecutive.
    if (outcome.kind === 'wait') {
      const { failures, outage = null, awayMs = 0 } = stored;
      const counters =
        outcome.reason === 'pace' ? { failures, outage, awayMs } : { failures: 0, ...endedOutage() };
      save({ ...counters, interruptions: 0, memo: outcome.memo });
    }
    deps.assertMayWrite();
    return outcome;
  } catch (thrown) {
    if (signal.aborted) {
      save({ ...stored, memo: countedMemo.memo });
      throw thrown;
    }
    const error = AppError.from(thrown);
    const outage = isOutage(error) ? outageOf(deps, stored, job) : null;
    const failures = stored.failures + (outage === null ? 1 : 0);
    const decision = decideRetry(
      error,
      {
        count: outage?.tries ?? failures,
        outageMs: outage?.outageDurationMs ?? 0,
        maxOutageMs: deps.maxOutageMs,
      },
      pace,
      deps.random(),
    );
    if (!decision.retry) throw error;
    if (outage !== null) deps.outages.suspect(job.instance, outage.since);
    if (requests.last !== null && decision.reason === 'rate-limited') {
      deps.rateLimiter.onRateLimited(job.instance, pace, requests.last, job.project, decision.waitMs);
    }
    const counters = outage === null ? endedOutage() : { outage, awayMs: stored.awayMs ?? 0 };
    save({ failures, interruptions: 0, ...counters, memo: countedMemo.memo });
    const waiting = {
      kind: 'wait',
      ms: decision.waitMs,
      reason: decision.reason,
      memo: countedMemo.memo,
    } as const;
    if (outage !== null) {
      const { since } = outage;
      const hasResponded = deps.outages.hasRespondedSince(job.instance, since);
      return { ...waiting, text: (hasResponded ? failingText : outageText)(since, error), since };
    }
    const text = needsToken(error) ? tokenWaitText(error, job.instance) : error.message;
    return { ...waiting, text };
  } finally {
    if (requests.last !== null) deps.rateLimiter.release(job.instance, pace, requests.last, job.project);
  }
}

/** Returns how long the instance was unavailable since the step began, including a current outage. */
function awayMsOf({ outage, awayMs = 0 }: StoredMemo, now: number): number {
  return awayMs + Math.max(0, now - (outage?.since ?? now));
}

/**
 * Returns the outage in which this try failed. For a job created during the outage, only the time since then counts.
 */
function outageOf({ outages, clock }: AttemptDeps, { outage }: StoredMemo, job: StoredJob): StoredOutage {
  const now = clock.now();
  const knownSince = Math.max(outages.outageSince(job.instance) ?? now, job.createdAt);
  return {
    since: Math.min(outage?.since ?? now, knownSince, now),
    outageDurationMs: outages.outageDurationMs(job, outage?.outageDurationMs ?? null),
    tries: (outage?.tries ?? 0) + 1,
  };
}
