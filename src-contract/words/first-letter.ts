/** @file Changes the first letter of words that are a title in one place and part of a sentence in another. */

/** Returns the words as within a sentence. A name such as "GitLab" or "CI/CD" keeps its capitals. */
export const lowerFirst = (words: string): string =>
  /^\S\S*[A-Z]/.test(words) ? words : `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;

/** Returns the words as they begin a sentence or a label. */
export const upperFirst = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
