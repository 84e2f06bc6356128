/**
 * @file Access tokens and the families that rotation creates (gitlab-facts 16 and 9). A token's text depends only on
 * the seed and is worthless elsewhere, so a sandbox may print it.
 */
import { isoTime, type Clock } from '../../platform/clock.ts';
import { hexDigest, type User, type SandboxDatabase } from '../sandbox-database.ts';

export interface AccessToken {
  id: number;
  /** `/personal_access_tokens` covers only `personal` tokens; a `bot` belongs to a group. */
  kind: 'personal' | 'bot';
  name: string;
  description: string | null;
  value: string;
  user: User;
  scopes: string[];
  createdAt: number;
  lastUsedAt: number | null;
  /** First day, `YYYY-MM-DD` in UTC, on which the token no longer works; null for a token that never expires. */
  expiresOn: string | null;
  /** Addresses from which the token was used, the latest first. */
  lastUsedIps: string[];
  revoked: boolean;
  /** The id of the first token of the family. A token shares it with its replacements. */
  family: number;
}

export type NewToken = Pick<AccessToken, 'name' | 'user'> & Partial<AccessToken>;

const day = 86_400_000;
const maxIps = 5;

/** Allowed scopes of a token. The scopes in `administratorScopes` are for administrators only. */
export const personalScopes =
  'api read_user read_api read_repository write_repository read_registry write_registry read_virtual_registry write_virtual_registry create_runner manage_runner ai_features k8s_proxy self_rotate'.split(
    ' ',
  );
export const administratorScopes = ['sudo', 'admin_mode', 'read_service_ping'];

export function sandboxToken(name: string, seed: number): string {
  return `glpat-sandbox-${name}-${hexDigest(`token ${name} ${seed}`, 20)}`;
}

export class TokenRegistry {
  readonly #database: SandboxDatabase;
  readonly #clock: Clock;
  readonly #seed: number;
  readonly #mustExpire: boolean;
  readonly #rows = new Map<string, AccessToken>();

  /** @param mustExpire true if a token without an expiry date gets one, as GitLab's administrators may require. */
  constructor(database: SandboxDatabase, clock: Clock, seed: number, mustExpire: boolean) {
    this.#mustExpire = mustExpire;
    this.#database = database;
    this.#clock = clock;
    this.#seed = seed;
  }

  /** All tokens of every kind, oldest first. */
  get rows(): AccessToken[] {
    return [...this.#rows.values()];
  }

  byValue(value: string): AccessToken | undefined {
    return this.#rows.get(value);
  }

  byId(id: number): AccessToken | undefined {
    return this.rows.find((row) => row.id === id);
  }

  /** Creates a token. Without `expiresOn` the token expires as late as allowed, or never if tokens need not expire. */
  issue(fields: NewToken): AccessToken {
    const id = this.#database.nextId();
    const row: AccessToken = {
      id,
      kind: 'personal',
      description: null,
      value: sandboxToken(`${id}`, this.#seed),
      scopes: ['api'],
      createdAt: this.#clock.now(),
      lastUsedAt: null,
      lastUsedIps: [],
      expiresOn: this.#mustExpire ? this.maxExpiryDate : null,
      revoked: false,
      family: id,
      ...fields,
    };
    this.#rows.set(row.value, row);
    return row;
  }

  rotate(token: AccessToken, expiresOn: string | null): AccessToken {
    const { kind, name, description, user, scopes, family } = token;
    token.revoked = true;
    const same = { kind, name, description, user, scopes, family };
    return this.issue({ ...same, expiresOn: expiresOn ?? this.dateIn(7) });
  }

  revokeFamily({ family }: AccessToken): void {
    for (const row of this.rows) if (row.family === family) row.revoked = true;
  }

  recordUse(token: AccessToken, address: string): void {
    token.lastUsedAt = this.#clock.now();
    token.lastUsedIps = [address, ...token.lastUsedIps.filter((known) => known !== address)].slice(0, maxIps);
  }

  /** Expires or revokes a token without a request. */
  expireOrRevoke(token: AccessToken, as: 'expired' | 'revoked'): void {
    if (as === 'revoked') token.revoked = true;
    else token.expiresOn = this.dateIn(0);
  }

  isExpired({ expiresOn }: AccessToken): boolean {
    return expiresOn !== null && this.#clock.now() >= Date.parse(`${expiresOn}T00:00:00Z`);
  }

  isActive(token: AccessToken): boolean {
    return !token.revoked && !this.isExpired(token);
  }

  get maxExpiryDate(): string {
    return this.dateIn(365);
  }

  /** Returns the date `days` days from today, in UTC. */
  dateIn(days: number): string {
    return isoTime(this.#clock.now() + days * day).slice(0, 10);
  }
}
