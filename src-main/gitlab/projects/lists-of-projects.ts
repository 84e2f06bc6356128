/** @file Lists of projects: all, a user's, and those of a group. Forks are in `forks.ts`. */
import type { ErrorDetails } from '../../../src-contract/errors.ts';
import type { ListOperation } from '../../../src-contract/projects/list-filters.ts';
import type { FoundProject, ProjectQuery } from '../../../src-contract/projects/project-details.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Query } from '../http/exchange.ts';
import { getPage, type Page, type PageRequest } from '../http/pages.ts';
import { validateQuery } from './project-queries.ts';
import { encodeId, foundProjectWire, type IdOrPath, toFoundProject } from './project-wire.ts';

export interface ProjectList {
  path: string;
  /** Null for a list that the specification (gitlab-facts 14) does not contain. */
  operation: ListOperation | null;
  /** Parameters that are always sent. */
  query?: Query;
  details?: ErrorDetails;
}

/** `keyset` lists by id even without an explicit order. Only such a list can be read beyond 50,000 records. */
type ProjectPageRequest = PageRequest & { keyset?: boolean };

type ProjectPageReader<Filter> = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  query: Filter,
  page?: ProjectPageRequest,
) => Promise<Page<FoundProject>>;

/** The lists of a user, by id or username. */
const listOfUser =
  (name: string, operation: ListOperation) =>
  (user: IdOrPath): ProjectList => ({ path: `users/${encodeId(user)}/${name}`, operation });

/** Includes subgroups, but not projects that are only shared with the group (gitlab-facts 11). */
const groupProjects = (group: IdOrPath): ProjectList => ({
  path: `groups/${encodeId(group)}/projects`,
  operation: null,
  query: { include_subgroups: true, with_shared: false },
  details: { group: String(group) },
});

export const projectPageReader =
  <Filter extends ProjectQuery = ProjectQuery>(
    list: (idOrPath: IdOrPath) => ProjectList,
  ): ProjectPageReader<Filter> =>
  (client, idOrPath, query, page) =>
    projectPage(client, list(idOrPath), query, page);

/**
 * Lists all visible projects; without an account, the public ones. `GET /projects`, anyone, 200; 400 for an invalid
 * value, 405 beyond 50,000 records with offset pagination (gitlab-facts 14.2). Throws `invalid-input` for filters that
 * cannot be combined.
 */
export const projectsPage = (
  client: InstanceClient,
  query: ProjectQuery,
  page?: ProjectPageRequest,
): Promise<Page<FoundProject>> =>
  projectPage(client, { path: 'projects', operation: 'list-projects' }, query, page);

/**
 * Lists the projects in a user's own namespace; none for a private profile. `GET /users/:user_id/projects`, anyone,
 * 200, 404 `not-found` for an unknown user (gitlab-facts 14.2).
 */
export const userProjectsPage = projectPageReader(listOfUser('projects', 'list-user-projects'));

/** Has no filters. `GET /users/:user_id/contributed_projects`, anyone, 200, 404 (gitlab-facts 14.2). */
export const contributedProjectsPage = projectPageReader<Pick<ProjectQuery, 'order_by' | 'simple' | 'sort'>>(
  listOfUser('contributed_projects', 'list-contributed-projects'),
);

/** `GET /users/:user_id/starred_projects`, anyone, 200, 404 (gitlab-facts 14.2). */
export const starredProjectsPage = projectPageReader(listOfUser('starred_projects', 'list-starred-projects'));

/** A 404 `not-found` names the group. */
export const groupProjectsPage = projectPageReader(groupProjects);

/** Returns a page of any list. Uses keyset pagination if the order is by id, to read beyond 50,000 records. */
async function projectPage(
  client: InstanceClient,
  list: ProjectList,
  query: ProjectQuery,
  { keyset = list.operation !== null && query.order_by === 'id', ...page }: ProjectPageRequest = {},
): Promise<Page<FoundProject>> {
  const checked = validateQuery(query, { operation: list.operation, anonymous: client.anonymous, keyset });
  return getPage(client, list.path, {
    record: foundProjectWire,
    toRecord: toFoundProject,
    query: { ...checked, ...list.query },
    page,
    keyset,
    ...(list.details && { details: list.details }),
  });
}
