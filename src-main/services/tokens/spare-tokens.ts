/** @file The second token of an instance's user: check it, keep it, forget it. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { PersonalToken } from '../../../src-contract/tokens/token.ts';
import { ownToken } from '../../gitlab/instances/tokens.ts';
import { accountOf, type Credentials } from '../../platform/credentials.ts';
import { checkToken } from '../../platform/token-source.ts';
import type { Token } from '../../platform/token.ts';
import type { Connections } from '../instances/connections.ts';

export class SpareTokens {
  readonly #credentials: Credentials;
  readonly #connections: Pick<Connections, 'openWith'>;

  constructor(credentials: Credentials, connections: Pick<Connections, 'openWith'>) {
    this.#credentials = credentials;
    this.#connections = connections;
  }

  /** Returns the facts about a token that somebody hands over. Throws `invalid-input` for text that cannot be a token. */
  async look(instance: Instance, token: string, signal: AbortSignal): Promise<PersonalToken> {
    return this.#ask(instance, checkToken(token), signal);
  }

  /** Returns the instance's facts about the spare; null where none is available, or it is not accepted any more. */
  async own(instance: Instance, signal: AbortSignal): Promise<PersonalToken | null> {
    try {
      const kept = await this.#credentials.kept(accountOf(instance.name, 'spare'));
      return kept === null ? null : await this.#ask(instance, kept.token, signal);
    } catch (thrown) {
      const { code } = AppError.from(thrown);
      if (code.startsWith('token-') || code.startsWith('keychain-')) return null;
      throw thrown;
    }
  }

  /** Stores it in memory, or in the keychain and reads it back. */
  async keep(name: string, text: string, where: 'session' | 'keychain'): Promise<void> {
    const account = accountOf(name, 'spare');
    const token = checkToken(text);
    if (where === 'session') {
      this.#credentials.remember(account, token);
      return;
    }
    await this.#credentials.store(account, token);
    this.#credentials.drop(account);
  }

  forget(name: string): Promise<void> {
    return this.#credentials.forget(accountOf(name, 'spare'));
  }

  async #ask(instance: Instance, token: Token, signal: AbortSignal): Promise<PersonalToken> {
    const client = this.#connections.openWith(instance, token);
    try {
      return await ownToken(client, { signal });
    } finally {
      client.close();
    }
  }
}
