/** @file Lists a project's users, its groups, and the groups that it could be shared with. */
import type { GroupSummary, ProjectUser } from '../../../src-contract/projects/project-details.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { getPage, type Page, type PageRequest } from '../http/pages.ts';
import { projectCallOptions, type IdOrPath, projectPath } from './project-wire.ts';

export const userWire = z.object({
  id: z.number().int(),
  username: z.string(),
  name: z.string(),
  state: z.string(),
  web_url: z.string(),
});

const groupWire = z.object({
  id: z.number().int(),
  name: z.string(),
  full_name: z.string(),
  full_path: z.string(),
  web_url: z.string(),
});

export function toUser({ web_url: webUrl, ...user }: z.infer<typeof userWire>): ProjectUser {
  return { ...user, webUrl };
}

function toGroup(wire: z.infer<typeof groupWire>): GroupSummary {
  const { id, name, full_name: fullName, full_path: fullPath, web_url: webUrl } = wire;
  return { id, name, fullName, fullPath, webUrl };
}

/** `GET /projects/:id/users`, any reader, 200, 404 (gitlab-facts 14.2). */
export const projectUsersPage = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  { search, skipUsers = [] }: { search?: string; skipUsers?: readonly number[] },
  page: PageRequest = {},
): Promise<Page<ProjectUser>> =>
  getPage(client, `${projectPath(idOrPath)}/users`, {
    ...projectCallOptions(idOrPath),
    record: userWire,
    toRecord: toUser,
    query: { search, skip_users: skipUsers },
    page,
  });

/**
 * Selects groups of a project. `withShared` adds the groups that the project is shared with; the next two fields filter
 * these.
 */
interface GroupFilter {
  search?: string;
  withShared?: boolean;
  sharedMinAccessLevel?: number;
  sharedVisibleOnly?: boolean;
  skipGroups?: readonly number[];
}

/** Lists ancestor groups, and shared groups. `GET /projects/:id/groups`, any reader, 200, 404 (gitlab-facts 14.2). */
export const projectGroupsPage = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  { search, withShared, sharedMinAccessLevel, sharedVisibleOnly, skipGroups = [] }: GroupFilter,
  page: PageRequest = {},
): Promise<Page<GroupSummary>> =>
  getPage(client, `${projectPath(idOrPath)}/groups`, {
    ...projectCallOptions(idOrPath),
    record: groupWire,
    toRecord: toGroup,
    query: {
      search,
      with_shared: withShared,
      shared_min_access_level: sharedMinAccessLevel,
      shared_visible_only: sharedVisibleOnly,
      skip_groups: skipGroups,
    },
    page,
  });

/**
 * Lists groups that the project can be shared with. `GET /projects/:id/share_locations`, signed in, 200, 404
 * (gitlab-facts 14.2).
 */
export const shareLocationsPage = (
  client: InstanceClient,
  idOrPath: IdOrPath,
  query: { search?: string },
  page: PageRequest = {},
): Promise<Page<GroupSummary>> =>
  getPage(client, `${projectPath(idOrPath)}/share_locations`, {
    ...projectCallOptions(idOrPath),
    requiresAccount: true,
    record: groupWire,
    toRecord: toGroup,
    query,
    page,
  });
