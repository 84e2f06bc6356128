/** @file Numbers with their nouns. */

/** Returns "1 project" or "1,000 projects". `many` defaults to `one` with an "s". */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
