/** @file What a step is: named, repeatable, returning its outcome. The runner stores an outcome before it goes on. */
import type { Finding } from '../../../src-contract/archive.ts';
import type { StoredJob, JobKind, Progress } from '../../../src-contract/job.ts';
import type { WaitReason } from '../../../src-contract/wait-reasons.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LimitedAction } from './rate-limiter.ts';
import type { EarlierJob, StepPorts } from '../ports.ts';

/** Run this step again after `ms`, with `memo`; the job holds no slot meanwhile. */
export interface Waiting {
  kind: 'wait';
  ms: number;
  reason: WaitReason;
  text: string;
  /** Since when the instance does not answer, epoch milliseconds, where that is what is waited for. */
  since?: number;
  memo: unknown;
}

export type Outcome =
  /** The work is done; `output` is stored, and `goTo` names the next step where it is not the following one. */
  | { kind: 'done'; output: unknown; goTo?: string; says: string }
  /** The job ends here: there is nothing to do. `why` is a sentence without its full stop. */
  | { kind: 'skip'; why: string }
  | Waiting;

export interface StepContext {
  job: StoredJob;
  /** 1 on the first try. Above 1 an earlier try may have done its work without our knowing. */
  attempt: number;
  /** What an unfinished earlier try left, with `wait` or `remember`; null otherwise. */
  memo: unknown;
  /** For how long the instance did not answer while this step was tried: no time limit of the server's work counts it. */
  awayMs: number;
  /** Outputs of the steps before, by name. */
  outputs: Record<string, unknown>;
  /** Jobs of this kind for the same project that have ended, newest first, with what their steps left. */
  earlier(): EarlierJob[];
  signal: AbortSignal;
  clock: Clock;
  ports: StepPorts;
  /** Takes a turn at a limited request: 0, or milliseconds to wait first. */
  turn(action: LimitedAction): number;
  /**
   * Resolves when the limited request may leave, and then it must: a refusal for being too fast is about it. Fails with
   * `rate-limited` where that would take long.
   */
  sending(action: LimitedAction): Promise<void>;
  /** Says that it is answered, where the step goes on for long after that. */
  answered(action: LimitedAction): void;
  progress(progress: Omit<Progress, 'step'>): void;
  log(message: string): void;
  /** Stores the memo at once, for facts that must survive a crash in the middle of the step. */
  remember(memo: unknown): void;
}

export interface Step {
  name: string;
  run(context: StepContext): Promise<Outcome>;
}

/** One kind of job. `end` turns the stored outputs into the result and the warnings shown with it. */
export interface JobDefinition {
  kind: JobKind;
  steps: Step[];
  end(outputs: Record<string, unknown>): { result: unknown; warnings: Finding[] };
}

/** Time until the next look at something that runs on the server: growing from the first to the longest poll. */
export function pollDelay(pace: { firstPollMs: number; maxPollMs: number }, polls: number): number {
  return Math.min(pace.firstPollMs * 1.5 ** polls, pace.maxPollMs);
}
