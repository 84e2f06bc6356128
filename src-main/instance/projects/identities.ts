/** @file What tells the records of a project apart, as its instance lists them: for naming what a migration lost. */
import { AppError, type ErrorCode } from '../../../src-preload/contract/errors.ts';
import { z } from '../../../src-preload/contract/schema.ts';
import { parseTime } from '../../platform/clock.ts';
import type { InstanceClient } from '../http/client.ts';
import { offsetPages } from '../http/pages.ts';
import { projectPath } from './project-wire.ts';

/** Times are epoch milliseconds. What a relation does not have, or a server does not tell, is null. */
export interface Identity {
  key: string | null;
  iid: number | null;
  title: string | null;
  notes: number | null;
  createdAt: number | null;
  updatedAt: number | null;
}

const wire = z.object({
  iid: z.number().int().nullish(),
  title: z.string().nullish(),
  name: z.string().nullish(),
  tag_name: z.string().nullish(),
  ref: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  user_notes_count: z.number().int().nullish(),
});
type Wire = z.infer<typeof wire>;

interface RelationList {
  path: string;
  query?: Record<string, string | boolean>;
  /** What tells a record from the others, and what it is called. */
  named: (record: Wire) => { key: string | null | undefined; title: string | null | undefined };
}

const byIid = ({ iid, title }: Wire) => ({ key: typeof iid === 'number' ? String(iid) : null, title });
const byName = ({ name }: Wire) => ({ key: name, title: name });
/** In the order of creation, what is added while listing comes at the end and shifts no page. */
const everything = { scope: 'all', state: 'all', order_by: 'created_at', sort: 'asc' };

/** Lists of the documents that count records too, see `counts.ts`. */
const lists = {
  labels: { path: 'labels', query: { include_ancestor_groups: false }, named: byName },
  milestones: { path: 'milestones', named: byIid },
  issues: { path: 'issues', query: everything, named: byIid },
  merge_requests: { path: 'merge_requests', query: everything, named: byIid },
  releases: { path: 'releases', named: ({ tag_name: tag }) => ({ key: tag, title: tag }) },
  ci_pipelines: {
    path: 'pipelines',
    named: ({ iid, ref }) => ({ key: typeof iid === 'number' ? String(iid) : null, title: ref }),
  },
  branches: { path: 'repository/branches', named: byName },
  tags: { path: 'repository/tags', named: byName },
} satisfies Record<string, RelationList>;

export type Identities = Record<keyof typeof lists, Identity[] | null>;

/** How a feature that is switched off, or that the role may not see, is refused. */
const unreadable: readonly ErrorCode[] = ['forbidden', 'not-found'];

/** Every list in full, one after the other. Null for one that may not be read; throws when the project cannot be asked. */
export async function projectIdentities(
  client: InstanceClient,
  projectId: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Identities> {
  const found: [string, Identity[] | null][] = [];
  for (const [relation, list] of Object.entries<RelationList>(lists)) {
    found.push([relation, await listed(client, projectId, list, signal)]);
  }
  return Object.fromEntries(found) as Identities;
}

async function listed(
  client: InstanceClient,
  projectId: number,
  { path, query = {}, named }: RelationList,
  signal: AbortSignal | undefined,
): Promise<Identity[] | null> {
  const records: Identity[] = [];
  const options = { query, signal, details: { project: projectId } };
  try {
    for await (const page of offsetPages(client, `${projectPath(projectId)}/${path}`, wire, options)) {
      for (const record of page) {
        const { key = null, title = null } = named(record);
        records.push({
          key,
          title,
          iid: record.iid ?? null,
          notes: record.user_notes_count ?? null,
          createdAt: parseTime(record.created_at ?? undefined),
          updatedAt: parseTime(record.updated_at ?? undefined),
        });
      }
    }
    return records;
  } catch (error) {
    if (error instanceof AppError && unreadable.includes(error.code)) return null;
    throw error;
  }
}

const memberWire = z.object({ username: z.string(), access_level: z.number().int() });

/**
 * Usernames of the direct members. `GET /projects/:id/members`, any member, 200, 403, 404. Null where they may not be read.
 */
export async function directMembers(
  client: InstanceClient,
  projectId: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<string[] | null> {
  const names: string[] = [];
  const options = { signal, details: { project: projectId } };
  try {
    for await (const page of offsetPages(client, `${projectPath(projectId)}/members`, memberWire, options)) {
      names.push(...page.map(({ username }) => username));
    }
    return names;
  } catch (error) {
    if (error instanceof AppError && unreadable.includes(error.code)) return null;
    throw error;
  }
}

const changesWire = z.object({ changes_count: z.string().nullish() });

/**
 * How many files a merge request changes, as GitLab words it (`1000+`); null where it has no diff that tells. No list tells it, so
 * this is one request for each. `GET /projects/:id/merge_requests/:iid`, any reader, 200, 403, 404.
 */
export async function changesCount(
  client: InstanceClient,
  projectId: number,
  iid: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<string | null> {
  const path = `${projectPath(projectId)}/merge_requests/${iid}`;
  const { data } = await client.getJson(path, changesWire, { signal, details: { project: projectId } });
  return data.changes_count ?? null;
}

/** Whether the instance has a user of that name. `GET /users?username=`, anyone with an account, 200. */
export async function hasUser(
  client: InstanceClient,
  username: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  const users = z.array(z.object({ username: z.string() }));
  const { data } = await client.getJson('users', users, { query: { username }, signal });
  return data.some((user) => user.username.toLowerCase() === username.toLowerCase());
}
