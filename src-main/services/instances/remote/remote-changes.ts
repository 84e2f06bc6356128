/** @file Adapts the GitLab client to the needs of jobs that change a project. */
import type { InstanceClient } from '../../../gitlab/http/client.ts';
import {
  archiveProject,
  deleteProject,
  restoreProject,
  unarchiveProject,
} from '../../../gitlab/projects/deletion.ts';
import { forkProject } from '../../../gitlab/projects/forks.ts';
import { projectDetails } from '../../../gitlab/projects/project-details.ts';
import { createProject, createProjectForUser, editProject } from '../../../gitlab/projects/project-edit.ts';
import { addRecord, editRecord, readRecord } from '../../../gitlab/projects/record-edits.ts';
import { createGroup } from '../../../gitlab/projects/groups.ts';
import { getNamespace } from '../../../gitlab/projects/projects.ts';
import { currentUser } from '../../../gitlab/instances/server.ts';
import { starProject, starrersPage, unstarProject } from '../../../gitlab/projects/stars.ts';
import { uploadFile } from '../../../gitlab/transfers/uploads.ts';
import type { ChangePort } from '../../../jobs/projects/change-ports.ts';
import { everyRecord } from './every-record.ts';
import { projectReads } from './project-reads.ts';

export function remoteChanges(client: InstanceClient): ChangePort {
  return {
    details: (projectId, signal) =>
      projectDetails(client, projectId, { statistics: !client.anonymous, signal }),
    async create({ namespace, forUser, attributes }, signal) {
      const { id } = await getNamespace(client, namespace, { signal });
      const all = { ...attributes, namespace_id: id };
      return forUser === null
        ? createProject(client, all, { signal })
        : createProjectForUser(client, forUser, all, { signal });
    },
    edit: (projectId, attributes, signal) => editProject(client, projectId, attributes, { signal }),
    fork(projectId, { namespace, name, path, description, visibility, branches, mergeIntoItself }, signal) {
      return forkProject(client, projectId, {
        namespace,
        ...(name !== null && { name }),
        ...(path !== null && { path }),
        ...(description !== null && { description }),
        ...(visibility !== null && { visibility }),
        ...(branches !== null && { branches }),
        ...(mergeIntoItself !== null && { mergeIntoItself }),
        signal,
      });
    },
    async isStarred(projectId, signal) {
      const { id, username } = await currentUser(client, { signal });
      const found = everyRecord((cursor) =>
        starrersPage(client, projectId, { search: username }, { cursor, limit: 100, signal }),
      );
      for await (const { user } of found) if (user.id === id) return true;
      return false;
    },
    async setStar(projectId, starred, signal) {
      const { changed } = await (starred ? starProject : unstarProject)(client, projectId, { signal });
      return changed;
    },
    createGroup: (request, signal) => createGroup(client, { ...request, signal }),
    async setArchived(projectId, archived, signal) {
      await (archived ? archiveProject : unarchiveProject)(client, projectId, { signal });
    },
    delete: (projectId, fullPath, signal) =>
      deleteProject(client, projectId, { ...(fullPath !== null && { permanently: { fullPath } }), signal }),
    async restore(projectId, signal) {
      await restoreProject(client, projectId, { signal });
    },
    async upload(projectId, file, onProgress, signal) {
      const { id, name, url, markdown } = await uploadFile(client, projectId, {
        ...file,
        onProgress,
        signal,
      });
      return { id, name, url, markdown };
    },
    record: (projectId, relation, key, signal) => readRecord(client, projectId, relation, key, { signal }),
    addRecord: (projectId, relation, body, signal) =>
      addRecord(client, projectId, relation, body, { signal }),
    editRecord: (projectId, relation, record, body, signal) =>
      editRecord(client, projectId, relation, record, body, { signal }),
    uploads: projectReads(client).allUploads,
  };
}
