/** @file Presigned addresses are secrets, because anyone who knows such an address may read or write its object. */
import { AppError } from '../../../src-contract/errors.ts';

/** Minimum length of a secret part. Shorter parts are ordinary words, and removing them would damage other texts. */
const minSecretLength = 12;

/** Returns the parts of an address that must not appear in a text, encoded and decoded. */
export function secretsOf(address: string): string[] {
  const url = URL.parse(address);
  if (url === null) return [address];
  const values = [...url.searchParams.values()].filter((value) => value.length >= minSecretLength);
  const parts = [url.search.slice(1), url.password, ...values, ...values.map(encodeURIComponent)];
  return [address, url.href, ...parts.filter((part) => part.length >= minSecretLength)];
}

/** Throws `invalid-input` unless the address is an HTTP(S) URL. The error does not contain the address. */
export function assertWebUrl(address: string): void {
  const url = URL.parse(address);
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return;
  throw new AppError('invalid-input', 'The address of the archive is not a web address (https://…).');
}
