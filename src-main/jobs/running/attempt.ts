/**
 * @file One try of one step: counts it, keeps the step's memo, decides whether a failure is tried again. Stores what the
 * next try must know; the state of the job is the runner's.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob, Progress } from '../../../src-contract/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LimitedAction, RateLimiter } from './rate-limiter.ts';
import type { EarlierJob, JobStorePort, StepPorts } from '../ports.ts';
import type { Outages } from './outages.ts';
import { decideRetry, isOutage, needsToken, outageText, tokenWaitText } from './retry.ts';
import type { Outcome, Step } from './step.ts';

/**
 * A process dies of one of its steps, or is killed, and nobody can tell which. A step that was under way so often in a row rests
 * before it is tried, each time longer, so that the rest can go on; it is given up where that does not help.
 */
const [restsAfter, givenUpAfter] = [5, 12];
/** The longest wait for a limit with a slot held. */
const maxHoldMs = 15_000;

/** An outage that every try has met since it began. */
interface StoredOutage {
  /** Epoch milliseconds. */
  since: number;
  /** Without the time in which nothing ran. */
  lastedMs: number;
  tries: number;
}

/** What is remembered with a step, around the step's own memo. */
interface StoredMemo {
  /** In a row, but for those of an outage. */
  failures: number;
  interruptions: number;
  /** It rested since the last interruption. */
  rested?: boolean;
  /** Where the last try met an outage. */
  outage?: StoredOutage | null;
  /** For how long the instance was away while this step went on, outages that have ended. */
  awayMs?: number;
  memo: unknown;
}

const emptyMemo: StoredMemo = { failures: 0, interruptions: 0, memo: null };

const withOwnMemos = (earlier: EarlierJob): EarlierJob => ({
  ...earlier,
  memos: Object.fromEntries(
    Object.entries(earlier.memos).map(([step, stored]) => [
      step,
      (stored as StoredMemo | null)?.memo ?? null,
    ]),
  ),
});

export interface AttemptParts {
  store: JobStorePort;
  clock: Clock;
  pace: RateLimiter;
  outages: Pick<Outages, 'suspect' | 'sinceOf' | 'lastedMs'>;
  maxOutageMs: number;
  /** In [0, 1); spreads waits. */
  random(): number;
  progress(progress: Progress): void;
  /** Throws when this process must not write about the job any more. */
  mayWrite(): void;
}

