/** @file The wait after a 429 without `Retry-After`, and the maximum pause of a download; in milliseconds. */

export const defaultRetryAfterMs = 60_000;

/**
 * The longest pause after which a download keeps its unfinished file and its slot. The pause must be longer than
 * `defaultRetryAfterMs`; otherwise each 429 without `Retry-After` would discard the file.
 */
export const maxDownloadPauseMs = defaultRetryAfterMs + 30_000;
