/** @file Fits the client's lists and details of projects to what the bridge asks of an instance. */
import type { ProjectReadPort } from '../../../bridge/projects/project-ports.ts';
import type { InstanceClient } from '../../../instance/http/client.ts';
import { exportStatus } from '../../../instance/transfers/exports.ts';
import { forksPage } from '../../../instance/projects/forks.ts';
import {
  projectGroupsPage,
  projectUsersPage,
  shareLocationsPage,
} from '../../../instance/projects/people.ts';
import { projectDetails, projectLanguages } from '../../../instance/projects/project-details.ts';
import {
  contributedProjectsPage,
  groupProjectsPage,
  projectsPage,
  starredProjectsPage,
  userProjectsPage,
} from '../../../instance/projects/project-lists.ts';
import { starrersPage } from '../../../instance/projects/stars.ts';
import { uploadsPage } from '../../../instance/transfers/uploads.ts';

/** What is null is left out of the request. */
const searching = (search: string | null): { search?: string } => (search === null ? {} : { search });

export function projectReads(client: InstanceClient): ProjectReadPort {
  return {
    find({ kind, of }, query, place, signal) {
      const page = { ...place, signal };
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
    // Without an account nobody is shown them, and to ask for them is refused.
    details: (project, { license, statistics, customAttributes }, signal) =>
      projectDetails(client, project, {
        license,
        signal,
        ...(!client.anonymous && { statistics, customAttributes }),
      }),
    users: (project, { search, skipUsers }, place, signal) =>
      projectUsersPage(client, project, { ...searching(search), skipUsers }, { ...place, signal }),
    groups: (project, { search, sharedMinAccessLevel, ...wanted }, place, signal) =>
      projectGroupsPage(
        client,
        project,
        {
          ...wanted,
          ...searching(search),
          ...(sharedMinAccessLevel !== null && { sharedMinAccessLevel }),
        },
        { ...place, signal },
      ),
    shareLocations: (project, search, place, signal) =>
      shareLocationsPage(client, project, searching(search), { ...place, signal }),
    starrers: (project, search, place, signal) =>
      starrersPage(client, project, searching(search), { ...place, signal }),
    languages: (project, signal) => projectLanguages(client, project, { signal }),
    uploads: (project, place, signal) => uploadsPage(client, project, { ...place, signal }),
    exportState: async (projectId, signal) => (await exportStatus(client, projectId, { signal })).state,
  };
}
