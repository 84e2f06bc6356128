/** @file Values of settings as texts, so that an archive and the API can be compared. Pure. */

/** For a switch that was never set, the API may report null, which means off. */
export const isSame = (a: string, b: string): boolean =>
  a === b || [a, b].every((value) => value === '' || value === 'false');

/** Returns the value as a form would send it; null if it is neither a plain value nor a list of plain values. */
export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const parts = value.map(toText);
    return parts.includes(null) ? null : parts.sort().join(', ');
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

const maxShownLength = 60;

export const formatValue = (value: string): string =>
  value === '' ? 'not set' : value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value;
