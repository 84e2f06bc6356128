/**
 * @file Keeps secrets out of passports. Texts of people stay, except for tokens. Words of servers and addresses of requests
 * are redacted like a log. Pure, but for the secrets that are known.
 */
import { redact, withoutTokens } from '../../../platform/redact.ts';

/** Whether the text came from a server: stored errors, GitLab's text on a failure, addresses of requests. */
const toldByServers = (name: string, held: unknown): boolean =>
  name === 'exceptionMessage' || (typeof held === 'object' && (name === 'error' || name === 'requests'));

export function withoutSecrets<T>(value: T): T {
  return cleaned(value, withoutTokens) as T;
}

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((part) => cleaned(part, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      cleaned(held, toldByServers(name, held) ? redact : clean),
    ]),
  );
}

/** A field of a record, which its archive holds as JSON; within a text its quotes would be escaped. The end may be cut off. */
const secretField =
  /((?<!\\)"(?:[a-z_]*(?:token|secret|password|access_key)|token_encrypted|encrypted_[a-z_]+)"\s*:\s*")(?:[^"\\]|\\[^])*/gi;

/** The text of a record must be redacted before it is cut off: half a token would not be found. */
export function recordWithoutSecrets(text: string): string {
  return withoutTokens(text).replaceAll(secretField, '$1***');
}
