/**
 * @file The sandbox's people and their tokens, and how a request is recognised. Token texts depend on the seed alone;
 * they are worth nothing anywhere else, which is why a sandbox may print them.
 */
import type { FastifyRequest } from 'fastify';
import { isoTime, type Clock } from '../platform/clock.ts';
import { type ApiError, refuse, tokenError } from './api-error.ts';
import { queryOf } from './query.ts';
import { hexOf, type User, type World } from './world.ts';

export interface AccessToken {
  id: number;
  name: string;
  value: string;
  user: User;
  scopes: string[];
  createdAt: number;
  /** First day, `YYYY-MM-DD` in UTC, on which it no longer works. */
  expiresOn: string;
  revoked: boolean;
}

/** Ready-made tokens by what they are good for. All but the first belong to users who are no administrators. */
export interface SandboxTokens {
  administrator: string;
  /** Maintainer of every group. */
  maintainer: string;
  /** The maintainer with scope `read_api` only. */
  readOnly: string;
  /** The maintainer's, no longer valid. */
  expired: string;
  revoked: string;
  developer: string;
  guest: string;
  /** A member of nothing. */
  outsider: string;
  blocked: string;
}

export interface Caller {
  user: User;
  token: AccessToken;
}

export interface Accounts {
  tokens: SandboxTokens;
  /** The signed-in caller, or null for a request without a token. Throws what GitLab answers to a bad one. */
  recognise(request: FastifyRequest): Caller | null;
  /** Throws unless the caller's token has one of the scopes its method needs. */
  checkScope(request: FastifyRequest, caller: Caller): void;
}

/** The text of the token in a request, from the header `PRIVATE-TOKEN`, a bearer, or the query; null without one. */
export function tokenIn(request: FastifyRequest): string | null {
  const header = request.headers['private-token'];
  if (typeof header === 'string' && header !== '') return header;
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearer ?? queryOf(request).get('private_token');
}

/** The text of a ready-made token of a sandbox of that seed. */
export function sandboxToken(name: string, seed: number): string {
  return `glpat-sandbox-${name}-${hexOf(`token ${name} ${seed}`, 20)}`;
}

export function createAccounts(world: World, clock: Clock, seed: number): Accounts {
  const person = (username: string, name: string, fields: Partial<User> = {}): User =>
    world.addUser({ username, name, email: `${username}@sandbox.example`, administrator: false, ...fields });
  const root = person('root', 'Administrator', { administrator: true });
  const maintainer = person('maintainer', 'Mara Maintainer');
  const developer = person('developer', 'Dora Developer');
  const guest = person('guest', 'Gus Guest');
  const outsider = person('outsider', 'Olga Outsider');
  const blocked = person('blocked', 'Bob Blocked', { state: 'blocked' });

  const rows = new Map<string, AccessToken>();
  const year = 365 * 86_400_000;
  const issue = (name: string, user: User, fields: Partial<AccessToken> = {}): string => {
    const value = sandboxToken(name, seed);
    const row: AccessToken = {
      id: world.nextId(),
      name,
      value,
      user,
      scopes: ['api'],
      createdAt: clock.now(),
      expiresOn: isoTime(clock.now() + year).slice(0, 10),
      revoked: false,
      ...fields,
    };
    rows.set(value, row);
    return value;
  };

  const tokens: SandboxTokens = {
    administrator: issue('administrator', root),
    maintainer: issue('maintainer', maintainer),
    readOnly: issue('read-only', maintainer, { scopes: ['read_api'] }),
    expired: issue('expired', maintainer, { expiresOn: isoTime(clock.now() - 86_400_000).slice(0, 10) }),
    revoked: issue('revoked', maintainer, { revoked: true }),
    developer: issue('developer', developer),
    guest: issue('guest', guest),
    outsider: issue('outsider', outsider),
    blocked: issue('blocked', blocked),
  };

  return {
    tokens,

    recognise(request) {
      const text = tokenIn(request);
      if (text === null) return null;
      const token = rows.get(text);
      if (token === undefined) throw refuse(401, '401 Unauthorized');
      if (token.revoked) {
        throw tokenError(401, 'invalid_token', 'Token was revoked. You have to re-authorize from the user.');
      }
      if (clock.now() >= Date.parse(`${token.expiresOn}T00:00:00Z`)) {
        const description = 'Token is expired. You can either do re-authorization or token refresh.';
        throw tokenError(401, 'invalid_token', description);
      }
      if (token.user.state === 'blocked') throw refuse(403, '403 Forbidden - Your account has been blocked.');
      return { user: token.user, token };
    },

    checkScope(request, { token }) {
      const reads = request.method === 'GET' || request.method === 'HEAD';
      const enough = reads ? ['api', 'read_api'] : ['api'];
      if (token.scopes.some((scope) => enough.includes(scope))) return;
      const description = 'The request requires higher privileges than provided by the access token.';
      throw tokenError(403, 'insufficient_scope', description, enough.join(' '));
    },
  };
}

/** The answer to a request that needs a user and has none. */
export function unauthorized(): ApiError {
  return refuse(401, '401 Unauthorized');
}
