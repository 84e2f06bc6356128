/** @file A loop that looks, rests as long as the look says, and looks at once when it is woken. What is looked at is its user's. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';

export interface PollLoopOptions {
  clock: Clock;
  /** Answers after how many milliseconds to look again, unless it is woken before. */
  poll(): number | Promise<number>;
  /** A look threw. @returns after how many milliseconds to look again. */
  failed(error: AppError): number;
  /** How long a wake waits for others, so that one look serves them all; asked after each look. */
  debounceMs?(): number;
}

export class PollLoop {
  readonly #options: PollLoopOptions;
  #stopping = new AbortController();
  #loop: Promise<void> | null = null;
  #endPause: (() => void) | null = null;
  /** A wake that came while the loop was looking must not be lost. */
  #woken = false;

  constructor(options: PollLoopOptions) {
    this.#options = options;
  }

  /** Aborted while it is stopped. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Repeatable. */
  start(): void {
    if (this.#loop !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run();
  }

  /** Resolves when no look is under way; `start` begins anew. Repeatable. */
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
      if (this.#isWoken()) await this.#gather();
    }
  }

  async #poll(): Promise<number> {
    try {
      return await this.#options.poll();
    } catch (thrown) {
      return this.#options.failed(AppError.from(thrown));
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

  async #gather(): Promise<void> {
    const ms = this.#options.debounceMs?.() ?? 0;
    // Ends early only where the program is stopping.
    if (ms > 0) await this.#options.clock.sleep(ms, this.signal).catch(() => undefined);
  }

  #isWoken(): boolean {
    return this.#woken;
  }
}
