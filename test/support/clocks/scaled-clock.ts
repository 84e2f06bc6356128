/**
 * @file A clock for hours of waiting between real work. While the process is busy, time passes normally. When the
 * process only waits, the clock jumps to the end of the next wait. The ratio of work to waiting time stays real.
 */
import { performance } from 'node:perf_hooks';
import { systemClock, type Clock } from '../../../src-main/platform/clock.ts';

/** The resources of a process that only waits; file operations and workers count as work. */
const waiting = new Set(['Timeout', 'TCPServerWrap', 'TCPSocketWrap', 'PipeWrap', 'TTYWrap']);
/** Time between checks whether the process only waits, and number of successive idle checks before the clock jumps. */
const pollIntervalMs = 1;
const minIdlePolls = 2;
/** Maximum active share of a process that only waits: the check itself takes some time. */
const maxActive = 0.25;

export class ScaledClock implements Clock {
  readonly #wall = systemClock.now();
  readonly #began = systemClock.monotonic();
  readonly #alarms = new Set<{ due: number; fire: () => void }>();
  readonly #pollTimer: NodeJS.Timeout;
  #skipped = 0;
  #before = performance.eventLoopUtilization();
  #idlePolls = 0;

  constructor() {
    this.#pollTimer = setInterval(() => {
      this.#poll();
    }, pollIntervalMs);
  }

  now(): number {
    return Math.floor(this.#wall + this.monotonic());
  }

  monotonic(): number {
    return systemClock.monotonic() - this.#began + this.#skipped;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const cancel = this.timer(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      const abort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  timer(ms: number, callback: () => void): () => void {
    const alarm = { due: this.monotonic() + Math.max(0, ms), fire: callback };
    this.#alarms.add(alarm);
    return () => {
      this.#alarms.delete(alarm);
    };
  }

  stop(): void {
    clearInterval(this.#pollTimer);
  }

  #poll(): void {
    const now = performance.eventLoopUtilization();
    const { active, idle } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    const waits =
      active < maxActive * (active + idle) &&
      process.getActiveResourcesInfo().every((resource) => waiting.has(resource));
    this.#idlePolls = waits ? this.#idlePolls + 1 : 0;
    const next = Math.min(...[...this.#alarms].map(({ due }) => due));
    if (this.#idlePolls >= minIdlePolls && Number.isFinite(next)) {
      this.#skipped += Math.max(0, next - this.monotonic());
      this.#idlePolls = 0;
    }
    const passed = this.monotonic();
    for (const alarm of [...this.#alarms].filter(({ due }) => due <= passed)) {
      if (!this.#alarms.delete(alarm)) continue;
      alarm.fire();
    }
  }
}
