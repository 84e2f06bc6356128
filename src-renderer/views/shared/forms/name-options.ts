/** @file The options of a choice among names. Pure. */

/** Includes `chosen` even if it is no longer known. */
export const nameOptions = (names: readonly string[], chosen: string): { value: string; label: string }[] =>
  [...new Set([...names, ...(chosen === '' ? [] : [chosen])])].map((name) => ({ value: name, label: name }));
