/**
 * @file The keychain of the operating system. Every call has a time limit, and every kind of failure has its own error
 * code.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError } from '../../src-contract/errors.ts';
import type { ErrorCode } from '../../src-contract/errors.ts';
import { keychainTimeoutMs } from '../../src-contract/keychain-timeout.ts';
import type { Clock } from './clock.ts';
import { KeychainProcess } from './keychain-child-process.ts';

/** The part of keytar that is used. Its `findCredentials` crashes the process when the keyring is locked. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
  /** Ends pending calls and rejects them with this reason. Without this method, late results are ignored. */
  abortPending?(reason: AppError): void;
}

const service = 'Packhorse';

/** Every method may throw `keychain-missing`, `-unreachable`, `-locked`, `-timeout` or `-failed`. */
export interface KeychainEntries {
  /** Returns null only when there is no such entry. */
  read(account: string): Promise<string | null>;
  /** Writes, reads back and compares: keytar silently cuts a secret at a NUL character. */
  write(account: string, secret: string): Promise<void>;
  /** @returns whether the entry existed. */
  remove(account: string): Promise<boolean>;
}

export function keychainEntries(options: { clock: Clock; keychain?: Keychain | undefined }): KeychainEntries {
  const { clock } = options;
  let keychainPromise: Promise<Keychain> | undefined;

  async function callKeychain<T>(call: (keychain: Keychain) => Promise<T>): Promise<T> {
    keychainPromise ??= options.keychain === undefined ? systemKeychain() : Promise.resolve(options.keychain);
    const keychain = await keychainPromise;
    const stopTimeout = new AbortController();
    const timeout = clock.sleep(keychainTimeoutMs, stopTimeout.signal).then(() => {
      const reason = new AppError('keychain-timeout', 'The keychain did not respond.', { retry: 'later' });
      keychain.abortPending?.(reason);
      throw reason;
    });
    try {
      return await Promise.race([call(keychain).catch(throwKeychainError), timeout]);
    } finally {
      timeout.catch(() => undefined);
      stopTimeout.abort();
    }
  }

  const read = async (account: string): Promise<string | null> => {
    const secret = await callKeychain((keychain) => keychain.getPassword(service, account));
    if (secret === null && options.keychain === undefined && (await isKeyringLocked())) {
      throw new AppError('keychain-locked', 'The keyring is locked.', { retry: 'later' });
    }
    return secret;
  };

  return {
    read,
    write: async (account, secret) => {
      // An entry that cannot be read must not be replaced, because it may exist in a locked keyring.
      await read(account);
      await callKeychain((keychain) => keychain.setPassword(service, account, secret));
      if ((await read(account)) !== secret) {
        throw new AppError('keychain-failed', 'The keychain did not store the secret correctly.');
      }
    },
    remove: async (account) => {
      await read(account);
      return callKeychain((keychain) => keychain.deletePassword(service, account));
    },
  };
}

/** A fuse forbids starting Electron's program as plain Node, so the desktop app calls keytar in its own process. */
function systemKeychain(): Promise<Keychain> {
  return 'electron' in process.versions ? loadKeytar() : Promise.resolve(new KeychainProcess());
}

export async function loadKeytar(): Promise<Keychain> {
  try {
    return (await import('keytar')).default;
  } catch (error) {
    throw new AppError('keychain-missing', 'The library of the keychain cannot be loaded.', { cause: error });
  }
}

const errorPatterns: [pattern: RegExp, code: ErrorCode][] = [
  [
    /D-Bus|DBus\.Error\.(ServiceUnknown|NoServer|NoReply|Spawn|Disconnected)|Could not connect|not provided by any/i,
    'keychain-unreachable',
  ],
  // Without a screen for the password prompt, a keyring that was never created is reported as a missing object.
  [/locked|collection\/login|dismissed|prompt/i, 'keychain-locked'],
];

function throwKeychainError(error: unknown): never {
  if (error instanceof AppError && error.code !== 'internal') throw error;
  const message = error instanceof Error ? error.message : String(error);
  const code = errorPatterns.find(([pattern]) => pattern.test(message))?.[1] ?? 'keychain-failed';
  throw new AppError(code, `The keychain failed: ${message}`, { retry: 'later', cause: error });
}

/**
 * Returns whether the keyring is locked, by a request over D-Bus, because libsecret hides every entry of a locked
 * keyring. Returns false if the request fails.
 */
async function isKeyringLocked(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const args = [
    ...['--session', '--print-reply', '--reply-timeout=2000', '--dest=org.freedesktop.secrets'],
    ...['/org/freedesktop/secrets/aliases/default', 'org.freedesktop.DBus.Properties.Get'],
    ...['string:org.freedesktop.Secret.Collection', 'string:Locked'],
  ];
  try {
    const { stdout } = await promisify(execFile)('dbus-send', args, { timeout: 5_000 });
    return stdout.includes('boolean true');
  } catch {
    return false;
  }
}
