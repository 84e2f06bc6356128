/**
 * @file Removes secrets from passports. Texts that people wrote lose only tokens. Redacts server texts and
 * request URLs like log lines. Pure, except that it uses the registered secrets.
 */
import { redact, redactTokens } from '../../../platform/redact.ts';

/**
 * Returns whether the value came from a server: stored errors, GitLab's message for a failure, addresses of requests.
 */
const isServerText = (name: string, field: unknown): boolean =>
  name === 'exceptionMessage' || (typeof field === 'object' && (name === 'error' || name === 'requests'));

export function withoutSecrets<T>(value: T): T {
  return redactDeep(value, redactTokens) as T;
}

function redactDeep(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((part) => redactDeep(part, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      redactDeep(field, isServerText(name, field) ? redact : clean),
    ]),
  );
}

/**
 * Matches a secret field of a record, which the archive stores as JSON. Does not match inside a string value, where
 * quotes are escaped. The end of the field may be cut off.
 */
const secretField =
  /((?<!\\)"(?:[a-z_]*(?:token|secret|password|access_key)|token_encrypted|encrypted_[a-z_]+)"\s*:\s*")(?:[^"\\]|\\[^])*/gi;

/** Redacts the text of a record. Call this before truncating the text, because half a token would not be found. */
export function redactRecord(text: string): string {
  return redactTokens(text).replaceAll(secretField, '$1***');
}
