/**
 * @file The recipient of a new token that no keychain keeps: a person, by way of this process's host (a file, a screen, the
 * clipboard). Never the bridge, so that no page has it.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../../src-contract/errors.ts';
import type { Token } from '../../platform/token.ts';

export interface GivenToken {
  instance: string;
  id: number;
  name: string;
  token: Token;
}

type Take = (given: GivenToken) => Promise<void>;

export class TokenRecipient {
  /** Names this process: a job in another process has no person to give the token to. */
  readonly key: string = randomUUID();
  #take: Take | null = null;

  /** From now on `take` gets new tokens, until the returned function is called. */
  set(take: Take): () => void {
    this.#take = take;
    return () => {
      if (this.#take === take) this.#take = null;
    };
  }

  get isThere(): boolean {
    return this.#take !== null;
  }

  /** Rejects where there is no recipient, or the token could not be given. */
  async give(given: GivenToken): Promise<void> {
    if (this.#take === null) throw new AppError('host-cannot', 'Nobody is here to take the new token.');
    await this.#take(given);
  }
}
