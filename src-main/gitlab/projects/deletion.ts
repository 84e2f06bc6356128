/** @file Archives, deletes and restores a project. The effect of deleting depends on the release (gitlab-facts 2.2). */
import { AppError } from '../../../src-contract/errors.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { projectPath, projectWire, toProject } from './project-wire.ts';

interface Cancellable {
  signal?: AbortSignal | undefined;
}

/**
 * Marks a project as archived on GitLab. `POST /projects/:id/archive`, owner or administrator, 201; 403 `forbidden`,
 * and since 18.9 also 400 for an archived project. See gitlab-facts 14.4.
 */
export function archiveProject(
  client: InstanceClient,
  idOrPath: number | string,
  call: Cancellable = {},
): Promise<Project> {
  return changed(client, idOrPath, 'archive', call);
}

/**
 * Marks a project as not archived. `POST /projects/:id/unarchive`, owner or administrator, 201; idempotent. See
 * gitlab-facts 14.4.
 */
export function unarchiveProject(
  client: InstanceClient,
  idOrPath: number | string,
  call: Cancellable = {},
): Promise<Project> {
  return changed(client, idOrPath, 'unarchive', call);
}

/**
 * Restores a project that is marked for deletion. `POST /projects/:id/restore`, owner, 201; 400 `request-refused` for
 * an unmarked project. See gitlab-facts 14.4 (higher tiers; all since 18.0).
 */
export function restoreProject(
  client: InstanceClient,
  idOrPath: number | string,
  call: Cancellable = {},
): Promise<Project> {
  return changed(client, idOrPath, 'restore', call);
}

async function changed(
  client: InstanceClient,
  idOrPath: number | string,
  verb: 'archive' | 'unarchive' | 'restore',
  { signal }: Cancellable,
): Promise<Project> {
  const { data } = await client.postJson(`${projectPath(idOrPath)}/${verb}`, {}, projectWire, {
    signal,
    subject: 'project',
    details: { project: String(idOrPath) },
  });
  return toProject(data);
}

/**
 * Deletes a project, or marks it for deletion if the instance delays deletion. `permanently` deletes a marked project
 * at once; `fullPath` must then be its current path, with the suffix that marking added. `DELETE /projects/:id`, owner,
 * 202; 400 `request-refused` for a second marking or a wrong path, 403. See gitlab-facts 14.4.
 */
export async function deleteProject(
  client: InstanceClient,
  idOrPath: number | string,
  { permanently, signal }: Cancellable & { permanently?: { fullPath: string } } = {},
): Promise<void> {
  if (permanently?.fullPath === '') {
    throw new AppError('invalid-input', '"permanently_remove" needs the full path of the project.', {
      details: { parameter: 'full_path' },
    });
  }
  await client.delete(projectPath(idOrPath), z.unknown(), {
    query: permanently ? { permanently_remove: true, full_path: permanently.fullPath } : {},
    signal,
    subject: 'project',
    details: { project: String(idOrPath) },
  });
}
