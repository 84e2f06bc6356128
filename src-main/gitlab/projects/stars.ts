/** @file Stars of a project: adds and removes the star of the account, and lists the users who starred the project. */
import type { Starrer } from '../../../src-contract/projects/project-details.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { getPage, type Page, type PageRequest } from '../http/pages.ts';
import { toUser, userWire } from './users-and-groups.ts';
import { projectCallOptions, type IdOrPath, projectPath, projectWire, toProject } from './project-wire.ts';

const starrerWire = z.object({ starred_since: z.string(), user: userWire });

/** `changed` is false if the project was already in the requested state. The instance then returns no project. */
const setStar =
  (verb: 'star' | 'unstar') =>
  async (client: InstanceClient, idOrPath: IdOrPath, { signal }: Cancellable = {}) => {
    const call = { ...projectCallOptions(idOrPath), signal, acceptsNotModified: true } as const;
    const path = `${projectPath(idOrPath)}/${verb}`;
    const { data } = await client.postJson(path, {}, projectWire.optional(), call);
    return { changed: data !== undefined, project: data === undefined ? null : toProject(data) };
  };

/** `POST /projects/:id/star`, anyone signed in, 201, 304 when starred already (gitlab-facts 14.4). */
export const starProject = setStar('star');

/** `POST /projects/:id/unstar`, anyone signed in, 201, 304 when not starred (gitlab-facts 14.4). */
export const unstarProject = setStar('unstar');

/** `GET /projects/:id/starrers`, any reader, 200 (gitlab-facts 14.4). */
export const starrersPage = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  query: { search?: string },
  page: PageRequest = {},
): Promise<Page<Starrer>> =>
  getPage(client, `${projectPath(idOrPath)}/starrers`, {
    ...projectCallOptions(idOrPath),
    record: starrerWire,
    toRecord: ({ starred_since: starredSince, user }) => ({ starredSince, user: toUser(user) }),
    query,
    page,
  });
