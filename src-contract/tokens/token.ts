/**
 * @file The noun *token*: a personal access token as an instance lists it, always without its secret.
 */

export interface PersonalToken {
  id: number;
  name: string;
  description: string | null;
  scopes: string[];
  userId: number;
  active: boolean;
  revoked: boolean;
  createdAt: string;
  lastUsedAt: string | null;
  /** First day, `YYYY-MM-DD`, on which it no longer works; null: never. */
  expiresOn: string | null;
}

/** An instance may hold two tokens of the same user: the one in use, and a spare with which that one can be rotated safely. */
export const tokenSlots = ['main', 'spare'] as const;
export type TokenSlot = (typeof tokenSlots)[number];

/** A token of a list, and its slot here. */
export interface ListedToken extends PersonalToken {
  slot: TokenSlot | null;
}

export interface TokenFilter {
  state: 'active' | 'inactive' | null;
  revoked: boolean | null;
  search: string | null;
  createdAfter: string | null;
  createdBefore: string | null;
  lastUsedAfter: string | null;
  lastUsedBefore: string | null;
  /** An id or a username; administrators may ask for any user's. */
  user: number | string | null;
}

/**
 * The work of a job on a token. `rotate` replaces one that we hold; `expiresOn` null: it lasts as long as the
 * one before, a year at the most. `hand-over` replaces any, by its id (null: the one in use), and gives the
 * new one to a person at the process that asked, which `recipient` names. `revoke` ends any token of the
 * account for good.
 */
export type TokenInput =
  | { action: 'rotate'; slot: TokenSlot; expiresOn: string | null }
  | { action: 'hand-over'; id: number | null; expiresOn: string | null; recipient: string }
  | { action: 'revoke'; id: number };

/** The result. After a rotation the new token is in use, and its secret in the keychain. */
export type TokenResult =
  | { action: 'rotate'; slot: TokenSlot; oldId: number; newId: number; expiresOn: string | null }
  /** The new token was given to a person, and is stored nowhere. */
  | { action: 'hand-over'; oldId: number; newId: number; expiresOn: string | null }
  /** `slot`: its former slot; the token is not stored any more. */
  | { action: 'revoke'; id: number; slot: TokenSlot | null };
