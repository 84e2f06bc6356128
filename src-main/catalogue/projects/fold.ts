/** @file Makes text comparable without regard to case, in any alphabet: SQLite's own functions know only ASCII. */

/** Returns the form in which texts are searched and sorted: composed, lower case. Available in SQL as `fold`. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
