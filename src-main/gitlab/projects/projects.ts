/** @file Projects and their namespaces, as far as backups need them; the highest id is a watermark. */
import type { Project } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { keysetPages, offsetPages, reportedTotal } from '../http/pages.ts';
import { encodeId, projectPath, projectWire, toProject } from './project-wire.ts';

const namespaceWire = z.object({
  id: z.number().int(),
  name: z.string(),
  full_path: z.string(),
  kind: z.string(),
});

export interface ProjectFilter {
  /** Only projects that the user is a member of. Default: true. */
  membership?: boolean;
  search?: string;
  /** 40 Maintainer, 50 Owner. */
  minAccessLevel?: number;
  /** Only projects marked as archived on GitLab, or only the others. Default: both. */
  archived?: boolean | undefined;
  visibility?: string | undefined;
  /** Only projects owned by the user. */
  owned?: boolean | undefined;
  starred?: boolean | undefined;
  topic?: string | undefined;
  /** Only projects with activity since this time, ISO 8601 UTC. */
  activeAfter?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A namespace of projects. `kind` is `group` or `user`. */
export interface Namespace {
  id: number;
  name: string;
  fullPath: string;
  kind: string;
}

interface Cancellable {
  signal?: AbortSignal | undefined;
}

/**
 * Yields all matching projects by ascending id. A project that is created meanwhile comes last or is missed, but never
 * appears twice.
 */
export async function* listProjects(
  client: InstanceClient,
  filter: ProjectFilter = {},
): AsyncGenerator<Project, void> {
  const { signal } = filter;
  const query = { ...queryOf(client, filter), ...statistics(client) };
  for await (const page of keysetPages(client, 'projects', projectWire, { query, signal })) {
    for (const project of page) yield toProject(project);
  }
}

/** Returns how many projects `listProjects` would yield; null if the instance does not report it, as above 10,000. */
export async function countProjects(
  client: InstanceClient,
  filter: ProjectFilter = {},
): Promise<number | null> {
  return reportedTotal(client, 'projects', { query: queryOf(client, filter), signal: filter.signal });
}

/** Without an account there is no membership, so all public projects are listed. */
function queryOf({ anonymous }: InstanceClient, filter: ProjectFilter) {
  const { membership = true, minAccessLevel, activeAfter } = filter;
  const { search, archived, visibility, owned, starred, topic } = filter;
  return {
    ...(!anonymous && { membership }),
    ...{ search, archived, visibility, owned, starred, topic },
    min_access_level: minAccessLevel,
    last_activity_after: activeAfter,
  };
}

function statistics({ anonymous }: InstanceClient) {
  return anonymous ? {} : { statistics: true };
}

/** Includes the size of the repository if the caller's role may see it. */
export async function getProject(
  client: InstanceClient,
  idOrPath: number | string,
  { signal }: Cancellable = {},
): Promise<Project> {
  const { data } = await client.getJson(projectPath(idOrPath), projectWire, {
    query: statistics(client),
    signal,
    subject: 'project',
    details: { project: String(idOrPath) },
  });
  return toProject(data);
}

/** Returns the id of the newest project that the user can see, or 0. Every later project has a higher id. */
export async function highestProjectId(
  client: InstanceClient,
  { signal }: Cancellable = {},
): Promise<number> {
  const { data } = await client.getJson('projects', z.array(projectWire), {
    query: { order_by: 'id', sort: 'desc', per_page: 1 },
    signal,
  });
  return data[0]?.id ?? 0;
}

/**
 * Yields visible projects with a higher id, ascending. With `search`, only those with the text in path, name or
 * description. GitLab matches a text of fewer than three characters only against a whole path, name or description.
 */
export async function* projectsAfter(
  client: InstanceClient,
  id: number,
  { search, signal }: Cancellable & { search: string | null },
): AsyncGenerator<Project, void> {
  const query = { id_after: id, ...(search !== null && { search }) };
  for await (const page of keysetPages(client, 'projects', projectWire, { query, signal })) {
    for (const project of page) yield toProject(project);
  }
}

/** Yields the namespaces of the user; an administrator sees all. */
export async function* listNamespaces(
  client: InstanceClient,
  { search, signal }: Cancellable & { search?: string } = {},
): AsyncGenerator<Namespace, void> {
  for await (const page of offsetPages(client, 'namespaces', namespaceWire, {
    query: { search },
    signal,
    signedIn: true,
  })) {
    for (const namespace of page) yield toNamespace(namespace);
  }
}

/** Throws `namespace-missing` if it does not exist or is not visible. */
export async function getNamespace(
  client: InstanceClient,
  idOrPath: number | string,
  { signal }: Cancellable = {},
): Promise<Namespace> {
  const { data } = await client.getJson(`namespaces/${encodeId(idOrPath)}`, namespaceWire, {
    signal,
    signedIn: true,
    subject: 'namespace',
    details: { namespace: String(idOrPath) },
  });
  return toNamespace(data);
}

function toNamespace(wire: z.infer<typeof namespaceWire>): Namespace {
  return { id: wire.id, name: wire.name, fullPath: wire.full_path, kind: wire.kind };
}
