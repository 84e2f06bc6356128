/** @file Lists of projects: all, a user's, and those of a group. Forks are in `forks.ts`. */
import type { ErrorDetails } from '../../../src-contract/errors.ts';
import type { ListOperation } from '../../../src-contract/projects/list-filters.ts';
import type { FoundProject, ProjectQuery } from '../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Query } from '../http/exchange.ts';
import { keysetPages, offsetPages, onePage, type Page, type PageRequest } from '../http/pages.ts';
import { checkedQuery } from './project-queries.ts';
import { encodeId, foundProjectWire, projectWire, toFoundProject, toProject } from './project-wire.ts';

/** The path of a list and its operation; null for one outside the specification. */
export interface ProjectList {
  path: string;
  operation: ListOperation | null;
  /** Parameters that are always sent. */
  query?: Query;
  /** Details of an error of this list. */
  details?: ErrorDetails;
}

export type ProjectPageRequest = PageRequest & {
  /** Lists by id even without an explicit order; the only way beyond 50,000 records. */
  keyset?: boolean;
};

export const allProjects: ProjectList = { path: 'projects', operation: 'list-projects' };

/** @param user id or username. */
export const userProjects = (user: number | string): ProjectList => ({
  path: `users/${encodeId(user)}/projects`,
  operation: 'list-user-projects',
});

export const contributedProjects = (user: number | string): ProjectList => ({
  path: `users/${encodeId(user)}/contributed_projects`,
  operation: 'list-contributed-projects',
});

export const starredProjects = (user: number | string): ProjectList => ({
  path: `users/${encodeId(user)}/starred_projects`,
  operation: 'list-starred-projects',
});

/** Includes subgroups, but not projects that are only shared with the group (gitlab-facts 11). */
const groupProjects = (group: number | string): ProjectList => ({
  path: `groups/${encodeId(group)}/projects`,
  operation: null,
  query: { include_subgroups: true, with_shared: false },
  details: { group: String(group) },
});

/**
 * Returns a page of all visible projects; without an account, of the public ones. `GET /projects`, anyone, 200; 400 for
 * an invalid value, 405 beyond 50,000 by number. See gitlab-facts 14.2. Throws `invalid-input` for filters that cannot
 * be combined.
 */
export function projectsPage(
  client: InstanceClient,
  query: ProjectQuery,
  page: ProjectPageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, allProjects, query, page);
}

/**
 * Returns a page of the projects in a user's own namespace; none for a private profile. `GET /users/:user_id/projects`,
 * anyone, 200, 404 `not-found` for an unknown user. See gitlab-facts 14.2.
 */
export function userProjectsPage(
  client: InstanceClient,
  user: number | string,
  query: ProjectQuery,
  page: ProjectPageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, userProjects(user), query, page);
}

/**
 * Returns a page of the projects that a user contributed to. `GET /users/:user_id/contributed_projects`, anyone, 200,
 * 404. See gitlab-facts 14.2: supports order and `simple`, but no filters.
 */
export function contributedProjectsPage(
  client: InstanceClient,
  user: number | string,
  query: Pick<ProjectQuery, 'order_by' | 'simple' | 'sort'>,
  page: ProjectPageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, contributedProjects(user), query, page);
}

/**
 * Returns a page of the projects that a user starred. `GET /users/:user_id/starred_projects`, anyone, 200, 404. See
 * gitlab-facts 14.2.
 */
export function starredProjectsPage(
  client: InstanceClient,
  user: number | string,
  query: ProjectQuery,
  page: ProjectPageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, starredProjects(user), query, page);
}

/**
 * Returns a page of the projects in a group and its subgroups, without those only shared with it. 404 `not-found` names
 * the group.
 */
export function groupProjectsPage(
  client: InstanceClient,
  group: number | string,
  query: ProjectQuery,
  page: PageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, groupProjects(group), query, page);
}

/** Returns a page of any list, by id if that is the order, to read beyond 50,000 records. */
export async function projectPage(
  client: InstanceClient,
  list: ProjectList,
  query: ProjectQuery,
  { keyset = list.operation !== null && query.order_by === 'id', ...page }: ProjectPageRequest,
): Promise<Page<FoundProject>> {
  const checked = queryFor(client, list, query, keyset);
  return onePage(client, list.path, {
    record: foundProjectWire,
    toRecord: toFoundProject,
    query: checked,
    page,
    keyset,
    ...(list.details && { details: list.details }),
  });
}

/** Yields all projects of a list, by id unless another order is requested. */
export async function* everyProject(
  client: InstanceClient,
  list: ProjectList,
  query: ProjectQuery = {},
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Project, void> {
  const keyset = list.operation !== null && (query.order_by ?? 'id') === 'id';
  const asked: ProjectQuery = keyset ? { sort: 'asc', ...query, order_by: 'id' } : query;
  const checked = queryFor(client, list, asked, keyset);
  const pages = (keyset ? keysetPages : offsetPages)(client, list.path, projectWire, {
    query: checked,
    signal,
  });
  for await (const page of pages) for (const project of page) yield toProject(project);
}

function queryFor(
  { anonymous }: InstanceClient,
  list: ProjectList,
  query: ProjectQuery,
  keyset: boolean,
): Query {
  return { ...checkedQuery(query, { of: list.operation, anonymous, keyset }), ...list.query };
}
