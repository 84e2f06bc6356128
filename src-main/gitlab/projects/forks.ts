/** @file Creates and lists forks of a project. */
import { AppError } from '../../../src-contract/errors.ts';
import { checkAttributes } from '../../../src-contract/projects/project-attribute-values.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { type ProjectList, projectPageReader } from './lists-of-projects.ts';
import { type IdOrPath, projectPath, projectWire, toProject } from './project-wire.ts';

interface ForkOptions extends Cancellable {
  /** Id or full path. Default: the account's own namespace. */
  namespace?: IdOrPath;
  name?: string;
  path?: string;
  description?: string;
  visibility?: 'private' | 'internal' | 'public';
  /** Copies only this branch. Default: all branches. */
  branches?: string;
  /** If true, merge requests of the fork go to the fork itself by default, not to its source project. */
  mergeIntoItself?: boolean;
}

/**
 * Starts a fork and returns the new project; its `importStatus` shows when the copy is complete. Sent once.
 * `POST /projects/:id/fork`, any signed-in reader of the project; 201, 404 for source or namespace, 409 `path-taken`
 * (gitlab-facts 14.4).
 */
export async function forkProject(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { namespace, mergeIntoItself, signal, ...attributes }: ForkOptions = {},
): Promise<Project> {
  const { branches, ...checked } = attributes;
  // The name only satisfies the check: a fork needs neither name nor path.
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

const forksOf = (idOrPath: IdOrPath): ProjectList => ({
  path: `${projectPath(idOrPath)}/forks`,
  operation: 'list-forks',
});

/** Lists the forks that the caller may see. `GET /projects/:id/forks`, any reader, 200, 404 (gitlab-facts 14.2). */
export const forksPage = projectPageReader(forksOf);
