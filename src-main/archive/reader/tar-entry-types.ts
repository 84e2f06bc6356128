/** @file The types of tar entries that the reader accepts, by the type flag of the header. */

/** Types whose data describes the next member. */
export const metaTypes = new Set(['L', 'K', 'x', 'X', 'g']);

/** Continuation and old sparse members, whose stored bytes are not the member's content. */
export const unsupportedTypes = new Set(['S', 'M']);

/** Regular files. */
export const fileTypes = new Set(['0', '7']);

/** Entries that every export has. Any other type makes the archive suspicious. */
export const expectedTypes = new Set(['0', '7', '5']);
