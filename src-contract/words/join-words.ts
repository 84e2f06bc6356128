/** @file Joins words into an enumeration. */

/**
 * Returns an enumeration, such as `a, b and c`. A comma precedes the last `and` if an item contains one, such as in
 * `logs and artifacts, and uploads`.
 */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  const comma = words.some((text) => text.includes(' and ')) ? ',' : '';
  return `${words.slice(0, -1).join(', ')}${comma} and ${words.at(-1) ?? ''}`;
}
