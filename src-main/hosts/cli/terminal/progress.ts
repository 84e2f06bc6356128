/** @file Formats the progress of long work in one line: share, rate, time left. */
import type { Progress } from '../../../../src-contract/runs/job.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { formatDuration } from './format.ts';

const bar = (share: number): string => {
  const filled = Math.round(Math.min(1, share) * 16);
  return `[${'█'.repeat(filled)}${'·'.repeat(16 - filled)}]`;
};

const amount = (progress: Progress, value: number): string =>
  progress.unit === 'bytes' ? formatBytes(value) : String(value);

/** Follows one piece of work; a new step starts a new measurement. `now` is a monotonic time in milliseconds. */
export class ProgressMeter {
  #step = '';
  #startedAt = 0;
  #startedWith = 0;

  formatLine(progress: Progress, now: number): string {
    if (progress.step !== this.#step || progress.done < this.#startedWith) {
      this.#step = progress.step;
      this.#startedAt = now;
      this.#startedWith = progress.done;
    }
    const seconds = (now - this.#startedAt) / 1000;
    const isDone = progress.total !== null && progress.done >= progress.total;
    const rate = seconds > 0.2 && !isDone ? (progress.done - this.#startedWith) / seconds : 0;
    const parts = [amount(progress, progress.done)];
    if (progress.total !== null) {
      parts[0] = `${bar(progress.done / Math.max(1, progress.total))} ${amount(progress, progress.done)} of ${amount(progress, progress.total)}`;
    }
    if (rate > 0) parts.push(`${amount(progress, Math.round(rate))}/s`);
    if (rate > 0 && progress.total !== null) {
      parts.push(`${formatDuration(((progress.total - progress.done) / rate) * 1000)} left`);
    }
    return parts.join(', ');
  }
}
