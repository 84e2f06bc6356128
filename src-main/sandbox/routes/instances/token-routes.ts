/** @file Personal access tokens: listing, reading, rotating, revoking and creating them (gitlab-facts 16 and 9). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { unauthorizedError, type Caller } from '../../accounts/accounts.ts';
import { parameterError, notFound, messageError } from '../../requests/api-error.ts';
import { parametersOf, requireParameters, textOf, type Parameters } from '../../requests/bodies.ts';
import { offsetPage } from '../../requests/pages.ts';
import { queryOf } from '../../requests/query.ts';
import { callerOf } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import { filterTokens } from '../../accounts/token-filters.ts';
import { administratorScopes, personalScopes, type AccessToken } from '../../accounts/tokens.ts';
import type { User } from '../../sandbox-database.ts';
import type { IdRoute } from '../project-access.ts';

const notPersonalMessage =
  '400 Bad request - This endpoint requires token type to be a personal access token';

export function tokenRoutes(app: FastifyInstance, services: Services): void {
  const { database, tokens, url } = services;

  const view = (token: AccessToken): object => ({
    id: token.id,
    name: token.name,
    revoked: token.revoked,
    created_at: isoTime(token.createdAt),
    description: token.description,
    scopes: token.scopes,
    user_id: token.user.id,
    last_used_at: token.lastUsedAt === null ? null : isoTime(token.lastUsedAt),
    active: tokens.isActive(token),
    expires_at: token.expiresOn,
  });
  /** Lists and single reads also show the addresses from which a token was used. */
  const fullView = (token: AccessToken): object => ({ ...view(token), last_used_ips: token.lastUsedIps });
  const viewWithSecret = (token: AccessToken): object => ({ ...view(token), token: token.value });

  /** Returns a token that the caller may see. Only administrators learn whether another token exists. */
  const findVisibleToken = ({ user }: Caller, id: string): AccessToken => {
    const token = tokens.byId(idOf(id));
    if (token?.kind === 'personal' && (user.administrator || token.user === user)) return token;
    throw user.administrator ? messageError(404, '404 Not Found') : unauthorizedError();
  };

  const requireOwnToken = (request: FastifyRequest): AccessToken => {
    const { token } = callerOf(request);
    if (token.kind !== 'personal') throw messageError(400, notPersonalMessage);
    return token;
  };

  const rotateToken = (token: AccessToken, parameters: Parameters): object => {
    const expiresOn = dateOf(parameters, 'expires_at');
    if (token.revoked) throw messageError(400, '400 Bad request - Token already revoked');
    checkExpiry(expiresOn, '400 Bad request - ');
    return viewWithSecret(tokens.rotate(token, expiresOn));
  };

  const checkExpiry = (date: string | null, prefix: string): void => {
    const maxDate = tokens.maxExpiryDate;
    if (date === null || date <= maxDate) return;
    throw messageError(400, `${prefix}Expiration date must be before ${maxDate}`);
  };

  app.get('/personal_access_tokens', (request, reply) => {
    const { user } = callerOf(request);
    const query = queryOf(request);
    const userId = query.get('user_id') ?? '';
    const owner = userId === '' ? null : (database.user(userId) ?? null);
    if (owner === null && !/^\d*$/.test(userId)) throw parameterError(400, 'user_id is invalid');
    if (userId !== '' && owner !== user) {
      if (!user.administrator) throw unauthorizedError();
      if (owner === null) throw notFound('User');
    }
    const listedOwner = user.administrator ? owner : user;
    return offsetPage(request, reply, url(), filterTokens(tokens, listedOwner, query)).map(fullView);
  });

  app.get('/personal_access_tokens/self', { config: { scopes: 'any' } }, (request) =>
    fullView(requireOwnToken(request)),
  );

  app.get<IdRoute>('/personal_access_tokens/:id', (request) =>
    fullView(findVisibleToken(callerOf(request), request.params.id)),
  );

  app.post<IdRoute>('/personal_access_tokens/:id/rotate', (request) =>
    rotateToken(findVisibleToken(callerOf(request), request.params.id), parametersOf(request)),
  );

  app.post(
    '/personal_access_tokens/self/rotate',
    { config: { scopes: ['api', 'self_rotate'] } },
    (request) => {
      const { token } = callerOf(request);
      if (token.kind !== 'personal') throw messageError(405, '405 Method Not Allowed');
      return rotateToken(token, parametersOf(request));
    },
  );

  app.delete('/personal_access_tokens/self', { config: { scopes: 'any' } }, (request, reply) => {
    requireOwnToken(request).revoked = true;
    return reply.code(204).send();
  });

  app.delete<IdRoute>('/personal_access_tokens/:id', (request, reply) => {
    const { user } = callerOf(request);
    const token = tokens.byId(idOf(request.params.id));
    if (token?.kind !== 'personal') throw messageError(404, '404 Not found');
    if (token.user !== user && !user.administrator) {
      throw messageError(400, '400 Bad request - Not permitted to revoke');
    }
    token.revoked = true;
    return reply.code(204).send();
  });

  const createToken = (user: User, parameters: Parameters, allowedScopes: readonly string[]): object => {
    requireParameters(parameters, ['name'], scopesOf(parameters) === null ? ['scopes'] : []);
    const name = textOf(parameters, 'name') ?? '';
    const scopes = scopesOf(parameters) ?? [];
    const expiresOn = dateOf(parameters, 'expires_at');
    if (name.trim() === '') throw messageError(400, "Name can't be blank");
    if (scopes.length === 0) throw messageError(400, "Scopes can't be blank");
    if (!scopes.every((scope) => allowedScopes.includes(scope))) {
      throw messageError(400, 'Scopes can only contain available scopes');
    }
    checkExpiry(expiresOn, '');
    const description = textOf(parameters, 'description');
    return viewWithSecret(
      tokens.issue({ name, user, scopes, description, ...(expiresOn === null ? {} : { expiresOn }) }),
    );
  };

  app.post<IdRoute>('/users/:id/personal_access_tokens', (request, reply) => {
    const { user } = callerOf(request);
    if (!user.administrator) throw messageError(403, '403 Forbidden');
    const owner = database.users.get(Number(request.params.id));
    if (owner === undefined) throw notFound('User');
    const allowedScopes = owner.administrator ? [...personalScopes, ...administratorScopes] : personalScopes;
    return reply.code(201).send(createToken(owner, parametersOf(request), allowedScopes));
  });

  app.post('/user/personal_access_tokens', (request, reply) => {
    const { user } = callerOf(request);
    const parameters = parametersOf(request);
    const allowedScopes = ['k8s_proxy', 'self_rotate'];
    if (scopesOf(parameters)?.some((scope) => !allowedScopes.includes(scope)) === true) {
      throw parameterError(400, 'scopes does not have a valid value');
    }
    return reply.code(201).send(createToken(user, parameters, allowedScopes));
  });
}

function idOf(text: string): number {
  if (!/^\d+$/.test(text)) throw parameterError(400, 'id is invalid');
  return Number(text);
}

/** Returns `YYYY-MM-DD`, or null when absent; throws 400 for anything else. */
function dateOf(parameters: Parameters, name: string): string | null {
  const text = parameters[name] ?? null;
  if (text === null || text === '') return null;
  const isDate =
    typeof text === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!isDate) throw parameterError(400, `${name} is invalid`);
  return text;
}

function scopesOf(parameters: Parameters): string[] | null {
  const value = parameters['scopes'];
  if (typeof value === 'string') return value.split(',');
  return Array.isArray(value) ? value.map(String) : null;
}
