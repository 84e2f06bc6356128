/** @file The token in use of each instance: remembers it in memory, stores it in the keychain, and forgets it. */
import { AppError } from '../../../src-contract/errors.ts';
import type { TokenSource } from '../../../src-contract/instances/instance.ts';
import { accountOf } from '../../platform/credentials.ts';
import { parseToken } from '../../platform/token-source.ts';
import type { TokenPresence } from './token-presence.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

/** A token for an instance that is not yet added is forgotten after this time. */
const forgetAfterMs = 10 * 60_000;

interface Deps extends Pick<SharedDeps, 'clock' | 'credentials' | 'log' | 'settings'> {
  presence: TokenPresence;
  onTokenAvailable(): void;
}

export class InstanceTokens extends Service<Deps> {
  async source(name: string): Promise<TokenSource> {
    return (await this.deps.credentials.resolve(name)).source;
  }

  /**
   * Remembers a token in memory, where it takes precedence over every other source. For an instance that is not added,
   * the token is forgotten after a while. The returned function restores the earlier token.
   */
  remember(name: string, token: string): () => void {
    const { settings, credentials, presence, clock } = this.deps;
    const parsed = parseToken(token);
    const restoreToken = credentials.remember(name, parsed);
    clock.timer(forgetAfterMs, () => {
      const isKnown = settings.read().instances.some((instance) => instance.name === name);
      if (!isKnown) credentials.forgetRemembered(name, parsed);
    });
    this.deps.onTokenAvailable();
    return () => {
      restoreToken();
      presence.forget(name);
    };
  }

  /** Returns whether this process remembers a token. Tokens from other sources do not count. */
  isRemembered(name: string): boolean {
    return this.deps.credentials.isRemembered(name);
  }

  forgetRemembered(name: string): void {
    this.deps.credentials.forgetRemembered(name);
    this.deps.presence.forget(name);
  }

  /** Moves a token from memory into the keychain and reads it back. Tokens from other sources are never copied. */
  async storeInKeychain(name: string): Promise<void> {
    const { credentials, presence } = this.deps;
    const { token, source } = await credentials.resolve(name);
    if (source === 'session') await credentials.store(name, token);
    presence.forget(name);
  }

  /** Deletes all secrets stored for the instance, the spare token included. */
  async forget(name: string): Promise<void> {
    const { credentials, presence, log } = this.deps;
    presence.forget(name);
    for (const slot of ['main', 'spare', 'pending'] as const) {
      // Without a keychain, there is nothing to delete.
      await credentials.remove(accountOf(name, slot)).catch((thrown: unknown) => {
        log.warn({ code: AppError.from(thrown).code }, 'a token could not be deleted from the keychain');
      });
    }
  }

  hasKeychain(): Promise<boolean> {
    return this.deps.credentials.hasKeychain();
  }
}
