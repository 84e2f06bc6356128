/** @file Work that continues after the reply to its request. Closing stops it and waits for it. */
import type { Clock } from '../platform/clock.ts';
import type { World } from './world.ts';

export class Background {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();

  /** Aborted when the sandbox closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Registers work that has begun. The work must not reject. */
  add(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The sandbox was closed.'));
    await Promise.all(this.#running);
  }
}

/** The parts of a sandbox that do work in the background share these. */
export interface WorkParts<Speed> {
  world: World;
  clock: Clock;
  /** Duration of each phase in milliseconds. */
  speed: Speed;
  /** The sandbox's temporary folder. */
  folder: string;
  background: Background;
}

/** Passes through states of these milliseconds. Returns the fault if it ends the work in one of them, else null. */
export async function passStates<State extends string, Ending extends { at?: string | undefined }>(
  { clock, background }: Pick<WorkParts<unknown>, 'clock' | 'background'>,
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
