/**
 * @file Groups as namespaces for projects: reads what may be created in a group and the user's role, and creates
 * groups.
 */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { encodeId, type IdOrPath } from './project-wire.ts';

/** The fields depend on the caller's role in the group; only identity is certain. */
const groupWire = z.object({
  id: z.number().int(),
  full_path: z.string(),
  visibility: z.string().nullish(),
  /** Users who may create projects in the group: `noone`, `owner`, `maintainer`, `developer`, `administrator`. */
  project_creation_level: z.string().nullish(),
  /** Users who may create subgroups: `owner` or `maintainer`. */
  subgroup_creation_level: z.string().nullish(),
  /** `enabled`, `disabled_and_overridable`, `disabled_and_unoverridable`. */
  shared_runners_setting: z.string().nullish(),
  marked_for_deletion_on: z.string().nullish(),
});
const memberWire = z.object({ access_level: z.number().int() });

/** Fields are null if not reported. `GET /groups/:id`, anyone who may see it, 200; 404 `namespace-missing`. */
export async function getGroup(client: InstanceClient, idOrPath: IdOrPath, { signal }: Cancellable = {}) {
  const { data } = await client.getJson(`groups/${encodeId(idOrPath)}`, groupWire, {
    query: { with_projects: false },
    signal,
    subject: 'namespace',
    details: { namespace: String(idOrPath) },
  });
  return {
    id: data.id,
    fullPath: data.full_path,
    visibility: data.visibility ?? null,
    projectCreation: data.project_creation_level ?? null,
    subgroupCreation: data.subgroup_creation_level ?? null,
    sharedRunners: data.shared_runners_setting ?? null,
    markedForDeletionOn: data.marked_for_deletion_on ?? null,
  };
}

/**
 * Returns the user's access level in a group, including inherited ones; 0 without a membership, null if the account may
 * not read it. `GET /groups/:id/members/all/:user_id`, 200, 403, 404. An administrator may do everything without a
 * membership.
 */
export function groupAccessLevel(
  client: InstanceClient,
  groupId: number,
  userId: number,
  { signal }: Cancellable = {},
): Promise<number | null> {
  const path = `groups/${groupId}/members/all/${userId}`;
  const level = client
    .getJson(path, memberWire, { signal, requiresAccount: true })
    .then(({ data }) => data.access_level);
  return valueOnError({ 'not-found': 0, forbidden: null }, level);
}

/**
 * Creates a group whose name is its path. `POST /groups`, 201; Maintainer or Owner of the parent; 400 if the group
 * exists, 403. GitLab.com never creates a top-level group. Sent once. [Note: POST is not idempotent]
 */
export async function createGroup(
  client: InstanceClient,
  {
    parent,
    path,
    visibility,
    signal,
  }: Cancellable & { parent: string | null; path: string; visibility: string },
): Promise<void> {
  const parentGroup = parent === null ? null : await getGroup(client, parent, { signal });
  const body = { name: path, path, visibility, ...(parentGroup !== null && { parent_id: parentGroup.id }) };
  await client.postJson('groups', body, groupWire, {
    signal,
    subject: 'namespace',
    details: { namespace: parent === null ? path : `${parent}/${path}` },
  });
}
