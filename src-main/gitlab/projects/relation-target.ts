/**
 * @file Reads what the import of one relation may change in a project besides its records: attributes, direct members,
 * and the authors of the imported records (gitlab-facts 8).
 */
import type { RelationTarget } from '../../../src-contract/transfers/relation-target-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { offsetPages } from '../http/pages.ts';
import { currentUser } from '../instances/server.ts';
import { projectDetails } from './project-details.ts';
import { projectPath } from './project-wire.ts';
import { readable } from './relation-lists.ts';

const memberWire = z.object({
  id: z.number().int(),
  username: z.string(),
  access_level: z.number().int(),
});

/** Returns the account, the attributes as GitLab shows them, and the direct members in the order of GitLab's rows. */
export async function relationTarget(
  client: InstanceClient,
  projectId: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<RelationTarget> {
  const account = await currentUser(client, { signal });
  const { attributes } = await projectDetails(client, projectId, { signal });
  return { account, attributes, members: await readable(directMembers(client, projectId, signal)) };
}

async function directMembers(
  client: InstanceClient,
  projectId: number,
  signal: AbortSignal | undefined,
): Promise<NonNullable<RelationTarget['members']>> {
  const members: NonNullable<RelationTarget['members']> = [];
  const options = { signal, details: { project: projectId } };
  for await (const page of offsetPages(client, `${projectPath(projectId)}/members`, memberWire, options)) {
    members.push(...page.map(({ id, username, access_level: level }) => ({ id, username, level })));
  }
  return members;
}

const authoredWire = z.object({
  iid: z.number().int(),
  author: z.object({ username: z.string().nullish() }).nullish(),
});

/** Lists that report authors. Pipelines are listed without their user, and milestones have none. */
const authoredRelations: readonly string[] = ['issues', 'merge_requests'];
const iidsAtOnce = 50;

/**
 * Returns the usernames of the authors of those records that the project has, by iid.
 * `GET /projects/:id/issues?iids[]=`, likewise merge requests. Returns null for a relation whose list reports no
 * author, and for a list that may not be read.
 */
export async function recordAuthors(
  client: InstanceClient,
  projectId: number,
  relation: string,
  iids: readonly number[],
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ReadonlyMap<number, string | null> | null> {
  if (!authoredRelations.includes(relation)) return null;
  const list = async (): Promise<Map<number, string | null>> => {
    const authors = new Map<number, string | null>();
    for (let from = 0; from < iids.length; from += iidsAtOnce) {
      const query = { iids: iids.slice(from, from + iidsAtOnce), scope: 'all' };
      const options = { query, signal, details: { project: projectId } };
      const path = `${projectPath(projectId)}/${relation}`;
      for await (const page of offsetPages(client, path, authoredWire, options)) {
        for (const { iid, author } of page) authors.set(iid, author?.username ?? null);
      }
    }
    return authors;
  };
  return readable(list());
}
