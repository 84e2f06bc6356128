/** @file Joins words into an enumeration. */

/** Returns an enumeration, such as `a, b and c`. */
export const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
