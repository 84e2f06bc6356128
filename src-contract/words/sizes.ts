/** @file Sizes in words. */

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * Returns the size in decimal units, as disks and file managers state it, with at most three digits: "1.23 MB", "2 GB".
 */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // Values from 999.5 would be rounded to four digits.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${Number(value.toPrecision(3))} ${units[unit] ?? 'B'}`;
}
