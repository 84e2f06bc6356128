/** @file A loop that polls, sleeps for the time that the poll returned, and polls at once when woken. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';

export interface PollLoopOptions {
  clock: Clock;
  /** Returns the milliseconds until the next poll, unless the loop is woken earlier. */
  poll(): number | Promise<number>;
  /** Called when a poll threw. Returns the milliseconds until the next poll. */
  onPollError(error: AppError): number;
  /** Returns how long a wake waits for further wakes, so that one poll handles all of them. Called after each wake. */
  debounceMs?(): number;
}

export class PollLoop {
  readonly #options: PollLoopOptions;
  #stopping = new AbortController();
  #loop: Promise<void> | null = null;
  #endPause: (() => void) | null = null;
  #woken = false;

  constructor(options: PollLoopOptions) {
    this.#options = options;
  }

  /** Aborted while the loop is stopped. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  start(): void {
    if (this.#loop !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run();
  }

  /** Resolves when no poll is in progress; `start` starts again. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort(new AppError('interrupted', 'The program is stopping.'));
    this.wake();
    await this.#loop;
    this.#loop = null;
  }

  wake(): void {
    this.#woken = true;
    this.#endPause?.();
  }

  async #run(): Promise<void> {
    while (!this.signal.aborted) {
      this.#woken = false;
      await this.#pause(await this.#poll());
      if (this.#isWoken()) await this.#debounce();
    }
  }

  async #poll(): Promise<number> {
    try {
      return await this.#options.poll();
    } catch (thrown) {
      return this.#options.onPollError(AppError.from(thrown));
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.timer(ms, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
      if (this.#isWoken()) this.#endPause();
    });
    this.#endPause = null;
  }

  async #debounce(): Promise<void> {
    const ms = this.#options.debounceMs?.() ?? 0;
    if (ms > 0) await this.#options.clock.sleep(ms, this.signal).catch(() => undefined);
  }

  #isWoken(): boolean {
    return this.#woken;
  }
}
