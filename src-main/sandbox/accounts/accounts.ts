/** @file The sandbox's users, their predefined tokens, and the authentication of a request (gitlab-facts 1.2 and 9). */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type ApiError, messageError, tokenError } from '../requests/api-error.ts';
import { queryOf } from '../requests/query.ts';
import { sandboxToken, TokenRegistry, type AccessToken, type NewToken } from './tokens.ts';
import type { User, SandboxDatabase } from '../sandbox-database.ts';

export interface Caller {
  user: User;
  token: AccessToken;
}

export type Accounts = ReturnType<typeof createAccounts>;
export type SandboxTokens = Accounts['tokens'];

/** Paths of the Git server, which takes the token as the password of any user, and in no other way. */
const gitPathPattern = /^[^?]+\.git\//;

/** Returns the token from the header `PRIVATE-TOKEN`, from a bearer header or from the query; null without a token. */
export function tokenIn(request: FastifyRequest): string | null {
  if (gitPathPattern.test(request.url)) {
    const credentials = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return credentials === undefined
      ? null
      : Buffer.from(credentials, 'base64')
          .toString()
          .replace(/^[^:]*:/, '');
  }
  const header = request.headers['private-token'];
  if (typeof header === 'string' && header !== '') return header;
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearer ?? queryOf(request).get('private_token');
}

/** Returns the user to act as, from the header or the query, or null. A body may also name a user. */
export function sudoIn(request: FastifyRequest): string | null {
  const header = request.headers['sudo'];
  const identifier = queryOf(request).get('sudo') ?? (typeof header === 'string' ? header : null);
  return identifier === '' ? null : identifier;
}

export function createAccounts(
  database: SandboxDatabase,
  clock: Clock,
  seed: number,
  tokensMustExpire: boolean,
) {
  const addUser = (username: string, name: string, fields: Partial<User> = {}): User =>
    database.addUser({
      username,
      name,
      email: `${username}@sandbox.example`,
      administrator: false,
      ...fields,
    });
  const root = addUser('root', 'Administrator', { administrator: true });
  const maintainer = addUser('maintainer', 'Mara Maintainer');
  const developer = addUser('developer', 'Dora Developer');
  const guest = addUser('guest', 'Gus Guest');
  const outsider = addUser('outsider', 'Olga Outsider');
  const blocked = addUser('blocked', 'Bob Blocked', { state: 'blocked' });
  const bot = addUser('group_bot', 'Bot of Frozen');

  const tokenRegistry = new TokenRegistry(database, clock, seed, tokensMustExpire);
  const issue = (name: string, user: User, fields: Partial<NewToken> = {}): string =>
    tokenRegistry.issue({ name, user, value: sandboxToken(name, seed), ...fields }).value;

  /** Predefined tokens by purpose. All but the first belong to users who are not administrators. */
  const tokens = {
    administrator: issue('administrator', root, { scopes: ['api', 'sudo'] }),
    /** Maintainer of every group. */
    maintainer: issue('maintainer', maintainer),
    readOnly: issue('read-only', maintainer, { scopes: ['read_api'] }),
    expired: issue('expired', maintainer, { expiresOn: tokenRegistry.dateIn(-1) }),
    revoked: issue('revoked', maintainer, { revoked: true }),
    developer: issue('developer', developer),
    guest: issue('guest', guest),
    /** The token of a user without any membership. */
    outsider: issue('outsider', outsider),
    blocked: issue('blocked', blocked),
    /** The maintainer's second token, for a rotation by id. */
    spare: issue('spare', maintainer),
    selfRotate: issue('self-rotate', maintainer, { scopes: ['self_rotate'] }),
    /** The token of a group's bot, which is not a personal access token. */
    bot: issue('bot', bot, { kind: 'bot' }),
  };

  return {
    tokens,
    tokenRegistry,

    /** Returns null for a request without a token. Throws GitLab's error for an invalid one. */
    authenticate(request: FastifyRequest): Caller | null {
      const text = tokenIn(request);
      if (text === null) return null;
      const token = tokenRegistry.byValue(text);
      if (token === undefined) throw messageError(401, '401 Unauthorized');
      if (token.revoked) {
        if (rotationPathPattern.test(request.url.split('?')[0] ?? '')) tokenRegistry.revokeFamily(token);
        throw tokenError(401, 'invalid_token', 'Token was revoked. You have to re-authorize from the user.');
      }
      if (tokenRegistry.isExpired(token)) {
        const description = 'Token is expired. You can either do re-authorization or token refresh.';
        throw tokenError(401, 'invalid_token', description);
      }
      refuseBlocked(token.user);
      tokenRegistry.recordUse(token, request.ip);
      return { user: token.user, token };
    },

    /**
     * Returns the caller that an administrator's request acts as, named by id or username. Throws GitLab's error for
     * other callers, a token without the scope `sudo`, and an unknown user.
     */
    sudoCaller(caller: Caller | null, identifier: string): Caller {
      if (caller === null) throw unauthorizedError();
      if (!caller.user.administrator) throw messageError(403, '403 Forbidden - Must be admin to use sudo');
      if (!caller.token.scopes.includes('sudo')) {
        throw tokenError(403, 'insufficient_scope', insufficientScopeText, 'sudo');
      }
      const user = database.user(identifier);
      if (user === undefined)
        throw messageError(404, `404 User with ID or username '${identifier}' Not Found`);
      refuseBlocked(user);
      return { user, token: caller.token };
    },

    /** Throws unless the token has one of the scopes that the method or the route requires. */
    checkScope(request: FastifyRequest, { token }: Caller): void {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const acceptedScopes = request.routeOptions.config.scopes ?? (isRead ? ['api', 'read_api'] : ['api']);
      if (acceptedScopes === 'any' || token.scopes.some((scope) => acceptedScopes.includes(scope))) return;
      throw tokenError(403, 'insufficient_scope', insufficientScopeText, acceptedScopes.join(' '));
    },
  };
}

const insufficientScopeText = 'The request requires higher privileges than provided by the access token.';

function refuseBlocked({ state }: User): void {
  if (state === 'blocked') throw messageError(403, '403 Forbidden - Your account has been blocked.');
}

/** Paths of token rotation. If a revoked token is used there, GitLab treats it as stolen, and revokes its family. */
const rotationPathPattern = /access_tokens\/(?:\d+|self)\/rotate$/;

export function unauthorizedError(): ApiError {
  return messageError(401, '401 Unauthorized');
}