/** The outcome of the try; a failure that is to be tried again is a wait. Throws any other failure, and when aborted. */
export async function attemptStep(
  parts: AttemptParts,
  job: StoredJob,
  step: Step,
  ports: StepPorts,
  signal: AbortSignal,
): Promise<Outcome> {
  const { store, clock } = parts;
  const begun = store.beginStep(job.id, step.name, clock.now());
  const stored = (begun.memo as StoredMemo | null) ?? emptyMemo;
  const save = (memo: StoredMemo): void => {
    parts.mayWrite();
    store.saveMemo(job.id, step.name, memo);
  };
  const { pace } = ports.instance;
  const told = `The step "${step.name}" was interrupted ${stored.interruptions} times.`;
  if (stored.interruptions >= givenUpAfter) throw new AppError('interrupted', told);
  if (stored.interruptions >= restsAfter && stored.rested !== true) {
    save({ ...stored, rested: true });
    const ms = pace.lookAgainMs * 2 ** (stored.interruptions - restsAfter);
    return { kind: 'wait', ms, reason: 'interrupted', text: told, memo: stored.memo };
  }
  // Counted before the step runs and forgotten when it returns: what stays counted, the process died over.
  const counted: StoredMemo = { ...stored, interruptions: stored.interruptions + 1, rested: false };
  save(counted);
  /** Kept over every outcome but one more failure of the same outage. */
  const ended = () => ({ outage: null, awayMs: awayMsOf(stored, clock.now()) });
  /** The limited request that left last: what the instance refuses for being too fast is not always that one. */
  const left: { last: LimitedAction | null } = { last: null };
  try {
    const outcome = await step.run({
      job,
      attempt: begun.attempt,
      memo: stored.memo,
      awayMs: awayMsOf(stored, clock.now()),
      outputs: store.outputs(job.id),
      earlier: () => store.earlier(job.id).map(withOwnMemos),
      signal,
      clock,
      ports,
      turn: (action) => parts.pace.reserve(job.instance, pace, action, job.project),
      sending: async (action) => {
        const ask = (): number => parts.pace.waitToSend(job.instance, pace, action, job.project);
        for (let wait = ask(); wait > 0; wait = ask()) {
          if (wait > maxHoldMs) {
            throw new AppError('rate-limited', `Keeping to the ${action} limit.`, {
              retry: { afterMs: wait },
            });
          }
          await clock.sleep(wait, signal);
        }
        left.last = action;
      },
      answered: (action) => {
        parts.pace.release(job.instance, pace, action, job.project);
      },
      progress: (progress) => {
        parts.progress({ step: step.name, ...progress });
      },
      log: (message) => {
        store.appendEvent(job.id, 'note', message, clock.now());
      },
      remember: (memo) => {
        counted.memo = memo;
        save(counted);
      },
    });
    // What is done keeps its memo until its output is stored: a crash in between must find the intent.
    // Whoever waits for a turn has got no further: failures before and after it are failures in a row.
    if (outcome.kind === 'wait') {
      const { failures, outage = null, awayMs = 0 } = stored;
      const kept = outcome.reason === 'pace' ? { failures, outage, awayMs } : { failures: 0, ...ended() };
      save({ ...kept, interruptions: 0, memo: outcome.memo });
    }
    parts.mayWrite();
    return outcome;
  } catch (thrown) {
    if (signal.aborted) {
      save({ ...stored, memo: counted.memo });
      throw thrown;
    }
    const error = AppError.from(thrown);
    const outage = isOutage(error) ? outageOf(parts, stored, job) : null;
    const failures = stored.failures + (outage === null ? 1 : 0);
    const decision = decideRetry(
      error,
      { count: outage?.tries ?? failures, outageMs: outage?.lastedMs ?? 0, maxOutageMs: parts.maxOutageMs },
      pace,
      parts.random(),
    );
    if (!decision.retry) throw error;
    if (outage !== null) parts.outages.suspect(job.instance, outage.since);
    if (left.last !== null && decision.reason === 'rate-limited') {
      parts.pace.onRateLimited(job.instance, pace, left.last, job.project, decision.waitMs);
    }
    const kept = outage === null ? ended() : { outage, awayMs: stored.awayMs ?? 0 };
    save({ failures, interruptions: 0, ...kept, memo: counted.memo });
    const waiting = {
      kind: 'wait',
      ms: decision.waitMs,
      reason: decision.reason,
      memo: counted.memo,
    } as const;
    if (outage !== null) return { ...waiting, text: outageText(outage.since, error), since: outage.since };
    const text = needsToken(error) ? tokenWaitText(error, job.instance) : error.message;
    return { ...waiting, text };
  } finally {
    if (left.last !== null) parts.pace.release(job.instance, pace, left.last, job.project);
  }
}

/** For how long the instance was away since the step began, an outage that goes on included. */
function awayMsOf({ outage, awayMs = 0 }: StoredMemo, now: number): number {
  return awayMs + Math.max(0, now - (outage?.since ?? now));
}

/** The outage that this try met; of a job that was made in the middle of it, what it has seen of it. */
function outageOf({ outages, clock }: AttemptParts, { outage }: StoredMemo, job: StoredJob): StoredOutage {
  const now = clock.now();
  const seen = Math.max(outages.sinceOf(job.instance) ?? now, job.createdAt);
  return {
    since: Math.min(outage?.since ?? now, seen, now),
    lastedMs: outages.lastedMs(job, outage?.lastedMs ?? null),
    tries: (outage?.tries ?? 0) + 1,
  };
}
