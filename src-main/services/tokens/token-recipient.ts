/**
 * @file The recipient of a new token that no keychain stores: a person, through this process's host (a file, a screen,
 * the clipboard). The token never passes the bridge, so no page gets it.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../../src-contract/errors.ts';
import type { Token } from '../../platform/token.ts';

export interface IssuedToken {
  instance: string;
  id: number;
  name: string;
  token: Token;
}

type Take = (issued: IssuedToken) => Promise<void>;

export class TokenRecipient {
  /** Identifies this process: a job in another process cannot give the token to the person at this one. */
  readonly processKey: string = randomUUID();
  #take: Take | null = null;

  /** New tokens are passed to `take` until the returned function is called. */
  set(take: Take): () => void {
    this.#take = take;
    return () => {
      if (this.#take === take) this.#take = null;
    };
  }

  get isAvailable(): boolean {
    return this.#take !== null;
  }

  /** Rejects if there is no recipient, or the token could not be given. */
  async give(issued: IssuedToken): Promise<void> {
    if (this.#take === null) throw new AppError('host-cannot', 'There is no recipient for the new token.');
    await this.#take(issued);
  }
}
