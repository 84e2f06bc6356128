/** @file Changes the case of the first letter, for words that are used both as a title and within a sentence. */

/** Returns the words for use within a sentence. A name such as "GitLab" or "CI/CD" keeps its capitals. */
export const lowerFirst = (words: string): string =>
  /^\S\S*[A-Z]/.test(words) ? words : `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;

/** Returns the words for the start of a sentence or label. */
export const upperFirst = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
