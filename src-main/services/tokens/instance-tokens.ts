/** @file The token in use of each instance: remembered in memory, kept in the keychain, tried, and forgotten. */
import { AppError } from '../../../src-contract/errors.ts';
import type { TokenSource } from '../../../src-contract/instances/instance.ts';
import { accountOf } from '../../platform/credentials.ts';
import { parseToken } from '../../platform/token-source.ts';
import type { TokenPresence } from './token-presence.ts';
import type { SharedParts } from '../shared-parts.ts';

/** A token for an instance that is not yet added is forgotten after this time. */
const abandonedMs = 10 * 60_000;

interface Parts extends Pick<SharedParts, 'clock' | 'credentials' | 'log' | 'settings'> {
  presence: TokenPresence;
  onTokenAvailable(): void;
}

export class InstanceTokens {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async source(name: string): Promise<TokenSource> {
    return (await this.#parts.credentials.resolve(name)).source;
  }

  /**
   * Remembers a token in memory, where it wins over every other source; for an instance that is not added, for a while only.
   * The returned function restores the earlier one.
   */
  remember(name: string, token: string): () => void {
    const { settings, credentials, presence, clock } = this.#parts;
    const given = parseToken(token);
    const putBack = credentials.remember(name, given);
    clock.timer(abandonedMs, () => {
      const isKnown = settings.read().instances.some((instance) => instance.name === name);
      if (!isKnown) credentials.forgetRemembered(name, given);
    });
    this.#parts.onTokenAvailable();
    return () => {
      putBack();
      presence.forget(name);
    };
  }

  /** Whether this process remembers one; tokens of other sources do not count. */
  isRemembered(name: string): boolean {
    return this.#parts.credentials.isRemembered(name);
  }

  drop(name: string): void {
    this.#parts.credentials.forgetRemembered(name);
    this.#parts.presence.forget(name);
  }

  /** Moves a token that is in memory into the keychain and reads it back; no other source is ever copied. */
  async keep(name: string): Promise<void> {
    const { credentials, presence } = this.#parts;
    const { token, source } = await credentials.resolve(name);
    if (source === 'session') await credentials.store(name, token);
    presence.forget(name);
  }

  /** Deletes all secrets stored for the instance, the spare token included. */
  async forget(name: string): Promise<void> {
    const { credentials, presence, log } = this.#parts;
    presence.forget(name);
    for (const slot of ['main', 'spare', 'pending'] as const) {
      // Without a keychain there is nothing in it to forget.
      await credentials.remove(accountOf(name, slot)).catch((thrown: unknown) => {
        log.warn({ code: AppError.from(thrown).code }, 'the keychain could not be asked to forget a token');
      });
    }
  }

  keychainWorks(): Promise<boolean> {
    return this.#parts.credentials.hasKeychain();
  }
}
