/** @file Addresses that are secrets: whoever knows a presigned one may read or write what it leads to. */
import { AppError } from '../../../src-contract/errors.ts';

/** Shorter parts are words of the address, not secrets, and would tear holes into other texts. */
const shortest = 12;

/** What must not come back of such an address, as it is and decoded: it, its query, the longer values in it, its credentials. */
export function secretsOf(address: string): string[] {
  const url = URL.parse(address);
  if (url === null) return [address];
  const values = [...url.searchParams.values()].filter((value) => value.length >= shortest);
  const parts = [url.search.slice(1), url.password, ...values, ...values.map(encodeURIComponent)];
  return [address, url.href, ...parts.filter((part) => part.length >= shortest)];
}

/** Throws `invalid-input`, without the address, for what no server can fetch from or push to. */
export function checkAddress(address: string): void {
  const url = URL.parse(address);
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return;
  throw new AppError('invalid-input', 'The address of the archive is no web address (https://…).');
}
