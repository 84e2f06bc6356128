/** @file Checks addresses of instances and proxies that somebody typed. */
import { AppError } from '../../../src-contract/errors.ts';

const noCredentials = 'it must not contain a user name or password';

/**
 * Returns scheme, host, port and base path of an instance, without a trailing slash or `/api/v4`. Throws `invalid-input`;
 * the message does not repeat a password.
 */
export function parseInstanceUrl(typed: string): string {
  // A password in the message would be shown and logged.
  const redacted = typed.replace(/\/\/[^/]*@/, '//***@');
  const bad = (why: string): AppError =>
    new AppError('invalid-input', `"${redacted}" is not the address of an instance: ${why}.`);
  let url: URL;
  try {
    url = new URL(typed.trim());
  } catch {
    throw bad(whyNoAddress(typed.trim()));
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw bad('only https and http are supported');
  if (url.username !== '' || url.password !== '') throw bad(noCredentials);
  if (url.search !== '' || url.hash !== '') throw bad('it must not contain "?" or "#"');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v4$/, '');
}

function whyNoAddress(typed: string): string {
  const [, , host] = /^(https?):\/\/([^/?#]*)/i.exec(typed) ?? [];
  if (host === undefined) return 'it must begin with https:// (or http://)';
  if (host.includes('@')) return noCredentials;
  if (/\s/.test(typed)) return 'it contains a space';
  const port = /:([^:\]]*)$/.exec(host)?.[1];
  if (port !== undefined && port !== '' && !(/^\d+$/.test(port) && Number(port) <= 65_535)) {
    return 'its port must be a number from 1 to 65535';
  }
  return 'its host name is not valid';
}

/** Returns the origin of a proxy. Throws `invalid-input`; the message does not repeat an address with a password. */
export function parseProxyUrl(typed: string): string {
  const bad = (why: string): AppError => new AppError('invalid-input', `The proxy cannot be used: ${why}.`);
  const url = URL.parse(typed.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw bad('its address must begin with http:// or https://');
  }
  if (url.username !== '' || url.password !== '')
    throw bad('its address must not contain a user name or password');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw bad('its address must end after the host and port');
  }
  return url.origin;
}
