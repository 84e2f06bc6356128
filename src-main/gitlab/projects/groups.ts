/**
 * @file Groups as namespaces for projects: what may be created in them, the user's role, and creating one (GitLab's
 * groups and members API).
 */
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { encodeId } from './project-wire.ts';

/** The fields depend on the caller's role in the group; only identity is certain. */
const groupWire = z.object({
  id: z.number().int(),
  full_path: z.string(),
  visibility: z.string().nullish(),
  project_creation_level: z.string().nullish(),
  subgroup_creation_level: z.string().nullish(),
  shared_runners_setting: z.string().nullish(),
  marked_for_deletion_on: z.string().nullish(),
});
const memberWire = z.object({ access_level: z.number().int() });

export interface Group {
  id: number;
  fullPath: string;
  visibility: string | null;
  /**
   * Users who may create projects in it: `noone`, `owner`, `maintainer`, `developer`, `administrator`; null if not
   * reported.
   */
  projectCreation: string | null;
  /** Users who may create subgroups: `owner` or `maintainer`; null if not reported. */
  subgroupCreation: string | null;
  /** `enabled`, `disabled_and_overridable`, `disabled_and_unoverridable`; null if not reported. */
  sharedRunners: string | null;
  /** Day on which it was marked for deletion, or null. */
  markedForDeletionOn: string | null;
}

interface Cancellable {
  signal?: AbortSignal | undefined;
}

/** Returns one group. `GET /groups/:id`, anyone who may see it, 200; 404 `namespace-missing`. */
export async function getGroup(
  client: InstanceClient,
  idOrPath: number | string,
  { signal }: Cancellable = {},
): Promise<Group> {
  const { data } = await client.getJson(`groups/${encodeId(idOrPath)}`, groupWire, {
    query: { with_projects: false },
    signal,
    subject: 'namespace',
    details: { namespace: String(idOrPath) },
  });
  return toGroup(data);
}

/**
 * Returns the user's access level in a group, including inherited ones; 0 without a membership, null if it may not be
 * read. `GET /groups/:id/members/all/:user_id`, 200, 403, 404. An administrator may do everything without a membership.
 */
export async function groupRole(
  client: InstanceClient,
  groupId: number,
  userId: number,
  { signal }: Cancellable = {},
): Promise<number | null> {
  try {
    const path = `groups/${groupId}/members/all/${userId}`;
    const { data } = await client.getJson(path, memberWire, { signal, signedIn: true });
    return data.access_level;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.code === 'not-found') return 0;
    if (thrown.code === 'forbidden') return null;
    throw thrown;
  }
}

/**
 * Creates a group whose name is its path. `POST /groups`, 201; Maintainer or Owner of the parent; 400 if it exists,
 * 403. GitLab.com never creates a top-level group. Sent once. [Note: POST is not idempotent]
 */
export async function createGroup(
  client: InstanceClient,
  {
    parent,
    path,
    visibility,
    signal,
  }: { parent: string | null; path: string; visibility: string } & Cancellable,
): Promise<void> {
  const above = parent === null ? null : await getGroup(client, parent, { signal });
  const body = { name: path, path, visibility, ...(above !== null && { parent_id: above.id }) };
  await client.postJson('groups', body, groupWire, {
    signal,
    subject: 'namespace',
    details: { namespace: parent === null ? path : `${parent}/${path}` },
  });
}

function toGroup(wire: z.infer<typeof groupWire>): Group {
  return {
    id: wire.id,
    fullPath: wire.full_path,
    visibility: wire.visibility ?? null,
    projectCreation: wire.project_creation_level ?? null,
    subgroupCreation: wire.subgroup_creation_level ?? null,
    sharedRunners: wire.shared_runners_setting ?? null,
    markedForDeletionOn: wire.marked_for_deletion_on ?? null,
  };
}
