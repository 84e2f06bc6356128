/** @file Waits that several layers state or depend on, in milliseconds. */

/** The wait after a 429 that does not say how long. */
export const defaultRetryAfterMs = 60_000;

/**
 * The longest pause of a download that keeps its unfinished file and its slot. The value must be longer than
 * `defaultRetryAfterMs`: a shorter one would drop the file at each 429 that does not say how long.
 */
export const maxDownloadPauseMs = defaultRetryAfterMs + 30_000;

/** The longest time for one call of the operating system's keychain; its error states it. */
export const keychainTimeoutMs = 10_000;
