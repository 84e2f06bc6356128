/**
 * @file One try of one step: counts it, keeps the step's memo, decides whether a failure is tried again. Stores what the
 * next try must know; the state of the job is the runner's.
 */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Job, Progress } from '../../../src-preload/contract/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LimitedAction, PaceKeeper } from './pace.ts';
import type { EarlierJob, JobStorePort, StepPorts } from '../ports.ts';
import { decideRetry, needsToken, tokenWaitText } from './retry.ts';
import type { Outcome, Step } from './step.ts';

/**
 * A process dies of one of its steps, or is killed, and nobody can tell which. A step that was under way so often in a row rests
 * before it is tried, each time longer, so that the rest can go on; it is given up where that does not help.
 */
const [restsAfter, givenUpAfter] = [5, 12];
/** The longest wait for a limit with a slot held. */
const longestHoldMs = 15_000;

/** What is remembered with a step, around the step's own memo. */
interface StoredMemo {
  failures: number;
  interruptions: number;
  /** It rested since the last interruption. */
  rested?: boolean;
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
  pace: PaceKeeper;
  /** In [0, 1); spreads waits. */
  random(): number;
  progress(progress: Progress): void;
  /** Throws when this process must not write about the job any more. */
  mayWrite(): void;
}

/** The outcome of the try; a failure that is to be tried again is a wait. Throws any other failure, and when aborted. */
export async function attemptStep(
  parts: AttemptParts,
  job: Job,
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
  /** The limited request that left last: what the instance refuses for being too fast is not always that one. */
  const left: { last: LimitedAction | null } = { last: null };
  try {
    const outcome = await step.run({
      job,
      attempt: begun.attempt,
      memo: stored.memo,
      outputs: store.outputs(job.id),
      earlier: () => store.earlier(job.id).map(withOwnMemos),
      signal,
      clock,
      ports,
      turn: (action) => parts.pace.turn(job.instance, pace, action, job.project),
      sending: async (action) => {
        const ask = (): number => parts.pace.sending(job.instance, pace, action, job.project);
        for (let wait = ask(); wait > 0; wait = ask()) {
          if (wait > longestHoldMs) {
            throw new AppError('rate-limited', `Keeping to the ${action} limit.`, {
              retry: { afterMs: wait },
            });
          }
          await clock.sleep(wait, signal);
        }
        left.last = action;
      },
      answered: (action) => {
        parts.pace.answered(job.instance, pace, action, job.project);
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
      const failures = outcome.reason === 'pace' ? stored.failures : 0;
      save({ failures, interruptions: 0, memo: outcome.memo });
    }
    parts.mayWrite();
    return outcome;
  } catch (thrown) {
    if (signal.aborted) {
      save({ ...stored, memo: counted.memo });
      throw thrown;
    }
    const error = AppError.from(thrown);
    const failures = stored.failures + 1;
    const decision = decideRetry(error, failures, pace, parts.random());
    if (!decision.retry) throw error;
    if (left.last !== null && decision.reason === 'rate-limited') {
      parts.pace.refused(job.instance, pace, left.last, job.project, decision.waitMs);
    }
    save({ failures, interruptions: 0, memo: counted.memo });
    return {
      kind: 'wait',
      ms: decision.waitMs,
      reason: decision.reason,
      text: needsToken(error) ? tokenWaitText(error, job.instance) : error.message,
      memo: counted.memo,
    };
  } finally {
    if (left.last !== null) parts.pace.answered(job.instance, pace, left.last, job.project);
  }
}
