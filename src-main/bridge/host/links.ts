/** @file Decides which addresses are opened in a browser: pages of registered instances and the documentation. Pure. */
import { AppError } from '../../../src-contract/errors.ts';

const documentation = 'https://docs.gitlab.com';
const longest = 2_048;

/** Returns the normalized address. Throws `link-refused` for an address that is not allowed. */
export function openableLink(typed: string, instances: readonly { url: string }[]): string {
  const refused = (why: string): AppError =>
    new AppError('link-refused', `Packhorse does not open this address: ${why}.`);
  if (typed.length > longest) throw refused('it is too long');
  // Whitespace and unprintable characters can hide where an address leads.
  if (/[\p{Cc}\p{Cf}\p{Z}\\]/u.test(typed))
    throw refused('it contains characters that are not allowed in an address');
  const url = URL.parse(typed);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw refused('it is not an http or https address');
  }
  if (url.username !== '' || url.password !== '') throw refused('it contains a user name or password');
  const known = [documentation, ...instances.map((instance) => URL.parse(instance.url)?.origin)];
  if (!known.includes(url.origin)) throw refused(`${url.host} is not a registered instance`);
  return url.href;
}
