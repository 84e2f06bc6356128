/**
 * @file Makes the daily copy of a catalogue that stays open for longer than a day. Opening a catalogue also makes the
 * copy.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../src-contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { isCopyDue } from './catalogue-copies.ts';
import type { CopyInput } from './copy-worker.ts';

const workerUrl = new URL(`./copy-worker${extname(import.meta.url)}`, import.meta.url);
const pollIntervalMs = 3_600_000;

export class DailyCopies {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #onFailure: (error: AppError) => void;
  #cancel: (() => void) | null = null;
  #copying: Promise<void> = Promise.resolve();

  /** @param parts `onFailure` gets the reason if no copy was made; the next poll tries again. */
  constructor(parts: { path: string; clock: Clock; onFailure: (error: AppError) => void }) {
    this.#path = parts.path;
    this.#clock = parts.clock;
    this.#onFailure = parts.onFailure;
  }

  start(): void {
    this.#cancel ??= this.#clock.timer(pollIntervalMs, () => {
      this.#cancel = null;
      this.#copying = this.#copying.then(() => this.#copyIfDue());
      this.start();
    });
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    await this.#copying;
  }

  async #copyIfDue(): Promise<void> {
    try {
      const now = this.#clock.now();
      if (!isCopyDue(this.#path, now)) return;
      const workerData: CopyInput = { path: this.#path, now };
      await once(new Worker(workerUrl, { workerData }), 'exit');
    } catch (thrown) {
      this.#onFailure(AppError.from(thrown));
    }
  }
}
