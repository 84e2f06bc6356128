/** @file Forks of a project: making one, and the list of them. */
import { AppError } from '../../../src-contract/errors.ts';
import { checkAttributes } from '../../../src-contract/projects/project-attribute-values.ts';
import type { FoundProject, ProjectQuery } from '../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Page } from '../http/pages.ts';
import { type ProjectList, projectPage, type ProjectPageRequest } from './project-lists.ts';
import { projectPath, projectWire, toProject } from './project-wire.ts';

export interface ForkOptions {
  /** Id or full path; the account's own where it is left out. */
  namespace?: number | string;
  name?: string;
  path?: string;
  description?: string;
  visibility?: 'private' | 'internal' | 'public';
  /** Only this branch; all where it is left out. */
  branches?: string;
  /** Merge requests go to the fork itself, not to where it came from. */
  mergeIntoItself?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Starts a fork and gives the new project, whose `importStatus` tells when the copy is complete. `POST /projects/:id/fork`,
 * anyone signed in who may read it; 201, 404 for source or namespace, 409 `path-taken`. See gitlab-facts 14.4. Sent once.
 */
export async function forkProject(
  client: InstanceClient,
  idOrPath: number | string,
  { namespace, mergeIntoItself, signal, ...attributes }: ForkOptions = {},
): Promise<Project> {
  const { branches, ...checked } = attributes;
  // A name makes the attributes complete: a fork may leave both out.
  checkAttributes('create', { name: 'fork', ...checked });
  const body = {
    ...attributes,
    ...(typeof namespace === 'number' && { namespace_id: namespace }),
    ...(typeof namespace === 'string' && { namespace_path: namespace }),
    ...(mergeIntoItself !== undefined && { mr_default_target_self: mergeIntoItself }),
  };
  if (branches === '') throw new AppError('invalid-input', 'The branch to fork has no name.');
  const { data } = await client.postJson(`${projectPath(idOrPath)}/fork`, body, projectWire, {
    signal,
    subject: 'fork',
    details: { project: String(idOrPath), namespace: namespace ?? null },
  });
  return toProject(data);
}

/** Where the forks of a project are listed. */
export const forksOf = (idOrPath: number | string): ProjectList => ({
  path: `${projectPath(idOrPath)}/forks`,
  operation: 'list-forks',
});

/**
 * A page of the forks that the caller may see. `GET /projects/:id/forks`, any reader, 200, 404. See gitlab-facts 14.2.
 */
export function forksPage(
  client: InstanceClient,
  idOrPath: number | string,
  query: ProjectQuery,
  page: ProjectPageRequest = {},
): Promise<Page<FoundProject>> {
  return projectPage(client, forksOf(idOrPath), query, page);
}
