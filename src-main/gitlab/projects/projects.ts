/** @file Projects and the namespaces that hold them, as far as backups ask for them; the newest id is a watermark. */
import type { Project } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { keysetPages, offsetPages, toldTotal } from '../http/pages.ts';
import { encodeId, projectPath, projectWire, toProject } from './project-wire.ts';

const namespaceWire = z.object({
  id: z.number().int(),
  name: z.string(),
  full_path: z.string(),
  kind: z.string(),
});

export interface ProjectFilter {
  /** Only projects the user is a member of; true unless said otherwise. */
  membership?: boolean;
  search?: string;
  /** 40 Maintainer, 50 Owner. */
  minAccessLevel?: number;
  /** Only projects marked as archived on GitLab, or only the others; both when absent. */
  archived?: boolean | undefined;
  visibility?: string | undefined;
  /** Only those of which the user is an owner. */
  owned?: boolean | undefined;
  starred?: boolean | undefined;
  topic?: string | undefined;
  /** ISO 8601 UTC: only those with activity since. */
  activeAfter?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A place for projects. `kind` is `group` or `user`. */
export interface Namespace {
  id: number;
  name: string;
  fullPath: string;
  kind: string;
}

interface Cancellable {
  signal?: AbortSignal | undefined;
}

/** All matching projects by ascending id. One that appears while listing comes last or is missed, never twice. */
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

/** How many `listProjects` would list; null where the instance does not say, as above 10,000. */
export async function countProjects(
  client: InstanceClient,
  filter: ProjectFilter = {},
): Promise<number | null> {
  return toldTotal(client, 'projects', { query: queryOf(client, filter), signal: filter.signal });
}

/** Without an account there is no membership; everything public is listed. */
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

/** With the size of the repository, where the caller's role shows it. */
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

/** Id of the newest project the user can see; 0 where there is none. Whatever is created later has a higher one. */
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
 * Visible projects with a higher id by ascending id: those in whose path, name or description `search` occurs, or, with null, all.
 * GitLab finds what is shorter than three characters only where it is the whole of one of them.
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

/** The namespaces the user belongs to; an administrator sees all. */
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

/** Throws `namespace-missing` where it does not exist or is not visible. */
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
