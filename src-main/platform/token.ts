/** @file Wraps a token so that it prints as `***` wherever it is logged, joined or serialised. */
import { inspect } from 'node:util';

export class Token {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the secret itself. Only a request header and the keychain may get it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return 'Token(***)';
  }
}
