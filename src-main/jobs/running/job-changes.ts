/** @file Changes the state of a job by applying an event to its stored state. Allowed transitions: `transition.ts`. */
import { AppError } from '../../../src-contract/errors.ts';
import { hasEnded, type StoredJob } from '../../../src-contract/runs/job.ts';
import type { Clock } from '../../platform/clock.ts';
import type { JobStorePort } from '../ports.ts';
import { transition, type TransitionEvent } from './transition.ts';

/** Maximum number of tries when other processes change the same job at the same time. */
const maxTries = 5;

/** Returns the line in a job's log about its cancellation. */
export const cancelledByText = (by: string): string => `Cancelled by ${by}.`;

/** Changes jobs synchronously: when a method returns, the change is on disk. */
export class JobChanges {
  readonly #store: JobStorePort;
  readonly #clock: Clock;
  readonly #onChange: (job: StoredJob) => void;

  /** `onChange` is called with every changed job after the change is stored. */
  constructor(store: JobStorePort, clock: Clock, onChange: (job: StoredJob) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  currentJob(jobId: string): StoredJob {
    const job = this.#store.get(jobId);
    if (job === null) throw new AppError('job-missing', `There is no job ${jobId}.`);
    return job;
  }

  /** Applies an event to the current job, even if another process changes it at the same moment. */
  apply(jobId: string, event: TransitionEvent, message: string, result?: unknown): StoredJob {
    for (let tries = 1; ; tries += 1) {
      const job = this.currentJob(jobId);
      try {
        const changed = this.#store.change(jobId, job.revision, {
          state: transition(job.state, event),
          event: { type: event.type, message },
          at: this.#clock.now(),
          ...(result === undefined ? {} : { result }),
        });
        this.#onChange(changed);
        return changed;
      } catch (thrown) {
        if (AppError.from(thrown).code !== 'job-busy' || tries === maxTries) throw thrown;
      }
    }
  }

  /** Cancels the jobs in one transaction. Skips jobs that have ended and returns the others as stored. */
  cancelAll(jobIds: readonly string[], by: string): StoredJob[] {
    const cancelled = this.#store.transaction(() =>
      jobIds.flatMap((id) => {
        const { state, revision } = this.currentJob(id);
        if (hasEnded(state)) return [];
        return this.#store.change(id, revision, {
          state: transition(state, { type: 'cancel', by }),
          event: { type: 'cancel', message: cancelledByText(by) },
          at: this.#clock.now(),
        });
      }),
    );
    for (const job of cancelled) this.#onChange(job);
    return cancelled;
  }

  /** Like `apply`, but a cancel in the meantime takes precedence: the job then ends as cancelled. */
  applyUnlessCancelled(jobId: string, event: TransitionEvent, message: string): void {
    if (this.currentJob(jobId).state.status === 'cancelling') {
      this.apply(jobId, { type: 'aborted' }, 'Cancelled.');
    } else this.apply(jobId, event, message);
  }
}
