/** @file Reads and revokes personal access tokens (gitlab-facts 9). */
import { AppError } from '../../../src-contract/errors.ts';
import type { PersonalAccessToken, TokenFilter } from '../../../src-contract/tokens/token.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable, Query } from '../http/exchange.ts';
import { getPage, type Page, type PageRequest } from '../http/pages.ts';

export const tokenWire = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullish(),
  scopes: z.array(z.string()),
  user_id: z.number().int(),
  active: z.boolean(),
  revoked: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string().nullish(),
  expires_at: z.string().nullish(),
});

export function toToken(wire: z.infer<typeof tokenWire>): PersonalAccessToken {
  return {
    id: wire.id,
    name: wire.name,
    description: wire.description ?? null,
    scopes: wire.scopes,
    userId: wire.user_id,
    active: wire.active,
    revoked: wire.revoked,
    createdAt: wire.created_at,
    lastUsedAt: wire.last_used_at ?? null,
    expiresOn: wire.expires_at ?? null,
  };
}

/**
 * Lists the caller's own tokens; for an administrator, the tokens of all users. `GET /personal_access_tokens`, signed
 * in, 200; 401 `forbidden` for another user's tokens if the caller is no administrator (gitlab-facts 16; filters since
 * 15.5).
 */
export async function tokensPage(
  client: InstanceClient,
  filter: Partial<TokenFilter>,
  page: PageRequest = {},
): Promise<Page<PersonalAccessToken>> {
  const query = filterQuery(filter);
  const { user = null } = filter;
  const hasFilters = Object.entries(query).some(([name, value]) => name !== 'user_id' && value !== undefined);
  const request = getPage(client, 'personal_access_tokens', {
    requiresAccount: true,
    needs: hasFilters ? ['token-filters'] : [],
    record: tokenWire,
    toRecord: toToken,
    query,
    page,
    details: user === null ? {} : { user },
  });
  // If GitLab does not accept our token, it names the reason. A bare "401 Unauthorized" is about the requested user.
  return user === null ? request : request.catch(unauthorizedAsForbidden("another user's tokens"));
}

function filterQuery(filter: Partial<TokenFilter>): Query {
  const invalidError = (parameter: string, reason: string) =>
    new AppError('invalid-input', reason, { details: { parameter } });
  const time = (name: string, value: string | null | undefined) => {
    if (typeof value === 'string' && Number.isNaN(Date.parse(value))) {
      throw invalidError(name, `"${name}" must be a time such as 2026-01-31T12:00:00Z.`);
    }
    return { [name]: value ?? undefined };
  };
  if (filter.state === 'active' && filter.revoked === true) {
    throw invalidError('revoked', 'No token is both active and revoked.');
  }
  return {
    state: filter.state ?? undefined,
    revoked: filter.revoked ?? undefined,
    search: filter.search ?? undefined,
    ...time('created_after', filter.createdAfter),
    ...time('created_before', filter.createdBefore),
    ...time('last_used_after', filter.lastUsedAfter),
    ...time('last_used_before', filter.lastUsedBefore),
    user_id: filter.user ?? undefined,
  };
}

/**
 * `GET /personal_access_tokens/:id`, its owner or an administrator, 200; 401 `not-found` for another user's or a
 * missing token, 404 `not-found` for an administrator (gitlab-facts 16; since 15.1).
 */
export async function getToken(
  client: InstanceClient,
  id: number,
  { signal }: Cancellable = {},
): Promise<PersonalAccessToken> {
  const call = { signal, requiresAccount: true, needs: ['token-by-id'], details: { token: id } } as const;
  try {
    return toToken((await client.getJson(`personal_access_tokens/${id}`, tokenWire, call)).data);
  } catch (thrown) {
    if (AppError.from(thrown).code !== 'token-invalid') throw thrown;
    const message = `This account has no token ${id}. The token does not exist or belongs to another user.`;
    throw new AppError('not-found', message, { details: { token: id } });
  }
}

/**
 * Returns the token of this request. `GET /personal_access_tokens/self`, any scope, 200; 400 for a token that is not a
 * personal one, 401 (gitlab-facts 16; since 15.5). Only this request may be sent with a token of unknown state.
 */
export async function getOwnToken(
  client: InstanceClient,
  { signal }: Cancellable = {},
): Promise<PersonalAccessToken> {
  const call = { signal, requiresAccount: true, needs: ['token-self'] } as const;
  return toToken((await client.getJson('personal_access_tokens/self', tokenWire, call)).data);
}

/**
 * Revokes a token for good. `DELETE /personal_access_tokens/:id`, its owner or an administrator, 204; 400
 * `request-refused` for another's, 401, 403 `token-scope`, 404 `not-found` (gitlab-facts 16). Sent once.
 */
export async function revokeToken(client: InstanceClient, id: number, { signal }: Cancellable = {}) {
  const call = { signal, details: { token: id } };
  await client.delete(`personal_access_tokens/${id}`, z.undefined(), call);
}

/**
 * Revokes the token that this request is sent with. `DELETE /personal_access_tokens/self`, any scope since 15.4, 204;
 * 400, 401 (gitlab-facts 16; since 15.0). Sent once. On a second request, 401 means that the first request succeeded.
 */
export async function revokeOwnToken(client: InstanceClient, { signal }: Cancellable = {}) {
  await client.delete('personal_access_tokens/self', z.undefined(), { signal, needs: ['token-revoke-self'] });
}

/**
 * Returns an error handler for requests whose 401 may mean that the object belongs to another user, not that the token
 * is invalid.
 */
export function unauthorizedAsForbidden(object: string): (thrown: unknown) => never {
  return (thrown) => {
    const error = AppError.from(thrown);
    if (error.code !== 'token-invalid') throw thrown;
    throw new AppError('forbidden', `The account may not use ${object}, or there is no such user or token.`, {
      details: error.details,
    });
  };
}
