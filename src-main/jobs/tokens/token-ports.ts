/**
 * @file The ports of jobs about tokens. They expose no secrets: a token is an object that sends requests. Types only.
 */
import type { RotationLost } from '../../../src-contract/instances/instance.ts';
import type { PersonalAccessToken, TokenSlot } from '../../../src-contract/tokens/token.ts';

/** One token. Its requests are sent with this token and no other. */
export interface TokenClient {
  /** Returns the token's metadata from GitLab. Only this request may be sent with a token of unknown state. */
  getOwn(signal: AbortSignal): Promise<PersonalAccessToken>;
  /** `GET /personal_access_tokens/:id`. */
  get(id: number, signal: AbortSignal): Promise<PersonalAccessToken>;
  activeTokensNamed(name: string, signal: AbortSignal): Promise<PersonalAccessToken[]>;
  /**
   * Replaces the token with that id, by one request; `id` null means this token. `now` is the server's time. Throws
   * `rotation-ambiguous` whenever the token may have been replaced.
   */
  rotate(id: number | null, expiresOn: string, now: number): Promise<RotatedToken>;
  /** Revokes the token with that id; `id` null means this token. */
  revoke(id: number | null, signal: AbortSignal): Promise<void>;
}

/** The new token of a rotation. */
export interface RotatedToken {
  token: PersonalAccessToken;
  client: TokenClient;
}

/** The tokens of a job's instance. Methods that use the keychain may throw its errors. */
export interface TokenPort {
  /** Returns the token in use for a slot, including one from the environment; null if there is none. */
  resolveToken(slot: TokenSlot): Promise<TokenClient | null>;
  /** Returns the token of a slot from memory or the keychain, ignoring the environment; null if there is none. */
  storedToken(slot: TokenSlot | 'pending'): Promise<TokenClient | null>;
  readonly hasSpare: boolean;
  /** Returns why the token of the slot cannot be replaced here, as a sentence; null if it can. */
  blockedReason(slot: TokenSlot): Promise<string | null>;
  /** Writes a test entry to the keychain, reads it back and removes it, without touching a token. */
  checkKeychainWritable(): Promise<void>;
  /** Returns whether an older job works on tokens of the instance: two jobs never change them at the same time. */
  isBusy(jobId: string): boolean;
  /** Blocks all other requests to the instance until released. Waits for running requests, at most a minute. */
  acquireExclusive(): Promise<() => void>;
  /**
   * Stores a new token: at once in memory, where it is used, then as `pending` in the keychain. If this throws, the
   * token is only in memory.
   */
  saveToken(slot: TokenSlot, token: TokenClient): Promise<void>;
  readonly hasUnsavedToken: boolean;
  /** Tries again to store in the keychain the token that only memory has. Throws the keychain's error. */
  retrySave(): Promise<void>;
  /** Removes the unneeded new token from memory. A `pending` entry in the keychain stays. */
  discardPending(): void;
  /** Moves the pending token into its slot, reads it back and removes `pending`. Idempotent. */
  activate(slot: TokenSlot): Promise<void>;
  /** Stores the metadata of the token that is now in the slot. */
  recordExpiry(slot: TokenSlot, token: PersonalAccessToken): Promise<void>;
  /** Blocks requests to the instance until a user supplies a token. */
  blockInstance(lost: Omit<RotationLost, 'page'>): Promise<RotationLost>;
  /** Returns true if `recipient` names this process and a user of this process accepts new tokens. */
  canHandOver(recipient: string): boolean;
  /**
   * Returns why the new token must not be given to a user, as a sentence; null if it may. `id` null means the token in
   * use.
   */
  handOverBlockedReason(id: number | null, signal: AbortSignal): Promise<string | null>;
  /** Gives the new token to the user, once. If `isMain` is true, this process also uses the token from now on. */
  handOver(client: TokenClient, token: PersonalAccessToken, isMain: boolean): Promise<void>;
  /** Removes the token of a slot, because the token is useless now. */
  forget(slot: TokenSlot): Promise<void>;
}
