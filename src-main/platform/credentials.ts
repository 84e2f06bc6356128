/**
 * @file Finds tokens by instance name in memory, the environment or the keychain. A token is never written to a plain
 * file.
 */
import { AppError } from '../../src-contract/errors.ts';
import type { ErrorCode, ErrorData, ErrorDetails } from '../../src-contract/errors.ts';
import type { TokenSource } from '../../src-contract/instances/instance.ts';
import type { TokenSlot } from '../../src-contract/tokens/token.ts';
import type { Clock } from './clock.ts';
import { keychainEntries } from './credentials-keychain.ts';
import type { Keychain } from './credentials-keychain.ts';
import { registerSecret } from './redact.ts';
import { parseToken, isToken } from './token-source.ts';
import type { Token } from './token.ts';

/** `pending` is a token that just replaced another and is not in its slot yet. This entry may be the only copy. */
export type CredentialSlot = TokenSlot | 'pending';

/** The keychain account of a slot. No instance name contains `#`, and older versions never touch such accounts. */
export function accountOf(instance: string, slot: CredentialSlot): string {
  return slot === 'main' ? instance : `${instance}#${slot}`;
}

/** All methods except `resolve` take a keychain account: an instance's name (main token) or a result of `accountOf`. */
export interface Credentials {
  /**
   * Throws `token-missing` if no source has a token, `invalid-input` for an unusable token, or the keychain's error.
   */
  resolve(instance: string): Promise<{ token: Token; source: TokenSource }>;
  /** Returns the token from memory or the keychain; null if neither has a usable token. Throws the keychain's error. */
  resolveStored(account: string): Promise<{ token: Token; source: 'session' | 'keychain' } | null>;
  readKeychain(account: string): Promise<Token | null>;
  /** Returns whether memory or the environment has a token. Does not read the keychain. */
  has(instance: string): boolean;
  /**
   * Stores a token in memory, which takes precedence over every other source. The returned function restores the
   * previous token.
   */
  remember(instance: string, token: Token): () => void;
  isRemembered(instance: string): boolean;
  /**
   * Removes the token of `remember` from memory. With `only`, removes it only if it is that token. Other sources keep
   * their tokens.
   */
  forgetRemembered(instance: string, only?: Token): void;
  /** Puts a token into the keychain and reads it back. Throws the keychain's error. */
  store(instance: string, token: Token): Promise<void>;
  /**
   * Removes the token from memory and from the keychain. Removes it from memory first, then throws the keychain's error
   * if there is one.
   */
  remove(instance: string): Promise<void>;
  /** Writes, reads back and removes a test entry; returns null if all of that works. */
  testKeychain(): Promise<ErrorData | null>;
  /**
   * Returns whether a keychain exists, even if it is locked. Only reads, and checks again on each call until a keychain
   * is found.
   */
  hasKeychain(): Promise<boolean>;
}

const probeAccount = '.probe';
/**
 * Errors which mean that no keychain exists. After any other error, the keychain exists and must be unlocked, confirmed
 * or repaired.
 */
const noKeychainCodes: ErrorCode[] = ['keychain-missing', 'keychain-unreachable'];

export function createCredentials(options: {
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  keychain?: Keychain;
}): Credentials {
  const { env, clock, keychain } = options;
  const entries = keychainEntries({ clock, keychain });
  const session = new Map<string, Token>();
  let keychainCheck: Promise<boolean> | null = null;
  const environmentToken = (instance: string): string | null =>
    isSlot(instance) ? null : env[tokenVariable(instance)] || null;
  /** Returns details that a user needs to provide the token in another way. */
  const detailsOf = (instance: string): ErrorDetails => {
    if (isSlot(instance)) return { instance: instance.slice(0, instance.indexOf('#')) };
    const variable = tokenVariable(instance);
    return { instance, variable, ...(env[variable] === '' ? { variableEmpty: true } : {}) };
  };
  const withDetails = (instance: string, thrown: unknown, more: ErrorDetails = {}): AppError => {
    const { code, message, retry, details } = AppError.from(thrown);
    return new AppError(code, message, {
      retry,
      details: { ...details, ...detailsOf(instance), ...more },
      cause: thrown,
    });
  };

  const readStored = async (account: string): Promise<Token | null> => {
    const secret = await entries.read(account).catch((thrown: unknown) => {
      throw withDetails(account, thrown);
    });
    return secret === null || !isToken(secret) ? null : registerToken(parseToken(secret));
  };

  return {
    readKeychain: readStored,
    resolveStored: async (account) => {
      const remembered = session.get(account);
      if (remembered !== undefined) return { token: remembered, source: 'session' };
      const token = await readStored(account);
      return token === null ? null : { token, source: 'keychain' };
    },
    resolve: async (instance) => {
      const remembered = session.get(instance);
      if (remembered !== undefined) return { token: remembered, source: 'session' };
      const fromEnvironment = environmentToken(instance);
      if (fromEnvironment !== null) {
        return { token: registerToken(parseToken(fromEnvironment)), source: 'environment' };
      }
      const secret = await entries.read(instance).catch((thrown: unknown) => {
        throw withDetails(instance, thrown, isSlot(instance) ? {} : { tokenSought: true });
      });
      if (secret !== null) return { token: registerToken(parseToken(secret)), source: 'keychain' };
      throw new AppError('token-missing', 'There is no token for this instance.', {
        details: detailsOf(instance),
      });
    },
    has: (instance) => session.has(instance) || environmentToken(instance) !== null,
    remember: (instance, token) => {
      const previous = session.get(instance);
      session.set(instance, registerToken(token));
      return () => {
        if (session.get(instance) !== token) return;
        if (previous === undefined) session.delete(instance);
        else session.set(instance, previous);
      };
    },
    isRemembered: (instance) => session.has(instance),
    forgetRemembered: (instance, only) => {
      if (only === undefined || session.get(instance) === only) session.delete(instance);
    },
    store: async (instance, token) => {
      await entries.write(instance, registerToken(token).reveal()).catch((thrown: unknown) => {
        throw withDetails(instance, thrown);
      });
    },
    remove: async (instance) => {
      session.delete(instance);
      await entries.remove(instance);
    },
    hasKeychain: () => {
      keychainCheck ??= entries
        .read(probeAccount)
        .then(
          () => true,
          (thrown: unknown) => !noKeychainCodes.includes(AppError.from(thrown).code),
        )
        .then((exists) => {
          // A keychain that is not running yet right after login may start later.
          if (!exists) keychainCheck = null;
          return exists;
        });
      return keychainCheck;
    },
    testKeychain: async () => {
      try {
        await entries.write(probeAccount, `probe-${clock.now()}`);
        await entries.remove(probeAccount);
        return null;
      } catch (error) {
        return AppError.from(error).toData();
      }
    },
  };
}

const isSlot = (account: string): boolean => account.includes('#');

export function tokenVariable(instance: string): string {
  return `PACKHORSE_TOKEN_${instance.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

/** Returns the other instance whose token would be read from the same variable as the token of `instance`, or null. */
export function collidingInstance(instance: string, others: readonly string[]): string | null {
  const variable = tokenVariable(instance);
  return others.find((other) => other !== instance && tokenVariable(other) === variable) ?? null;
}

/** Keeps the token out of every later log line. */
function registerToken(token: Token): Token {
  registerSecret(token.reveal());
  return token;
}
