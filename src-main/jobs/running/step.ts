/**
 * @file The definition of a step. A step has a name and is idempotent. The runner stores its outcome before the next
 * step.
 */
import type { Finding } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob, JobKind, Progress } from '../../../src-contract/runs/job.ts';
import type { WaitReason } from '../../../src-contract/runs/wait-reasons.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LimitedAction } from './rate-limiter.ts';
import type { EarlierJob } from '../../catalogue/runs/jobs.ts';
import type { StepPorts } from '../ports.ts';

/** The step runs again after `ms`, with `memo`. The job occupies no slot meanwhile. */
export interface WaitOutcome {
  kind: 'wait';
  ms: number;
  reason: WaitReason;
  text: string;
  /** The start of the outage for whose end the step waits, in epoch milliseconds; absent without an outage. */
  since?: number;
  memo: unknown;
}

export type Outcome =
  /** The work is done. `output` is stored, and `goTo` names the next step if it is not the following one. */
  | { kind: 'done'; output: unknown; goTo?: string; message: string }
  /** The job ends here because there is nothing to do. `why` is a sentence without its full stop. */
  | { kind: 'skip'; why: string }
  | WaitOutcome;

export interface StepContext {
  job: StoredJob;
  /** 1 on the first try. If it is greater, an earlier try may have done its work without our knowledge. */
  attempt: number;
  /** The memo that an unfinished earlier try left with `wait` or `saveMemo`; null otherwise. */
  memo: unknown;
  /**
   * How long the instance did not respond while this step was tried, in milliseconds. Time limits of the server's work
   * exclude it.
   */
  unavailableMs: number;
  /** Outputs of the earlier steps, by step name. */
  outputs: Record<string, unknown>;
  /** Ended jobs of this kind for the same project, newest first, with the outputs and memos of their steps. */
  earlierJobs(): EarlierJob[];
  signal: AbortSignal;
  clock: Clock;
  ports: StepPorts;
  /** Reserves the next slot of the rate limit: returns 0, or the milliseconds to wait first. */
  reserve(action: LimitedAction): number;
  /**
   * Resolves when the limited request may be sent. Send the request directly after that. Throws `rate-limited` for a
   * long wait.
   */
  waitToSend(action: LimitedAction): Promise<void>;
  /** Reports that the response has arrived, for a step that continues long after the response. */
  release(action: LimitedAction): void;
  reportProgress(progress: Omit<Progress, 'step'>): void;
  log(message: string): void;
  /** Stores the memo at once, for facts that must survive a crash during the step. */
  saveMemo(memo: unknown): void;
}

export interface Step {
  name: string;
  run(context: StepContext): Promise<Outcome>;
}

/** One kind of job. `toResult` turns the stored outputs into the result and its warnings. */
export interface JobDefinition {
  kind: JobKind;
  steps: Step[];
  toResult(outputs: Record<string, unknown>): { result: unknown; warnings: Finding[] };
}

export const warning = (code: string, message: string, where: string | null): Finding => ({
  code,
  severity: 'warning',
  message,
  where,
});

export const done = (output: unknown, message: string): Outcome => ({ kind: 'done', output, message });

/** Reserves a slot of the rate limit. Returns the wait for it, or null if the request may be prepared. */
export function reserveOrWait(
  context: StepContext,
  action: LimitedAction,
  memo: unknown,
): WaitOutcome | null {
  const ms = context.reserve(action);
  return ms === 0
    ? null
    : { kind: 'wait', ms, reason: 'pace', text: `Keeping to the ${action} limit.`, memo };
}

/** Waits for work that the server began at `since` (epoch milliseconds). Throws `deadline-passed` with `deadlineMessage`. */
export function waitForServer(
  context: StepContext,
  {
    since,
    tooLate: deadlineMessage,
    ...wait
  }: { since: number; tooLate: string } & Pick<WaitOutcome, 'ms' | 'text' | 'memo'>,
): WaitOutcome {
  const elapsedMs = context.clock.now() - since - context.unavailableMs;
  const { deadlineMs } = context.ports.instance.pace;
  if (elapsedMs > deadlineMs) throw new AppError('deadline-passed', deadlineMessage);
  return { kind: 'wait', reason: 'server-working', ...wait };
}

/** Returns the time until the next poll of work on the server, which grows from the first to the maximum interval. */
export function pollDelay(pace: { firstPollMs: number; maxPollMs: number }, polls: number): number {
  return Math.min(pace.firstPollMs * 1.5 ** polls, pace.maxPollMs);
}

/** Reports the progress of an upload. The request is a little longer than the file. */
export const uploadProgress =
  (context: StepContext, total: number) =>
  (sentBytes: number): void => {
    context.reportProgress({ unit: 'bytes', done: Math.min(sentBytes, total), total });
  };
