/** @file Many requests for the same work become few: at once, then at most once in so many milliseconds, the last one always. */

/** However often `ask` is called, the work is done soon after, and never starved by the next request. */
export function atMostEvery(ms: number, work: () => void): { ask: () => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = null;
      if (!again) return;
      again = false;
      work();
      rest();
    }, ms);
  };
  return {
    ask: () => {
      if (timer !== null) {
        again = true;
        return;
      }
      work();
      rest();
    },
    end: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      again = false;
    },
  };
}
