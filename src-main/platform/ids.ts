/** @file The only place that creates ids, for jobs, runs and everything else that sorts by the time of its creation. */
import { randomBytes } from 'node:crypto';

const randomBits = 35n;
let last = 0n;

/**
 * Returns 16 digits of base 32: 45 bits of `now`, 35 random bits. Ids of one process always increase.
 * @param after an id that another process may have created. The new id is greater.
 */
export function newId(now: number, after: string | null = null): string {
  const random = randomBytes(8).readBigUInt64BE() >> (64n - randomBits);
  const candidate = (BigInt(Math.trunc(now)) << randomBits) | random;
  const afterNumber = after !== null && idPattern.test(after) ? numberOf(after) : 0n;
  if (afterNumber > last) last = afterNumber;
  last = candidate > last ? candidate : last + 1n;
  return last.toString(32).padStart(16, '0');
}

const idPattern = /^[0-9a-v]{16}$/;
const halfDigits = 8;
/** One digit holds five bits; half an id fits into a JavaScript number. */
const numberOf = (id: string): bigint =>
  (BigInt(Number.parseInt(id.slice(0, halfDigits), 32)) << BigInt(5 * halfDigits)) |
  BigInt(Number.parseInt(id.slice(halfDigits), 32));
