/** @file Secrets other than tokens that jobs need once: kept in memory by key, until the process ends. */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../src-contract/errors.ts';
import { registerSecret } from './redact.ts';

/** A page that keeps asking must not fill the memory: the oldest secret is dropped. */
const maxKept = 200;

export class Secrets {
  readonly #kept = new Map<string, string>();

  /** Stores the secret under `key`. Its `parts` are secrets on their own. @returns the key. */
  keep(value: string, parts: readonly string[], key = randomBytes(12).toString('base64url')): string {
    for (const secret of [value, ...parts]) registerSecret(secret);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= maxKept && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, value);
    return key;
  }

  /** Throws `secret-lost`. */
  reveal(key: string): string {
    const value = this.#kept.get(key);
    if (value === undefined) throw new AppError('secret-lost', 'The address is not known to this process.');
    return value;
  }
}
