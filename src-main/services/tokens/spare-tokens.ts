/** @file The spare token of an instance's user: checks, stores and forgets it. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { PersonalAccessToken } from '../../../src-contract/tokens/token.ts';
import { getOwnToken } from '../../gitlab/instances/tokens.ts';
import { accountOf, type Credentials } from '../../platform/credentials.ts';
import { parseToken } from '../../platform/token-source.ts';
import type { Token } from '../../platform/token.ts';
import type { Connections } from '../instances/connections.ts';
import type { Instances } from '../instances/instances.ts';

export class SpareTokens {
  readonly #credentials: Credentials;
  readonly #connections: Connections;
  readonly #instances: Instances;

  constructor(credentials: Credentials, connections: Connections, instances: Instances) {
    this.#credentials = credentials;
    this.#connections = connections;
    this.#instances = instances;
  }

  /**
   * Stores a spare token in memory, or in the keychain with a read-back. Throws `token-scope`, and `invalid-input` for
   * a token of another user or the token in use.
   */
  async set(
    instance: Instance,
    text: string,
    keep: 'session' | 'keychain',
    signal: AbortSignal,
  ): Promise<PersonalAccessToken> {
    const token = parseToken(text);
    const current = await this.#connections.connect(instance).tokens.getOwn(signal);
    const spare = await this.#fetchToken(instance, token, signal);
    if (spare.userId !== current.userId) {
      throw new AppError(
        'invalid-input',
        'The spare token belongs to another user. It must belong to the same user as the token in use.',
      );
    }
    if (spare.id === current.id) {
      throw new AppError('invalid-input', 'This token is already in use. The spare must be another token.');
    }
    if (!spare.scopes.includes('api')) {
      throw new AppError('token-scope', 'The spare token lacks a scope.', { details: { scopes: 'api' } });
    }
    const account = accountOf(instance.name, 'spare');
    if (keep === 'session') this.#credentials.remember(account, token);
    else {
      await this.#credentials.store(account, token);
      this.#credentials.forgetRemembered(account);
    }
    await this.#saveStatus(instance.name, keep === 'keychain', spare.expiresOn);
    return spare;
  }

  /** Returns the instance's facts about the spare token; null if there is none, or it is no longer accepted. */
  async fetchDetails(instance: Instance, signal: AbortSignal): Promise<PersonalAccessToken | null> {
    try {
      const stored = await this.#credentials.resolveStored(accountOf(instance.name, 'spare'));
      return stored === null ? null : await this.#fetchToken(instance, stored.token, signal);
    } catch (thrown) {
      const { code } = AppError.from(thrown);
      if (code.startsWith('token-') || code.startsWith('keychain-')) return null;
      throw thrown;
    }
  }

  /** Throws `instance-unknown`, and the keychain's errors. */
  async forget(name: string): Promise<void> {
    this.#instances.get(name);
    await this.#credentials.remove(accountOf(name, 'spare'));
    await this.#saveStatus(name, false, null);
  }

  async #saveStatus(name: string, hasSpare: boolean, spareExpiresOn: string | null): Promise<void> {
    await this.#instances.save({ ...this.#instances.get(name), hasSpare, spareExpiresOn });
  }

  async #fetchToken(instance: Instance, token: Token, signal: AbortSignal): Promise<PersonalAccessToken> {
    const client = this.#connections.openClient(instance, token);
    try {
      return await getOwnToken(client, { signal });
    } finally {
      client.close();
    }
  }
}
