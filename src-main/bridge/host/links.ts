/** @file Decides which addresses are opened in a browser: pages of registered instances and the documentation. Pure. */
import { AppError } from '../../../src-contract/errors.ts';

const documentation = 'https://docs.gitlab.com';
const longest = 2_048;

/** Returns the address in the form for the system. Throws `link-refused` for an address that is not allowed. */
export function openableLink(typed: string, instances: readonly { url: string }[]): string {
  const refused = (why: string): AppError =>
    new AppError('link-refused', `This address is not opened: ${why}.`);
  if (typed.length > longest) throw refused('it is too long');
  // Whitespace and unprintable characters can hide where an address leads.
  if (/[\p{Cc}\p{Cf}\p{Z}\\]/u.test(typed)) throw refused('it holds characters that no address has');
  const url = URL.parse(typed);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw refused('it is not the address of a page');
  }
  if (url.username !== '' || url.password !== '') throw refused('there is a user name or password in it');
  const known = [documentation, ...instances.map((instance) => URL.parse(instance.url)?.origin)];
  if (!known.includes(url.origin)) throw refused(`${url.host} is not a registered instance`);
  return url.href;
}
