/** @file Distinguishes objects from other parsed values. */
export type Fields = Record<string, unknown>;

/** Returns whether a parsed value is an object with fields, not an array and not null. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
