/** @file Reads the version of an instance, the account used on it and its token (gitlab-facts 9 and 11). */
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { valueOnError } from '../http/value-on-error.ts';

const versionWire = z.object({ version: z.string(), revision: z.string().nullish() });

/** GitLab sends `is_admin` to administrators only; absent means false. */
const userWire = z.object({
  id: z.number().int(),
  username: z.string(),
  is_admin: z.boolean().nullish(),
  bot: z.boolean().nullish(),
  can_create_group: z.boolean().nullish(),
  projects_limit: z.number().int().nullish(),
});

const tokenWire = z.object({
  name: z.string().nullish(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullish(),
});

/**
 * Returns the version (for example `18.1.1-ee`) and the server's time of the response, epoch milliseconds, or null.
 * Throws `not-gitlab` if another program responds at the address.
 */
export async function serverVersion(client: InstanceClient, { signal }: Cancellable = {}) {
  try {
    const { data, serverDate } = await client.getJson('version', versionWire, {
      signal,
      requiresAccount: true,
    });
    return { version: data.version, serverDate };
  } catch (error) {
    // Every GitLab serves this call, so a 404 or other JSON means another program.
    if (error instanceof AppError && (error.code === 'not-found' || error.code === 'unexpected-response')) {
      throw new AppError('not-gitlab', 'The server at this address is not GitLab.', {
        details: error.details,
      });
    }
    throw error;
  }
}

export async function currentUser(client: InstanceClient, { signal }: Cancellable = {}) {
  const { data } = await client.getJson('user', userWire, { signal, requiresAccount: true });
  return {
    id: data.id,
    username: data.username,
    administrator: data.is_admin ?? false,
    /** True for the user of a project or group token, and for a service account. */
    bot: data.bot ?? false,
    mayCreateGroups: data.can_create_group ?? null,
    projectsLimit: data.projects_limit ?? null,
  };
}

/**
 * Returns the server's description of the token in use; null if it has none (older than 15.5, or not a personal token).
 * `expiresOn` is the first day, `YYYY-MM-DD`, on which the token no longer works, or null.
 */
export async function tokenInfo(client: InstanceClient, { signal }: Cancellable = {}) {
  const response = await valueOnError(
    { 'not-found': null, 'request-refused': null },
    client.getJson('personal_access_tokens/self', tokenWire, { signal, requiresAccount: true }),
  );
  if (response === null) return null;
  const { name, scopes, expires_at: expiresOn } = response.data;
  return { name: name ?? null, scopes, expiresOn: expiresOn ?? null };
}
