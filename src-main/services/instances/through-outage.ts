/** @file Asks an instance until it answers, as jobs wait through an outage. */

/**
 * Calls `ask`, which changes nothing on the instance before its answer, again and again for as long as a job waits through an outage.
 * `onWait` gets the sentence that a waiting job shows.
 */
export type ThroughOutage = <T>(
  instance: string,
  ask: () => Promise<T>,
  how: { signal: AbortSignal; onWait(text: string): void },
) => Promise<T>;
