/** @file Reads projects and their namespaces for backups. The highest project id serves as a watermark. */
import type { Project } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { keysetPages, reportedTotal } from '../http/pages.ts';
import {
  projectCallOptions,
  encodeId,
  type IdOrPath,
  projectPath,
  projectWire,
  toProject,
} from './project-wire.ts';

const namespaceWire = z.object({
  id: z.number().int(),
  name: z.string(),
  full_path: z.string(),
  kind: z.string(),
});

interface ProjectFilter extends Cancellable {
  /** Only projects that the user is a member of. Default: true. */
  membership?: boolean;
  search?: string;
  /** 40 Maintainer, 50 Owner. */
  minAccessLevel?: number;
  archived?: boolean | undefined;
  visibility?: string | undefined;
  owned?: boolean | undefined;
  starred?: boolean | undefined;
  topic?: string | undefined;
  /** ISO 8601 UTC. */
  activeAfter?: string | undefined;
}

/**
 * Yields projects by ascending id. A project that is created meanwhile comes last or is missed, but no project appears
 * twice.
 */
export async function* listProjects(
  client: InstanceClient,
  filter: ProjectFilter = {},
): AsyncGenerator<Project, void> {
  const { signal } = filter;
  const query = { ...queryOf(client, filter), ...statisticsQuery(client) };
  for await (const page of keysetPages(client, 'projects', projectWire, { query, signal })) {
    yield* page.map(toProject);
  }
}

/** Returns the number of projects of `listProjects`; null if the instance does not report it, as for over 10,000. */
export const countProjects = (client: InstanceClient, filter: ProjectFilter = {}): Promise<number | null> =>
  reportedTotal(client, 'projects', { query: queryOf(client, filter), signal: filter.signal });

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

function statisticsQuery({ anonymous }: InstanceClient) {
  return anonymous ? {} : { statistics: true };
}

/** Includes the size of the repository if the caller's role may see it. */
export async function getProject(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { signal }: Cancellable = {},
): Promise<Project> {
  const call = { ...projectCallOptions(idOrPath), query: statisticsQuery(client), signal };
  return toProject((await client.getJson(projectPath(idOrPath), projectWire, call)).data);
}

/** Returns the id of the newest project that the user can see, or 0. Every later project has a higher id. */
export async function highestProjectId(client: InstanceClient, { signal }: Cancellable = {}) {
  const { data } = await client.getJson('projects', z.array(projectWire), {
    query: { order_by: 'id', sort: 'desc', per_page: 1 },
    signal,
  });
  return data[0]?.id ?? 0;
}

/**
 * Yields visible projects with a higher id, ascending. With `search`, yields only projects with the text in path, name
 * or description. GitLab matches a text of fewer than three characters only against a whole path, name or description.
 */
export async function* projectsAfter(
  client: InstanceClient,
  id: number,
  { search, signal }: Cancellable & { search: string | null },
): AsyncGenerator<Project, void> {
  const query = { id_after: id, ...(search !== null && { search }) };
  for await (const page of keysetPages(client, 'projects', projectWire, { query, signal })) {
    yield* page.map(toProject);
  }
}

/** Throws `namespace-missing` if the namespace does not exist or is not visible. */
export async function getNamespace(client: InstanceClient, idOrPath: IdOrPath, { signal }: Cancellable = {}) {
  const { data } = await client.getJson(`namespaces/${encodeId(idOrPath)}`, namespaceWire, {
    signal,
    requiresAccount: true,
    subject: 'namespace',
    details: { namespace: String(idOrPath) },
  });
  const { id, name, full_path: fullPath, kind } = data;
  return { id, name, fullPath, kind };
}
