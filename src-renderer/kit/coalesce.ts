/** @file Many requests for the same work become one: however many events arrive, work is done at most so often. */

export interface Throttled {
  /** Asks for the work: it is done now, or as soon as enough time has passed since it was done last. */
  ask: () => void;
  /** Whatever was asked for is not done any more. */
  end: () => void;
}

/** `work` is done at most once in `minMs`. */
export function throttle(work: () => void, minMs: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = -Infinity;
  const run = (): void => {
    timer = null;
    last = performance.now();
    work();
  };
  return {
    ask: () => {
      // One timer at a time: nothing grows with the number of events.
      timer ??= setTimeout(run, Math.max(0, last + minMs - performance.now()));
    },
    end: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
