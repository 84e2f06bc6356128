/** @file Adapts the client's lists and details of projects to the needs of the bridge. */
import type { ParsedRequest } from '../../../../src-contract/calls.ts';
import type { projectListKinds, ProjectQuery } from '../../../../src-contract/projects/project-details.ts';
import type { InstanceClient } from '../../../gitlab/http/client.ts';
import { exportStatus } from '../../../gitlab/transfers/exports.ts';
import { forksPage } from '../../../gitlab/projects/forks.ts';
import {
  projectGroupsPage,
  projectUsersPage,
  shareLocationsPage,
} from '../../../gitlab/projects/users-and-groups.ts';
import { projectDetails, projectLanguages } from '../../../gitlab/projects/project-details.ts';
import {
  contributedProjectsPage,
  groupProjectsPage,
  projectsPage,
  starredProjectsPage,
  userProjectsPage,
} from '../../../gitlab/projects/lists-of-projects.ts';
import { starrersPage } from '../../../gitlab/projects/stars.ts';
import { uploadsPage } from '../../../gitlab/transfers/uploads.ts';
import { everyRecord } from './every-record.ts';

/** The requested page of a list. `cursor` is the `next` of the page before; null for the first page. */
type PageRequest = Pick<ParsedRequest<'project.uploads'>, 'cursor' | 'limit'>;
/** The fields of a request besides the project and the page. */
type Query<Name extends 'project.details' | 'project.users' | 'project.groups'> = Omit<
  ParsedRequest<Name>,
  'instance' | 'project' | keyof PageRequest
>;

/** `project` is a full path or an id. The `total` of a list is null if the instance does not report it. */
export type ProjectReads = ReturnType<typeof projectReads>;

const searchFilter = (search: string | null): { search?: string } => (search === null ? {} : { search });

export function projectReads(client: InstanceClient) {
  return {
    /** Throws `invalid-input` for a filter that the list does not have, before any request. */
    list(
      { kind, of }: { kind: (typeof projectListKinds)[number]; of: string },
      query: ProjectQuery,
      pageRequest: PageRequest,
      signal: AbortSignal,
    ) {
      const page = { ...pageRequest, signal };
      switch (kind) {
        case 'all':
          return projectsPage(client, query, page);
        case 'user':
          return userProjectsPage(client, of, query, page);
        case 'contributed':
          return contributedProjectsPage(client, of, query, page);
        case 'starred':
          return starredProjectsPage(client, of, query, page);
        case 'forks':
          return forksPage(client, of, query, page);
        case 'group':
          return groupProjectsPage(client, of, query, page);
      }
    },
    // Without an account, GitLab refuses requests for statistics and custom attributes.
    details: (
      project: string,
      { license, statistics, customAttributes }: Query<'project.details'>,
      signal: AbortSignal,
    ) =>
      projectDetails(client, project, {
        license,
        signal,
        ...(!client.anonymous && { statistics, customAttributes }),
      }),
    users: (
      project: string,
      { search, skipUsers }: Query<'project.users'>,
      pageRequest: PageRequest,
      signal: AbortSignal,
    ) =>
      projectUsersPage(client, project, { ...searchFilter(search), skipUsers }, { ...pageRequest, signal }),
    groups: (
      project: string,
      { search, sharedMinAccessLevel, ...filters }: Query<'project.groups'>,
      pageRequest: PageRequest,
      signal: AbortSignal,
    ) =>
      projectGroupsPage(
        client,
        project,
        {
          ...filters,
          ...searchFilter(search),
          ...(sharedMinAccessLevel !== null && { sharedMinAccessLevel }),
        },
        { ...pageRequest, signal },
      ),
    shareLocations: (project: string, search: string | null, pageRequest: PageRequest, signal: AbortSignal) =>
      shareLocationsPage(client, project, searchFilter(search), { ...pageRequest, signal }),
    starrers: (project: string, search: string | null, pageRequest: PageRequest, signal: AbortSignal) =>
      starrersPage(client, project, searchFilter(search), { ...pageRequest, signal }),
    languages: (project: string, signal: AbortSignal) => projectLanguages(client, project, { signal }),
    /** Yields every upload, newest first. */
    allUploads: (project: string | number, signal: AbortSignal) =>
      everyRecord((cursor) => uploadsPage(client, project, { cursor, limit: 100, signal })),
    /** Newest first. */
    uploads: (project: string, pageRequest: PageRequest, signal: AbortSignal) =>
      uploadsPage(client, project, { ...pageRequest, signal }),
    /** Returns the export status that GitLab reports for the account's own export. */
    exportState: async (projectId: number, signal: AbortSignal) =>
      (await exportStatus(client, projectId, { signal })).state,
  };
}
