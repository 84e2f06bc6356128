/** @file Limits the calls of one window: how many, how often, how large. Tracks them so that they can be cancelled. */
import { callNames, type EventName } from '../../../src-contract/call-names.ts';
import type { Result } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import type { Dispatch } from '../dispatch.ts';
import type { PathGrants } from '../archives/granted-paths.ts';
import { checkPlainRequest } from './plain-request.ts';
import { createSharedLimits, type SharedLimits } from './shared-limits.ts';

const maxInProgress = 64;
/** Maximum calls of one name per second, and the burst after a pause. */
const callsPerSecond = 50;
const progressIntervalMs = 100;
const maxIdLength = 100;

export interface CallsClock {
  monotonic(): number;
  timer(ms: number, callback: () => void): () => void;
}

/** Sends an event to the page that these calls belong to, and to no other; must not throw. */
export type SendEvent = (name: EventName, payload: unknown) => void;

/**
 * Creates the calls of one page. `send` sends `call.progress`; `grants` are the paths that the page may name; `shared`
 * are the limits of all pages.
 */
export function createWindowCalls(
  dispatch: Dispatch,
  clock: CallsClock,
  send: SendEvent,
  grants: PathGrants,
  shared: SharedLimits = createSharedLimits(),
) {
  const inProgress = new Map<string, AbortController>();
  const checkRate = createRateLimit(clock);
  let closed = false;

  const admit = (name: unknown, request: unknown, id: unknown): { name: string; id: string } => {
    if (closed) throw new AppError('page-disconnected', 'The page is gone.');
    if (typeof name !== 'string' || !isCallName(name)) {
      throw new AppError('invalid-input', 'There is no such call.');
    }
    if (typeof id !== 'string' || id === '' || id.length > maxIdLength) {
      throw new AppError(
        'invalid-input',
        `The id of a call must be a text of 1 to ${maxIdLength} characters.`,
      );
    }
    if (inProgress.has(id)) throw new AppError('invalid-input', 'A call with this id is in progress.');
    if (inProgress.size >= maxInProgress) {
      throw new AppError('calls-too-many', `${maxInProgress} calls are in progress.`, { retry: 'later' });
    }
    checkRate(name);
    checkPlainRequest(request);
    return { name, id };
  };

  return {
    /**
     * Accepts any arguments; always returns a `Result`. The page chooses `wantedId`, which must be unique among its
     * calls in progress.
     */
    async call(wantedName: unknown, request: unknown, wantedId: unknown) {
      try {
        const { name, id } = admit(wantedName, request, wantedId);
        const controller = new AbortController();
        const aborted = new Promise<Result<unknown>>((resolve) => {
          controller.signal.addEventListener('abort', () => {
            resolve(failure(controller.signal.reason));
          });
        });
        inProgress.set(id, controller);
        const progress = throttle(clock, (value: Progress) => {
          if (!controller.signal.aborted) send('call.progress', { id, progress: value });
        });
        const context = { signal: controller.signal, progress: progress.report, grants };
        const execute = async () =>
          shared.run(name, controller.signal, () => dispatch(name, request, context));
        const completed = execute()
          .catch(failure)
          .finally(() => {
            progress.end();
            // A call that ignores the signal keeps its place among the calls in progress until it ends.
            inProgress.delete(id);
          });
        return await Promise.race([aborted, completed]);
      } catch (thrown) {
        return failure(thrown);
      }
    },
    /** Aborts the call's signal; the call returns `cancelled` at once. Does nothing when there is no such call. */
    cancel(id: unknown) {
      if (typeof id === 'string')
        inProgress.get(id)?.abort(new AppError('cancelled', 'Cancelled by the page.'));
    },
    /**
     * Called when the page is gone: aborts all calls in progress, refuses further calls and sends nothing. Idempotent.
     */
    close() {
      closed = true;
      for (const controller of inProgress.values())
        controller.abort(new AppError('cancelled', 'The page is gone.'));
    },
  };
}

const isCallName = (name: string): boolean => (callNames as readonly string[]).includes(name);

const failure = (thrown: unknown): Result<unknown> => ({ ok: false, error: AppError.from(thrown).toData() });

/** Creates a token bucket per call name. The result throws `calls-too-many` with the time until the next token. */
function createRateLimit(clock: CallsClock): (name: string) => void {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (name) => {
    const now = clock.monotonic();
    const bucket = buckets.get(name) ?? { tokens: callsPerSecond, at: now };
    const tokens = Math.min(callsPerSecond, bucket.tokens + ((now - bucket.at) / 1000) * callsPerSecond);
    buckets.set(name, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    if (tokens >= 1) return;
    throw new AppError(
      'calls-too-many',
      `${name} was called more than ${callsPerSecond} times in a second.`,
      {
        retry: { afterMs: Math.ceil(((1 - tokens) / callsPerSecond) * 1000) },
      },
    );
  };
}

/** Emits at most one value per `progressIntervalMs`, and always the last value. */
function throttle<Value>(clock: CallsClock, emit: (value: Value) => void) {
  let latest: { value: Value } | null = null;
  let stopTimer: (() => void) | null = null;
  let ended = false;
  const flush = (): void => {
    if (latest !== null) emit(latest.value);
    latest = null;
  };
  const startTimer = (): void => {
    stopTimer = clock.timer(progressIntervalMs, () => {
      stopTimer = null;
      if (latest === null) return;
      flush();
      startTimer();
    });
  };
  return {
    report: (value: Value): void => {
      if (ended) return;
      latest = { value };
      if (stopTimer !== null) return;
      flush();
      startTimer();
    },
    end: (): void => {
      ended = true;
      stopTimer?.();
      flush();
    },
  };
}
