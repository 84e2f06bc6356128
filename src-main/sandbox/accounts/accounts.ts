/**
 * @file The sandbox's users and their predefined tokens, and the authentication of a request (gitlab-facts 1.2 and 9).
 */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type ApiError, refuse, tokenError } from '../requests/api-error.ts';
import { queryOf } from '../requests/query.ts';
import { sandboxToken, TokenRegistry, type AccessToken, type NewToken } from './tokens.ts';
import type { User, World } from '../world.ts';

/** Predefined tokens by purpose. All but the first belong to users who are not administrators. */
export interface SandboxTokens {
  administrator: string;
  /** Maintainer of every group. */
  maintainer: string;
  /** The maintainer's, with scope `read_api` only. */
  readOnly: string;
  /** The maintainer's, expired. */
  expired: string;
  revoked: string;
  developer: string;
  guest: string;
  /** The token of a user without any membership. */
  outsider: string;
  blocked: string;
  /** The maintainer's second token, for a rotation by id. */
  spare: string;
  /** The maintainer's, with scope `self_rotate` only. */
  selfRotate: string;
  /** The token of a group's bot, which is not a personal access token. */
  bot: string;
}

export interface Caller {
  user: User;
  token: AccessToken;
}

export interface Accounts {
  tokens: SandboxTokens;
  book: TokenRegistry;
  /**
   * Returns the signed-in caller, or null for a request without a token. Throws GitLab's error for an invalid token.
   */
  recognise(request: FastifyRequest): Caller | null;
  /**
   * Returns the caller that an administrator's request acts as, named by id or username. Throws GitLab's error for
   * other callers, for a token without the scope `sudo`, and for an unknown user.
   */
  actingAs(caller: Caller | null, identifier: string): Caller;
  /** Throws unless the caller's token has one of the scopes that the method, or the route's own list, requires. */
  checkScope(request: FastifyRequest, caller: Caller): void;
}

/** Returns the token's text from the header `PRIVATE-TOKEN`, a bearer, or the query; null without one. */
export function tokenIn(request: FastifyRequest): string | null {
  const header = request.headers['private-token'];
  if (typeof header === 'string' && header !== '') return header;
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearer ?? queryOf(request).get('private_token');
}

/** Returns the user that a request asks to act as, by header or query, or null. A body may name one as well. */
export function sudoIn(request: FastifyRequest): string | null {
  const header = request.headers['sudo'];
  const asked = queryOf(request).get('sudo') ?? (typeof header === 'string' ? header : null);
  return asked === '' ? null : asked;
}

export function createAccounts(
  world: World,
  clock: Clock,
  seed: number,
  options: { tokensMustExpire: boolean },
): Accounts {
  const person = (username: string, name: string, fields: Partial<User> = {}): User =>
    world.addUser({ username, name, email: `${username}@sandbox.example`, administrator: false, ...fields });
  const root = person('root', 'Administrator', { administrator: true });
  const maintainer = person('maintainer', 'Mara Maintainer');
  const developer = person('developer', 'Dora Developer');
  const guest = person('guest', 'Gus Guest');
  const outsider = person('outsider', 'Olga Outsider');
  const blocked = person('blocked', 'Bob Blocked', { state: 'blocked' });
  const bot = person('group_bot', 'Bot of Frozen');

  const book = new TokenRegistry(world, clock, seed, options.tokensMustExpire);
  const issue = (name: string, user: User, fields: Partial<NewToken> = {}): string =>
    book.issue({ name, user, value: sandboxToken(name, seed), ...fields }).value;

  const tokens: SandboxTokens = {
    administrator: issue('administrator', root, { scopes: ['api', 'sudo'] }),
    maintainer: issue('maintainer', maintainer),
    readOnly: issue('read-only', maintainer, { scopes: ['read_api'] }),
    expired: issue('expired', maintainer, { expiresOn: book.dateIn(-1) }),
    revoked: issue('revoked', maintainer, { revoked: true }),
    developer: issue('developer', developer),
    guest: issue('guest', guest),
    outsider: issue('outsider', outsider),
    blocked: issue('blocked', blocked),
    spare: issue('spare', maintainer),
    selfRotate: issue('self-rotate', maintainer, { scopes: ['self_rotate'] }),
    bot: issue('bot', bot, { kind: 'bot' }),
  };

  return {
    tokens,
    book,

    recognise(request) {
      const text = tokenIn(request);
      if (text === null) return null;
      const token = book.byValue(text);
      if (token === undefined) throw refuse(401, '401 Unauthorized');
      if (token.revoked) {
        if (rotation.test(request.url.split('?')[0] ?? '')) book.revokeFamily(token);
        throw tokenError(401, 'invalid_token', 'Token was revoked. You have to re-authorize from the user.');
      }
      if (book.isExpired(token)) {
        const description = 'Token is expired. You can either do re-authorization or token refresh.';
        throw tokenError(401, 'invalid_token', description);
      }
      refuseBlocked(token.user);
      book.use(token, request.ip);
      return { user: token.user, token };
    },

    actingAs(caller, identifier) {
      if (caller === null) throw unauthorized();
      if (!caller.user.administrator) throw refuse(403, '403 Forbidden - Must be admin to use sudo');
      if (!caller.token.scopes.includes('sudo')) {
        throw tokenError(403, 'insufficient_scope', moreNeeded, 'sudo');
      }
      const user = /^\d+$/.test(identifier)
        ? world.users.get(Number(identifier))
        : world.userNamed(identifier);
      if (user === undefined) throw refuse(404, `404 User with ID or username '${identifier}' Not Found`);
      refuseBlocked(user);
      return { user, token: caller.token };
    },

    checkScope(request, { token }) {
      const reads = request.method === 'GET' || request.method === 'HEAD';
      const enough = request.routeOptions.config.scopes ?? (reads ? ['api', 'read_api'] : ['api']);
      if (enough === 'any' || token.scopes.some((scope) => enough.includes(scope))) return;
      throw tokenError(403, 'insufficient_scope', moreNeeded, enough.join(' '));
    },
  };
}

const moreNeeded = 'The request requires higher privileges than provided by the access token.';

function refuseBlocked({ state }: User): void {
  if (state === 'blocked') throw refuse(403, '403 Forbidden - Your account has been blocked.');
}

/** Paths for which the use of a revoked token counts as theft of its family. */
const rotation = /access_tokens\/(?:\d+|self)\/rotate$/;

/** The error for a request without the required user. */
export function unauthorized(): ApiError {
  return refuse(401, '401 Unauthorized');
}
