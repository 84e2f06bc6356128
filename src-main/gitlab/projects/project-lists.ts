/** @file The lists of projects: all, a user's, and those of a group. Forks are in `forks.ts`. */
import type { ErrorDetails } from '../../../src-contract/errors.ts';
import type { ListOperation } from '../../../src-contract/projects/list-filters.ts';
import type { FoundProject, ProjectQuery } from '../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Query } from '../http/exchange.ts';
import { keysetPages, offsetPages, onePage, type Page, type PageRequest } from '../http/pages.ts';
import { checkedQuery } from './project-queries.ts';
import { encodeId, foundProjectWire, projectWire, toFoundProject, toProject } from './project-wire.ts';

/** Where a list is, and which operation it is; null: none of the specification. */
export interface ProjectList {
  path: string;
  operation: ListOperation | null;
  /** What is always asked of it. */
  query?: Query;
  /** What an error says it is about. */
  details?: ErrorDetails;
}

export type ProjectPageRequest = PageRequest & {
  /** Asks by id even where the order is not said; the only way beyond 50,000 records. */
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

/** With its subgroups, without what is only shared with it (gitlab-facts 11). */
const groupProjects = (group: number | string): ProjectList => ({
  path: `groups/${encodeId(group)}/projects`,
  operation: null,
  query: { include_subgroups: true, with_shared: false },
  details: { group: String(group) },
});

/**
 * A page of all projects that are visible; without an account of the public ones. `GET /projects`, anyone, 200; 400 for a
 * value, 405 beyond 50,000 by number. See gitlab-facts 14.2. Throws `invalid-input` for what cannot be combined.
 */
export function projectsPage(
  client: InstanceClient,
  query: ProjectQuery,
  page: ProjectPageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, allProjects, query, page);
}

/**
 * A page of the projects in a user's own namespace; none where the profile is private. `GET /users/:user_id/projects`,
 * anyone, 200, 404 `not-found` for no such user. See gitlab-facts 14.2.
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
 * A page of the projects a user contributed to. `GET /users/:user_id/contributed_projects`, anyone, 200, 404. See gitlab-facts 14.2:
 * ordered and simplified only, not filtered.
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
 * A page of the projects a user starred. `GET /users/:user_id/starred_projects`, anyone, 200, 404. See gitlab-facts 14.2.
 */
export function starredProjectsPage(
  client: InstanceClient,
  user: number | string,
  query: ProjectQuery,
  page: ProjectPageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, starredProjects(user), query, page);
}

/** A page of the projects in a group and its subgroups, without those that are shared with it. 404 `not-found` names the group. */
export function groupProjectsPage(
  client: InstanceClient,
  group: number | string,
  query: ProjectQuery,
  page: PageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, groupProjects(group), query, page);
}

/** Any list's page: by id where the order is that, so that it has no end at 50,000. */
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

/** All of a list, by id unless another order is wanted. */
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
