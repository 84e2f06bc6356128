/**
 * @file Repeats a request until the instance responds, as jobs wait through an outage.
 */

/**
 * Calls `ask` repeatedly for as long as a job waits through an outage. `ask` must change nothing on the
 * instance before its response. `onWait` gets the sentence that a waiting job shows.
 */
export type ThroughOutage = <T>(
  instance: string,
  ask: () => Promise<T>,
  how: { signal: AbortSignal; onWait(text: string): void },
) => Promise<T>;
