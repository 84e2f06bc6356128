/**
 * @file Stores secrets that jobs need once, except tokens. They stay in memory, each under a key, until the process
 * ends.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../src-contract/errors.ts';
import { registerSecret } from './redact.ts';

/**
 * Maximum number of secrets. The oldest is dropped, so that a client that sends many requests cannot fill the memory.
 */
const maxSecrets = 200;

export class Secrets {
  readonly #values = new Map<string, string>();

  /** Stores the secret under `key`. Each of its `parts` is a secret, too. @returns the key. */
  store(value: string, parts: readonly string[], key = randomBytes(12).toString('base64url')): string {
    for (const secret of [value, ...parts]) registerSecret(secret);
    const [oldest] = this.#values.keys();
    if (this.#values.size >= maxSecrets && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
    return key;
  }

  /** Throws `secret-lost`. */
  reveal(key: string): string {
    const value = this.#values.get(key);
    if (value === undefined) throw new AppError('secret-lost', 'The address is not known to this process.');
    return value;
  }
}
