/** @file The options of a choice among names. Pure. */

/** `chosen` is among them also where it is known no more; empty: nothing is chosen. */
export const nameOptions = (names: readonly string[], chosen: string): { value: string; label: string }[] =>
  [...new Set([...names, ...(chosen === '' ? [] : [chosen])])].map((name) => ({ value: name, label: name }));
