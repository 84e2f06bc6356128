/** @file Throttles work: however many events arrive, the work is done at most once per interval. */

/**
 * `trigger` requests the work, which is done at once or as soon as `minMs` have passed since the last time. `cancel`
 * cancels the pending work.
 */
export function throttle(work: () => void, minMs: number): { trigger: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = -Infinity;
  const run = (): void => {
    timer = null;
    last = performance.now();
    work();
  };
  return {
    trigger: () => {
      // One timer at a time, so that the cost does not grow with the number of events.
      timer ??= setTimeout(run, Math.max(0, last + minMs - performance.now()));
    },
    cancel: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
