/** @file Text made comparable without regard to case, in any alphabet: SQLite's own functions know ASCII only. */

/** The form in which texts are searched and sorted: composed, lower case. Known to SQL as `fold`. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
