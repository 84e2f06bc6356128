/** @file Many requests for the same work become one: however many events arrive, the work is done once a frame at most. */

/** The returned function asks for `work`; it is done before the next frame is drawn, or soon in a hidden window. */
export function oncePerFrame(work: () => void): { ask: () => void; end: () => void } {
  let frame: number | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const run = (): void => {
    if (frame !== null) cancelAnimationFrame(frame);
    if (timer !== null) clearTimeout(timer);
    frame = null;
    timer = null;
    work();
  };
  return {
    ask: () => {
      if (frame !== null || timer !== null) return;
      frame = requestAnimationFrame(run);
      // No frames are drawn for a window that is not seen.
      timer = setTimeout(run, 1000);
    },
    end: () => {
      if (frame !== null) cancelAnimationFrame(frame);
      if (timer !== null) clearTimeout(timer);
      frame = null;
      timer = null;
    },
  };
}
