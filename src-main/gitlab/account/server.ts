/** @file What can be known of an instance and of the account used on it (gitlab-facts 9 and 11). */
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';

const versionWire = z.object({ version: z.string(), revision: z.string().nullish() });

/** `is_admin` is sent to administrators only: absent means no. */
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

interface Cancellable {
  signal?: AbortSignal | undefined;
}

export interface ServerVersion {
  /** For example `18.1.1-ee`. */
  version: string;
  /** The server's clock as it answered, epoch milliseconds; null where it did not say. */
  serverDate: number | null;
}

export interface CurrentUser {
  id: number;
  username: string;
  administrator: boolean;
  /** Not a person: it stands behind the token of a group or a project, or is a service account. */
  bot: boolean;
  mayCreateGroups: boolean | null;
  /** How many projects it may have of its own; null where it is not told. */
  projectsLimit: number | null;
}

export interface TokenInfo {
  name: string | null;
  scopes: string[];
  /** First day, `YYYY-MM-DD`, on which the token no longer works; null for one that does not expire. */
  expiresOn: string | null;
}

/** Throws `not-gitlab` where something else answers at the address. */
export async function serverVersion(
  client: InstanceClient,
  { signal }: Cancellable = {},
): Promise<ServerVersion> {
  try {
    const { data, serverDate } = await client.getJson('version', versionWire, { signal, signedIn: true });
    return { version: data.version, serverDate };
  } catch (error) {
    // Every GitLab answers this call; another program's 404 or JSON betrays it.
    if (error instanceof AppError && (error.code === 'not-found' || error.code === 'unexpected-response')) {
      throw new AppError('not-gitlab', 'What answers at this address is not GitLab.', {
        details: error.details,
      });
    }
    throw error;
  }
}

export async function currentUser(
  client: InstanceClient,
  { signal }: Cancellable = {},
): Promise<CurrentUser> {
  const { data } = await client.getJson('user', userWire, { signal, signedIn: true });
  return {
    id: data.id,
    username: data.username,
    administrator: data.is_admin ?? false,
    bot: data.bot ?? false,
    mayCreateGroups: data.can_create_group ?? null,
    projectsLimit: data.projects_limit ?? null,
  };
}

/** What the server tells of the token in use; null where it cannot say (older than 15.5, or not a personal token). */
export async function tokenInfo(
  client: InstanceClient,
  { signal }: Cancellable = {},
): Promise<TokenInfo | null> {
  try {
    const { data } = await client.getJson('personal_access_tokens/self', tokenWire, {
      signal,
      signedIn: true,
    });
    return { name: data.name ?? null, scopes: data.scopes, expiresOn: data.expires_at ?? null };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not-found' || error.code === 'request-refused'))
      return null;
    throw error;
  }
}
