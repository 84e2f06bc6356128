/** @file Archives, deletes and restores a project. The effect of deleting depends on the release (gitlab-facts 2.2). */
import { AppError } from '../../../src-contract/errors.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { projectCallOptions, type IdOrPath, projectPath, projectWire, toProject } from './project-wire.ts';

const createProjectAction =
  (verb: 'archive' | 'unarchive' | 'restore') =>
  async (client: InstanceClient, idOrPath: IdOrPath, { signal }: Cancellable = {}): Promise<Project> => {
    const path = `${projectPath(idOrPath)}/${verb}`;
    const { data } = await client.postJson(path, {}, projectWire, {
      ...projectCallOptions(idOrPath),
      signal,
    });
    return toProject(data);
  };

/** `POST /projects/:id/archive`, owner or administrator, 201, 403. Since 18.9, 400 if already archived (gitlab-facts 14.4). */
export const archiveProject = createProjectAction('archive');

/** `POST /projects/:id/unarchive`, owner or administrator, 201; idempotent (gitlab-facts 14.4). */
export const unarchiveProject = createProjectAction('unarchive');

/**
 * Restores a project that is marked for deletion. `POST /projects/:id/restore`, owner, 201; 400 `request-refused` for
 * an unmarked project (gitlab-facts 14.4: higher tiers; all since 18.0).
 */
export const restoreProject = createProjectAction('restore');

/**
 * Deletes a project, or marks it for deletion if the instance delays deletion. `permanently` deletes a marked project
 * at once; `fullPath` must then be its current path, with the suffix that marking added. `DELETE /projects/:id`, owner,
 * 202; 400 `request-refused` for a second marking or a wrong path, 403 (gitlab-facts 14.4).
 */
export async function deleteProject(
  client: InstanceClient,
  idOrPath: IdOrPath,
  { permanently, signal }: Cancellable & { permanently?: { fullPath: string } } = {},
): Promise<void> {
  if (permanently?.fullPath === '') {
    throw new AppError('invalid-input', '"permanently_remove" needs the full path of the project.', {
      details: { parameter: 'full_path' },
    });
  }
  const query = permanently ? { permanently_remove: true, full_path: permanently.fullPath } : {};
  await client.delete(projectPath(idOrPath), z.unknown(), { ...projectCallOptions(idOrPath), query, signal });
}
