/** @file The stored form of a long text: its beginning, its length and a digest. */

export const maxTextLength = 160;

/** Returns the stored form of a text of more than `maxTextLength` characters. `beginning` has exactly that length. */
export const shortenedText = (beginning: string, length: number, digest: string): string =>
  `${beginning}… (${length} characters, SHA-256 ${digest})`;

const endingPattern = /^… \((\d+) characters, SHA-256 [0-9a-f]{16}\)$/;

/** A text as it is stored. `ending` is empty, and `length` that of the text, if the whole text is stored. */
export interface StoredText {
  beginning: string;
  ending: string;
  length: number;
}

/** Divides a stored text into its known beginning and the ending that replaces the rest. */
export function readStoredText(text: string): StoredText {
  const ending = text.slice(maxTextLength);
  const length = endingPattern.exec(ending)?.[1];
  return length === undefined
    ? { beginning: text, ending: '', length: text.length }
    : { beginning: text.slice(0, maxTextLength), ending, length: Number(length) };
}
