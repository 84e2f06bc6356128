/** @file Stars of a project: adding and removing one's own, and listing the users who starred it. */
import type { Starrer } from '../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { onePage, type Page, type PageRequest } from '../http/pages.ts';
import { toUser, userWire } from './people.ts';
import { projectPath, projectWire, toProject } from './project-wire.ts';

interface Cancellable {
  signal?: AbortSignal | undefined;
}

/** `changed` is false if the state was already as requested; the instance then returns no project. */
export interface Starred {
  changed: boolean;
  project: Project | null;
}

const starrerWire = z.object({ starred_since: z.string(), user: userWire });

/** Stars a project. `POST /projects/:id/star`, anyone signed in, 201, 304 when starred already. See gitlab-facts 14.4. */
export function starProject(
  client: InstanceClient,
  idOrPath: number | string,
  call: Cancellable = {},
): Promise<Starred> {
  return setStar(client, idOrPath, 'star', call);
}

/**
 * Removes the star. `POST /projects/:id/unstar`, anyone signed in, 201, 304 when not starred. See gitlab-facts 14.4.
 */
export function unstarProject(
  client: InstanceClient,
  idOrPath: number | string,
  call: Cancellable = {},
): Promise<Starred> {
  return setStar(client, idOrPath, 'unstar', call);
}

async function setStar(
  client: InstanceClient,
  idOrPath: number | string,
  verb: 'star' | 'unstar',
  { signal }: Cancellable,
): Promise<Starred> {
  const { data } = await client.postJson(`${projectPath(idOrPath)}/${verb}`, {}, projectWire.optional(), {
    signal,
    subject: 'project',
    details: { project: String(idOrPath) },
    unchanged: true,
  });
  return { changed: data !== undefined, project: data === undefined ? null : toProject(data) };
}

/** Returns a page of the users who starred it. `GET /projects/:id/starrers`, any reader, 200. See gitlab-facts 14.4. */
export function starrersPage(
  client: InstanceClient,
  idOrPath: number | string,
  { search }: { search?: string },
  page: PageRequest = {},
): Promise<Page<Starrer>> {
  return onePage(client, `${projectPath(idOrPath)}/starrers`, {
    record: starrerWire,
    toRecord: ({ starred_since: starredSince, user }) => ({ starredSince, user: toUser(user) }),
    query: { search },
    page,
    subject: 'project',
    details: { project: String(idOrPath) },
  });
}
