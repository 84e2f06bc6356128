/**
 * @file Work that continues after the reply to its request. Closing the sandbox stops the work and waits for its end.
 */
import type { Clock } from '../platform/clock.ts';
import type { SandboxDatabase } from './sandbox-database.ts';

export class Background {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();

  /** Aborted when the sandbox closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Registers work that has started. The work must not reject. */
  add(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The sandbox was closed.'));
    await Promise.all(this.#running);
  }
}

/** Minimum duration of each phase in milliseconds; an export or import of a small project takes about 40 ms. */
export const fastSpeed = {
  /**
   * From the request to the creation of the job's row. Until then the status is unchanged, or it is
   * `regeneration_in_progress` if an earlier file exists.
   */
  exportPendingMs: 5,
  exportQueuedMs: 5,
  exportStartedMs: 10,
  /** The file exists while its job is still running: `regeneration_in_progress`. */
  exportClosingMs: 10,
  importScheduledMs: 10,
  importStartedMs: 10,
  relationCreatedMs: 5,
  relationStartedMs: 5,
  forkScheduledMs: 10,
  forkStartedMs: 10,
  /** Between the reply to an immediate deletion and the end of the project. */
  deletionMs: 10,
};

export type SandboxSpeed = typeof fastSpeed;

/** The dependencies shared by the parts of a sandbox that work in the background. */
export interface WorkDeps {
  database: SandboxDatabase;
  clock: Clock;
  speed: SandboxSpeed;
  /** The sandbox's temporary folder. */
  folder: string;
  background: Background;
}

/**
 * Enters the states in order and waits in each. Returns the fault if it ends the work in one of the states, else null.
 */
export async function enterStates<State extends string, Ending extends { at?: string | undefined }>(
  { clock, background }: WorkDeps,
  states: Record<State, number>,
  ending: Ending | undefined,
  enter: (state: State) => void,
): Promise<Ending | null> {
  for (const [state, ms] of Object.entries(states) as [State, number][]) {
    enter(state);
    await clock.sleep(ms, background.signal);
    if (ending !== undefined && (ending.at ?? 'started') === state) return ending;
  }
  return null;
}
