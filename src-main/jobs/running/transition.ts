/** @file The state machine of a job as one pure function: (state, event) → state. Throws for an impossible pair. */
import type { Finding } from '../../../src-contract/archives/archive.ts';
import { AppError, type ErrorData } from '../../../src-contract/errors.ts';
import { hasEnded, type JobState } from '../../../src-contract/runs/job.ts';
import type { WaitReason } from '../../../src-contract/runs/wait-reasons.ts';

export type TransitionEvent =
  | { type: 'claim'; at: number }
  | { type: 'wait'; until: number; reason: WaitReason; text: string; since?: number }
  /** A job whose wait is over keeps waiting, because its instance does not answer. */
  | { type: 'hold'; until: number; text: string; since: number }
  | { type: 'succeed'; warnings: Finding[] }
  | { type: 'fail'; error: ErrorData }
  /** There is nothing to do. */
  | { type: 'skip'; why: string }
  /** A user cancels the job. A running job is aborted, and ends with `aborted`. */
  | { type: 'cancel'; by: string }
  | { type: 'aborted' }
  /** The job's archive no longer exists when its run ends. */
  | { type: 'lose'; error: ErrorData }
  /** The process that ran the job is gone or is stopping. */
  | { type: 'interrupt'; at: number };

/** Throws `job-ended` for any event on an ended job except `lose`, and `internal` for an impossible pair. */
export function transition(state: JobState, event: TransitionEvent): JobState {
  if (event.type === 'lose' && state.status === 'succeeded') return { status: 'failed', error: event.error };
  if (hasEnded(state)) throw new AppError('job-ended', `The job has already ended (${state.status}).`);
  switch (event.type) {
    case 'lose':
      break;
    case 'claim':
      if (state.status === 'queued' || state.status === 'waiting')
        return { status: 'running', since: event.at };
      break;
    case 'wait':
      if (state.status === 'running') {
        const { until, reason, text, since } = event;
        return { status: 'waiting', until, reason, text, ...(since === undefined ? {} : { since }) };
      }
      break;
    case 'hold':
      if (state.status === 'waiting') {
        const { until, text, since } = event;
        return { status: 'waiting', until, reason: 'server-unavailable', text, since };
      }
      break;
    case 'succeed':
      // A cancel after the last step has done its work is too late.
      if (state.status === 'running' || state.status === 'cancelling') {
        return { status: 'succeeded', warnings: event.warnings };
      }
      break;
    case 'fail':
      if (state.status === 'running') return { status: 'failed', error: event.error };
      break;
    case 'skip':
      if (state.status === 'running') return { status: 'skipped', why: event.why };
      break;
    case 'cancel':
      if (state.status === 'queued' || state.status === 'waiting')
        return { status: 'cancelled', by: event.by };
      if (state.status === 'running') return { status: 'cancelling', by: event.by };
      return state;
    case 'aborted':
      if (state.status === 'cancelling') return { status: 'cancelled', by: state.by };
      break;
    case 'interrupt':
      if (state.status === 'running') {
        return {
          status: 'waiting',
          until: event.at,
          reason: 'interrupted',
          text: 'The program was stopped.',
        };
      }
      if (state.status === 'cancelling') return { status: 'cancelled', by: state.by };
      break;
  }
  throw new AppError(
    'internal',
    `The event "${event.type}" is impossible for a job that is ${state.status}.`,
  );
}
