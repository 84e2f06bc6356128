/**
 * @file What jobs need to replace and to revoke tokens. Secrets never come here: a token is something that can be asked with.
 * Types only; every failure is an `AppError`.
 */
import type { RotationLost } from '../../../src-contract/instance.ts';
import type { PersonalToken, TokenSlot } from '../../../src-contract/token.ts';

/** One token, with which requests are sent; no other one is used for them. */
export interface HeldToken {
  /** What the instance tells of it: the only request that may be sent with a token whose state is not known. */
  own(signal: AbortSignal): Promise<PersonalToken>;
  /** `GET /personal_access_tokens/:id`. */
  one(id: number, signal: AbortSignal): Promise<PersonalToken>;
  /** The active tokens of that very name that it sees. */
  activeNamed(name: string, signal: AbortSignal): Promise<PersonalToken[]>;
  /**
   * Replaces the token of that id, or (null) this one, by one request that nothing ends before its time. `now` is the server's
   * clock. Throws `rotation-ambiguous` whenever it may have been replaced.
   */
  rotate(
    id: number | null,
    expiresOn: string,
    now: number,
  ): Promise<{ token: PersonalToken; held: HeldToken }>;
  /** Ends the token of that id, or (null) this one. */
  revoke(id: number | null, signal: AbortSignal): Promise<void>;
}

/** The tokens of a job's instance. Methods that ask the keychain may throw its errors. */
export interface TokenPort {
  /** The token that is used for a slot, also one of the environment; null where there is none. */
  held(slot: TokenSlot): Promise<HeldToken | null>;
  /** What memory or else the keychain has for a slot, whatever is in the environment; null where there is nothing. */
  kept(slot: TokenSlot | 'pending'): Promise<HeldToken | null>;
  /** Whether a spare is expected to be there. */
  readonly hasSpare: boolean;
  /** Why the token of the slot cannot be replaced here whatever the instance says, as a sentence; null: it can. */
  blockedReason(slot: TokenSlot): Promise<string | null>;
  /** Writes to the keychain, reads back and removes, without touching a token. */
  checkKeychainWritable(): Promise<void>;
  /** Whether an older job is at work on tokens of the instance: they are never changed by two at a time. */
  isBusy(jobId: string): boolean;
  /**
   * From now on no other request is sent to the instance, until the returned function is called. Waits for those under way,
   * at the most a minute.
   */
  acquireExclusive(): Promise<() => void>;
  /**
   * Keeps a new token: in memory at once, where it is used for the slot, then as `pending` in the keychain, read back. When it
   * throws, memory alone has it.
   */
  keep(slot: TokenSlot, token: HeldToken): Promise<void>;
  /** Whether a new token is in memory alone. */
  readonly isUnkept: boolean;
  /** Tries the keychain with what memory alone has, and changes nothing else. Throws the keychain's error. */
  keepAgain(): Promise<void>;
  /** The new token is not needed: memory forgets it. What the keychain has as `pending` stays. */
  leave(): void;
  /** Puts the pending token into its slot, reads it back and takes `pending` away. Repeatable. */
  activate(slot: TokenSlot): Promise<void>;
  /** What is told of the token that is now in the slot. */
  note(slot: TokenSlot, token: PersonalToken): Promise<void>;
  /** Nothing is asked of the instance any more until somebody gives a token. */
  blockInstance(lost: Omit<RotationLost, 'page'>): Promise<RotationLost>;
  /** Whether somebody at this process takes new tokens, and it is the process that `recipient` names. */
  canHandOver(recipient: string): boolean;
  /** Why the new token must not go to a person, as a sentence; null: it may. `id` null: the token in use is to be replaced. */
  handOverObstacle(id: number | null, signal: AbortSignal): Promise<string | null>;
  /** Gives the new token to the person, once; `isMain`: it is used from now on, for as long as this process runs. */
  handOver(held: HeldToken, token: PersonalToken, isMain: boolean): Promise<void>;
  /** Forgets the token of a slot, which is of no use any more. */
  forget(slot: TokenSlot): Promise<void>;
}
