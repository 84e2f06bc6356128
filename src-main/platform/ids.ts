/** @file The one place where ids are made: of jobs, of runs, of whatever else must sort by the time it was made. */
import { randomBytes } from 'node:crypto';

const randomBits = 35n;
let last = 0n;

/**
 * 16 digits of base 32 (`0`-`9`, `a`-`v`): 45 bits of `now` (epoch milliseconds), 35 random bits. Ids made by one
 * process always grow, also within a millisecond and when the clock is set back.
 */
export function newId(now: number): string {
  const random = randomBytes(8).readBigUInt64BE() >> (64n - randomBits);
  const wanted = (BigInt(Math.trunc(now)) << randomBits) | random;
  last = wanted > last ? wanted : last + 1n;
  return last.toString(32).padStart(16, '0');
}
