/**
 * @file Removes secrets from errors and texts that leave the client, because servers and proxies repeat parts of
 * requests in errors and addresses.
 */
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';

/** Maximum length of a detail. Text is cut after scrubbing, because half a token would not be recognised. */
const maxDetailLength = 500;

/** Returns the text without the secrets in use, anything shaped like a GitLab token, and the queries of addresses. */
export function scrub(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '***');
  return clean
    .replace(/\bgl[a-z]{2,12}-[\w.=-]{8,}/g, '***')
    .replace(/(https?:\/\/[^\s?"'<>]+)\?[^\s"'<>]+/g, '$1?***');
}

/**
 * Returns the same error if it has no secrets, or is no `AppError`. Otherwise returns a copy without secrets and
 * without its cause.
 */
export function scrubError(error: unknown, secrets: Iterable<string>): unknown {
  if (!(error instanceof AppError)) return error;
  const message = scrub(error.message, secrets);
  const details: ErrorDetails = Object.fromEntries(
    Object.entries(error.details).map(([key, value]) => [
      key,
      typeof value === 'string' ? shorten(scrub(value, secrets)) : value,
    ]),
  );
  const isUnchanged = Object.entries(details).every(([key, value]) => value === error.details[key]);
  if (isUnchanged && message === error.message) return error;
  return new AppError(error.code, message, { retry: error.retry, details });
}

function shorten(text: string): string {
  return text.length > maxDetailLength ? `${text.slice(0, maxDetailLength)}…` : text;
}
