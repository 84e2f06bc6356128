/**
 * @file Reads everything that the import of one relation may change in a project in addition to its records
 * (gitlab-facts 8).
 */
import type { RelationTarget } from '../../../src-contract/transfers/relation-target-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { readFullList } from '../http/full-list.ts';
import { currentUser } from '../instances/server.ts';
import { projectDetails } from './project-details.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

const memberWire = z.object({
  id: z.number().int(),
  username: z.string(),
  access_level: z.number().int(),
});

/**
 * Returns the account, the attributes as GitLab shows them, and the direct members in the order of GitLab's rows. The
 * members are null if they may not be read, or if their list contradicts itself.
 */
export async function relationTarget(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
): Promise<RelationTarget> {
  const account = await currentUser(client, { signal });
  const { attributes } = await projectDetails(client, projectId, { signal });
  const list = readFullList(client, `${projectPath(projectId)}/members`, {
    ...{ signal, details: { project: projectId } },
    record: memberWire,
    toRecord: ({ id, username, access_level: level }) => ({ id, username, level }),
  });
  return { account, attributes, members: (await nullIfDenied(list))?.records ?? null };
}

const authoredWire = z.object({
  id: z.number().int().nullish(),
  iid: z.number().int(),
  author: z.object({ username: z.string().nullish() }).nullish(),
});

/** Lists that report authors. Pipelines are listed without their user, and milestones have none. */
const authoredRelations: readonly string[] = ['issues', 'merge_requests'];
const maxIidsPerRequest = 50;

/**
 * Returns the usernames of the authors of those records that the project has, by iid.
 * `GET /projects/:id/issues?iids[]=`, likewise merge requests. Returns null for a relation whose list reports no
 * author, for a list that may not be read, and for a list that contradicts itself.
 */
export async function authorsByIid(
  client: InstanceClient,
  projectId: number,
  relation: string,
  iids: readonly number[],
  { signal }: Cancellable = {},
): Promise<ReadonlyMap<number, string | null> | null> {
  if (!authoredRelations.includes(relation)) return null;
  const path = `${projectPath(projectId)}/${relation}`;
  const authors = new Map<number, string | null>();
  for (let from = 0; from < iids.length; from += maxIidsPerRequest) {
    const query = { iids: iids.slice(from, from + maxIidsPerRequest), scope: 'all' };
    const list = readFullList(client, path, {
      ...{ query, signal, details: { project: projectId } },
      record: authoredWire,
      toRecord: (record) => record,
    });
    const records = (await nullIfDenied(list))?.records ?? null;
    if (records === null) return null;
    for (const { iid, author } of records) authors.set(iid, author?.username ?? null);
  }
  return authors;
}
