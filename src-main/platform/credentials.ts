/**
 * @file Tokens by instance name: from this process's memory, the environment, or the keychain, in this order. There is no
 * other place; when none has one, the caller is told, and nothing is ever written to a plain file.
 */
import { AppError } from '../../src-contract/errors.ts';
import type { ErrorCode, ErrorData, ErrorDetails } from '../../src-contract/errors.ts';
import type { TokenSource } from '../../src-contract/instance.ts';
import type { TokenSlot } from '../../src-contract/token.ts';
import type { Clock } from './clock.ts';
import { keychainEntries } from './credentials-keychain.ts';
import type { Keychain } from './credentials-keychain.ts';
import { registerSecret } from './redact.ts';
import { checkToken, isToken } from './token-source.ts';
import type { Token } from './token.ts';

/** `pending`: a token that just replaced the one of another slot and is not in its place yet; it may be the only copy. */
export type CredentialSlot = TokenSlot | 'pending';

/**
 * Under which name the token of a slot is kept; `#` is in no instance's name. Versions that know no slots never touch the
 * other two, so that nothing is lost to them.
 */
export function accountOf(instance: string, slot: CredentialSlot): string {
  return slot === 'main' ? instance : `${instance}#${slot}`;
}

/** All methods but `resolve` take the name of an instance for its main token, or what `accountOf` says for another one. */
export interface Credentials {
  /** Throws `token-missing` when no source has one, `invalid-input` for an unusable one, or the keychain's error. */
  resolve(instance: string): Promise<{ token: Token; source: TokenSource }>;
  /**
   * What this process's memory or else the keychain has, whatever is in the environment; null when neither has a token, or
   * one that cannot be one. Throws the keychain's error.
   */
  kept(account: string): Promise<{ token: Token; source: 'session' | 'keychain' } | null>;
  /** The same of the keychain alone. */
  stored(account: string): Promise<Token | null>;
  /** Whether memory or the environment has a token; the keychain is not asked. */
  has(instance: string): boolean;
  /**
   * Keeps a token for as long as this process runs; it wins over every other source. The returned function puts the one
   * back that was remembered before, unless yet another has come.
   */
  remember(instance: string, token: Token): () => void;
  /** Whether `remember` keeps one. */
  isRemembered(instance: string): boolean;
  /** Forgets what `remember` kept, or only this very token; the other sources stay. */
  drop(instance: string, only?: Token): void;
  /** Puts a token into the keychain and reads it back. Throws the keychain's error. */
  store(instance: string, token: Token): Promise<void>;
  /** Removes the token from memory and from the keychain. Throws the keychain's error after the memory was cleared. */
  forget(instance: string): Promise<void>;
  /** Writes, reads back and removes an entry of its own; null when all of that works. */
  probe(): Promise<ErrorData | null>;
  /** Whether there is a keychain to ask, be it locked; looked for by reading alone, until one is found. */
  reachable(): Promise<boolean>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const probeAccount = '.probe';
/** There is none; everything else is one that has to be unlocked, answered or put right. */
const absences: ErrorCode[] = ['keychain-missing', 'keychain-unreachable'];

export function createCredentials(options: {
  env: Environment;
  clock: Clock;
  keychain?: Keychain;
}): Credentials {
  const { env, clock, keychain } = options;
  const entries = keychainEntries({ clock, keychain });
  const session = new Map<string, Token>();
  let looked: Promise<boolean> | null = null;
  const inEnvironment = (instance: string): string | null =>
    isSlot(instance) ? null : env[tokenVariable(instance)] || null;
  /** What whoever reads an error needs to give the token in another way. */
  const detailsOf = (instance: string): ErrorDetails => {
    if (isSlot(instance)) return { instance: instance.slice(0, instance.indexOf('#')) };
    const variable = tokenVariable(instance);
    return { instance, variable, ...(env[variable] === '' ? { variableEmpty: true } : {}) };
  };
  const named = (instance: string, thrown: unknown, more: ErrorDetails = {}): AppError => {
    const { code, message, retry, details } = AppError.from(thrown);
    return new AppError(code, message, {
      retry,
      details: { ...details, ...detailsOf(instance), ...more },
      cause: thrown,
    });
  };

  const stored = async (account: string): Promise<Token | null> => {
    const secret = await entries.read(account).catch((thrown: unknown) => {
      throw named(account, thrown);
    });
    return secret === null || !isToken(secret) ? null : known(checkToken(secret));
  };

  return {
    stored,
    kept: async (account) => {
      const remembered = session.get(account);
      if (remembered !== undefined) return { token: remembered, source: 'session' };
      const token = await stored(account);
      return token === null ? null : { token, source: 'keychain' };
    },
    resolve: async (instance) => {
      const remembered = session.get(instance);
      if (remembered !== undefined) return { token: remembered, source: 'session' };
      const fromEnvironment = inEnvironment(instance);
      if (fromEnvironment !== null) {
        return { token: known(checkToken(fromEnvironment)), source: 'environment' };
      }
      const secret = await entries.read(instance).catch((thrown: unknown) => {
        throw named(instance, thrown, isSlot(instance) ? {} : { tokenSought: true });
      });
      if (secret !== null) return { token: known(checkToken(secret)), source: 'keychain' };
      throw new AppError('token-missing', 'there is no token for this instance', {
        details: detailsOf(instance),
      });
    },
    has: (instance) => session.has(instance) || inEnvironment(instance) !== null,
    remember: (instance, token) => {
      const before = session.get(instance);
      session.set(instance, known(token));
      return () => {
        if (session.get(instance) !== token) return;
        if (before === undefined) session.delete(instance);
        else session.set(instance, before);
      };
    },
    isRemembered: (instance) => session.has(instance),
    drop: (instance, only) => {
      if (only === undefined || session.get(instance) === only) session.delete(instance);
    },
    store: async (instance, token) => {
      await entries.write(instance, known(token).reveal()).catch((thrown: unknown) => {
        throw named(instance, thrown);
      });
    },
    forget: async (instance) => {
      session.delete(instance);
      await entries.remove(instance);
    },
    reachable: () => {
      looked ??= entries
        .read(probeAccount)
        .then(
          () => true,
          (thrown: unknown) => !absences.includes(AppError.from(thrown).code),
        )
        .then((isThere) => {
          // One that is not up yet right after the login comes later.
          if (!isThere) looked = null;
          return isThere;
        });
      return looked;
    },
    probe: async () => {
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

/** The environment variable of an instance's token: upper case, every other character `_`. */
export function tokenVariable(instance: string): string {
  return `PACKHORSE_TOKEN_${instance.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

/** The other instance whose token would be read from the same variable as that of `instance`, or null. */
export function collidingInstance(instance: string, others: readonly string[]): string | null {
  const variable = tokenVariable(instance);
  return others.find((other) => other !== instance && tokenVariable(other) === variable) ?? null;
}

/** Whatever log line is written from now on, the token is not in it. */
function known(token: Token): Token {
  registerSecret(token.reveal());
  return token;
}
