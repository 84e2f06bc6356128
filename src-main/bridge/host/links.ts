/** @file Decides which addresses are opened in a browser: pages of registered instances and the documentation. Pure. */
import { AppError } from '../../../src-contract/errors.ts';

const documentation = 'https://docs.gitlab.com';
const maxLength = 2_048;

/** Returns the normalized address. Throws `link-refused` for an address that is not allowed. */
export function openableLink(address: string, instances: readonly { url: string }[]): string {
  const refusedError = (why: string): AppError =>
    new AppError('link-refused', `Packhorse does not open this address: ${why}.`);
  if (address.length > maxLength) throw refusedError('it is too long');
  // Whitespace and unprintable characters can hide where an address leads.
  if (/[\p{Cc}\p{Cf}\p{Z}\\]/u.test(address))
    throw refusedError('it contains characters that are not allowed in an address');
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw refusedError('it is not an http or https address');
  }
  if (url.username !== '' || url.password !== '') throw refusedError('it contains a user name or password');
  const allowedOrigins = [documentation, ...instances.map((instance) => URL.parse(instance.url)?.origin)];
  if (!allowedOrigins.includes(url.origin)) throw refusedError(`${url.host} is not a registered instance`);
  return url.href;
}
