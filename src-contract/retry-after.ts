/** @file The wait after a 429 without `Retry-After`, and the pause of a download that depends on it; in milliseconds. */

export const defaultRetryAfterMs = 60_000;

/**
 * The longest pause of a download that keeps its unfinished file and its slot. The value must be longer than
 * `defaultRetryAfterMs`: a shorter one would drop the file at each 429 that does not say how long.
 */
export const maxDownloadPauseMs = defaultRetryAfterMs + 30_000;
