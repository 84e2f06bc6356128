/** @file Adapts the GitLab client to the needs of jobs and services. One connection pool per instance. */
import { listedContents } from '../../../jobs/migrations/comparing/contents/compared-fields.ts';
import { snippetPaths } from '../../../jobs/migrations/comparing/contents/snippet-files.ts';
import { shownUnexportedParts } from '../../../jobs/migrations/comparing/losses/unexported-parts.ts';
import { listedPeople } from '../../../jobs/migrations/comparing/people/record-people.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { paceForVersion, type Instance } from '../../../../src-contract/instances/instance.ts';
import type { TokenFilter } from '../../../../src-contract/tokens/token.ts';
import {
  createInstanceClient,
  type InstanceClient,
  type InstanceClientOptions,
} from '../../../gitlab/http/client.ts';
import type { SentWrite } from '../../../gitlab/http/sender.ts';
import { discussionsOf } from '../../../gitlab/projects/discussions.ts';
import { valueOnError } from '../../../gitlab/http/value-on-error.ts';
import { projectCounts } from '../../../gitlab/projects/counts.ts';
import { downloadExport, exportStatus, requestExport } from '../../../gitlab/transfers/exports.ts';
import {
  directMembers,
  accountOf,
  listIdentities,
  type RecordIdentities,
} from '../../../gitlab/projects/identities.ts';
import { readMergeRequestDiff } from '../../../gitlab/projects/merge-request-diff.ts';
import { hasIterations, readRecordPart } from '../../../gitlab/projects/record-parts.ts';
import { pendingInvitations } from '../../../gitlab/projects/invitations.ts';
import { protectedRefs } from '../../../gitlab/projects/protected-refs.ts';
import { findLfsObjects } from '../../../gitlab/projects/lfs-objects.ts';
import { readWikiPages } from '../../../gitlab/projects/wiki-pages.ts';
import { importFile, importStatus } from '../../../gitlab/transfers/imports.ts';
import {
  countProjects,
  getNamespace,
  getProject,
  highestProjectId,
  listProjects,
  projectsAfter,
} from '../../../gitlab/projects/projects.ts';
import { recordTotals, type RecordTotals } from '../../../gitlab/projects/record-totals.ts';
import { authorsByIid, relationTarget } from '../../../gitlab/projects/relation-target.ts';
import { importRelation, relationImports } from '../../../gitlab/transfers/relation-imports.ts';
import { applicationSettings } from '../../../gitlab/instances/application-settings.ts';
import { getGroup } from '../../../gitlab/projects/groups.ts';
import type { VisibilityLimits } from '../../../jobs/migrations/imported-visibility.ts';
import { importFromS3, importFromUrl } from '../../../gitlab/transfers/remote-imports.ts';
import { currentUser, serverVersion, tokenInfo } from '../../../gitlab/instances/server.ts';
import { getToken, getOwnToken, tokensPage } from '../../../gitlab/instances/tokens.ts';
import type { DownloadInterruption, DownloadStart } from '../../../gitlab/transfers/transfers.ts';
import { readFurtherSettings } from '../../../gitlab/projects/further-settings.ts';
import { allUploads, downloadAvatar, downloadUpload } from '../../../gitlab/transfers/uploads.ts';
import { withPacked } from '../../../platform/packed-values.ts';
import type { DownloadSink, InstancePort, ProjectSource } from '../../../jobs/ports.ts';
import { preflightReads, type PreflightReads } from './preflight-reads.ts';
import { projectReads, type ProjectReads } from './project-reads.ts';
import { remoteChanges } from './remote-changes.ts';

/** GitLab checks only the file extension and refuses `.tgz` (gitlab-facts 4). The local file name is never sent. */
const uploadName = 'project_export.tar.gz';

/** Reads the tokens of the instance. The requests are authenticated with the token in use. */
const tokenReads = (client: InstanceClient) => ({
  page: (
    filter: Partial<TokenFilter>,
    pageRequest: { cursor: string | null; limit: number },
    signal: AbortSignal,
  ) => tokensPage(client, filter, { ...pageRequest, signal }),
  get: (id: number, signal: AbortSignal) => getToken(client, id, { signal }),
  getOwn: (signal: AbortSignal) => getOwnToken(client, { signal }),
});

/** One instance, ready for requests. Every failure is an `AppError`. */
export interface RemoteInstance
  extends InstancePort, Pick<ProjectSource, 'projects' | 'projectCount' | 'administrator' | 'assertAccount'> {
  user(signal: AbortSignal): Promise<{ id: number; username: string; administrator: boolean }>;
  /** Returns null if the instance cannot describe the token that sends the request. */
  token(signal: AbortSignal): Promise<{ scopes: string[]; expiresOn: string | null } | null>;
  /** Returns the full path of a namespace given by path or id. Throws `namespace-missing`. */
  namespacePath(idOrPath: string, signal: AbortSignal): Promise<string>;
  tokens: ReturnType<typeof tokenReads>;
  projectReads: ProjectReads;
  /** Returns the identities of a project's records; null for a list that may not be read. */
  listRecordKeys(projectId: number, signal: AbortSignal): Promise<RecordIdentities>;
  /** Counts the project's records from the totals of its lists. */
  recordTotals(projectId: number, signal: AbortSignal): Promise<RecordTotals>;
  /** Returns the direct members; null if they may not be read. */
  members(projectId: number, signal: AbortSignal): ReturnType<typeof directMembers>;
  /** Returns null if the invitations may not be read, or the server has no such list. */
  invitations(projectId: number, signal: AbortSignal): ReturnType<typeof pendingInvitations>;
  /** Returns null if the uploads may not be listed, or the server has no such list. */
  uploads(projectId: number, signal: AbortSignal): ReturnType<typeof allUploads>;
  /** Returns the username of a person's account, by e-mail address or, without one, by name; null without one. */
  accountOf(person: Parameters<typeof accountOf>[1], signal: AbortSignal): Promise<string | null>;
  protectedRefs(
    projectId: number,
    kind: Parameters<typeof protectedRefs>[2],
    signal: AbortSignal,
  ): ReturnType<typeof protectedRefs>;
  /** Returns null if the pages may not be read. */
  wikiPages(projectId: number, signal: AbortSignal): ReturnType<typeof readWikiPages>;
  /** Returns the oids of those objects that the project has; null if the Git server does not answer. */
  lfsObjects(
    fullPath: string,
    objects: Parameters<typeof findLfsObjects>[2],
    signal: AbortSignal,
  ): ReturnType<typeof findLfsObjects>;
  /** Returns those settings that may be read. */
  furtherSettings(
    projectId: number,
    asked: Parameters<typeof readFurtherSettings>[2],
    signal: AbortSignal,
  ): ReturnType<typeof readFurtherSettings>;
  /** Returns the newest changes of a merge request; null if they may not be read. */
  mergeRequestDiff(
    projectId: number,
    iid: number,
    signal: AbortSignal,
  ): ReturnType<typeof readMergeRequestDiff>;
  /** Returns the discussions of a record or a commit; null if they may not be read. */
  discussions(
    projectId: number,
    noteable: Parameters<typeof discussionsOf>[2],
    signal: AbortSignal,
  ): ReturnType<typeof discussionsOf>;
  /** Returns whether groups of the project have an iteration; true also if they may not be read. */
  hasIterations(projectId: number, signal: AbortSignal): Promise<boolean>;
  /** Returns a part of a record that no list shows, as columns; null if it may not be read. */
  recordPart(
    projectId: number,
    part: Parameters<typeof readRecordPart>[2],
    signal: AbortSignal,
  ): ReturnType<typeof readRecordPart>;
  /** Returns what limits the visibility of the projects in a namespace. */
  visibilityLimits(namespace: string, signal: AbortSignal): Promise<VisibilityLimits>;
  preflight: PreflightReads;
  /** Downloads a file that was uploaded to a project. Works like `downloadExport`. */
  downloadUpload(project: string, uploadId: number, sink: DownloadSink, signal: AbortSignal): Promise<void>;
  /** Downloads the avatar of a project. Works like `downloadExport`. */
  downloadAvatar(projectId: number, sink: DownloadSink, signal: AbortSignal): Promise<void>;
}

export interface ConnectedInstance extends RemoteInstance {
  /** Returns the same instance over the same connections, but reports its writes to `onWrite`. */
  withWriteObserver(onWrite: (write: SentWrite) => void): RemoteInstance;
  close(): void;
}

export function createRemoteInstance(
  instance: Instance,
  options: InstanceClientOptions,
  wrapClient: (client: InstanceClient) => InstanceClient,
): ConnectedInstance {
  const open = (extraOptions: Partial<InstanceClientOptions> = {}): InstanceClient =>
    wrapClient(createInstanceClient({ ...options, ...extraOptions }));
  const client = open();
  /** The version from the last response. The version in the settings may be outdated after an upgrade. */
  const serverState = { version: instance.serverVersion };
  return {
    ...buildRemote(instance, client, serverState),
    get pace() {
      return paceForVersion(instance.pace, serverState.version);
    },
    withWriteObserver(onWrite) {
      // Every write uses its own connection anyway. Cached reads stay shared.
      const { postJson, putJson, delete: remove, upload } = open({ onWrite });
      return buildRemote(instance, { ...client, postJson, putJson, delete: remove, upload }, serverState);
    },
    close: client.close,
  };
}

const sinkCallbacks = (sink: DownloadSink) => ({
  onStart: (facts: DownloadStart) => sink.onStart(facts),
  onChunk: (chunk: Uint8Array) => sink.onChunk(chunk),
  beforeResume: (interruption: DownloadInterruption) => sink.beforeResume(interruption),
});

function buildRemote(
  instance: Instance,
  client: InstanceClient,
  serverState: { version: string | null },
): RemoteInstance {
  const { clock } = client;
  return {
    name: instance.name,
    url: instance.url,
    username: instance.username,
    pace: paceForVersion(instance.pace, serverState.version),
    administrator: instance.administrator,

    async serverInfo(signal) {
      const { version, serverDate } = await serverVersion(client, { signal });
      serverState.version = version;
      return { version, clockSkewMs: serverDate === null ? null : serverDate - clock.now() };
    },
    user: (signal) => currentUser(client, { signal }),
    async assertAccount(signal) {
      const { userId, username: expected } = instance;
      if (userId === null) return;
      const { id, username } = await currentUser(client, { signal });
      if (id === userId) return;
      throw new AppError('account-changed', `The token of "${instance.name}" belongs to ${username}.`, {
        details: { instance: instance.name, username, expected },
      });
    },
    userId: async (signal) => (await currentUser(client, { signal })).id,
    token: (signal) => tokenInfo(client, { signal }),
    project: (idOrPath, signal) => getProject(client, idOrPath, { signal }),
    projects: (filter, signal) => listProjects(client, { ...filter, signal }),
    projectCount: (filter, signal) => countProjects(client, { ...filter, signal }),
    highestProjectId: (signal) => highestProjectId(client, { signal }),
    projectsAfter: (id, search, signal) => projectsAfter(client, id, { search, signal }),
    namespacePath: async (idOrPath, signal) => (await getNamespace(client, idOrPath, { signal })).fullPath,
    namespaceExists(fullPath, signal) {
      const found = getNamespace(client, fullPath, { signal }).then(() => true);
      return valueOnError({ 'namespace-missing': false }, found);
    },
    counts: (projectId, signal, onLabel) => projectCounts(client, projectId, { signal }, onLabel),
    listRecordKeys: (projectId, signal) => listIdentities(client, projectId, withRow, { signal }),
    recordTotals: (projectId, signal) => recordTotals(client, projectId, { signal }),
    members: (projectId, signal) => directMembers(client, projectId, { signal }),
    invitations: (projectId, signal) => pendingInvitations(client, projectId, { signal }),
    uploads: (projectId, signal) => allUploads(client, projectId, { signal }),
    accountOf: (person, signal) => accountOf(client, person, { signal }),
    protectedRefs: (projectId, kind, signal) => protectedRefs(client, projectId, kind, { signal }),
    wikiPages: (projectId, signal) => readWikiPages(client, projectId, { signal }),
    lfsObjects: (fullPath, objects, signal) => findLfsObjects(client, fullPath, objects, { signal }),
    furtherSettings: (projectId, asked, signal) => readFurtherSettings(client, projectId, asked, { signal }),
    mergeRequestDiff: (projectId, iid, signal) => readMergeRequestDiff(client, projectId, iid, { signal }),
    discussions: (projectId, noteable, signal) => discussionsOf(client, projectId, noteable, { signal }),
    hasIterations: (projectId, signal) => hasIterations(client, projectId, { signal }),
    recordPart: (projectId, part, signal) =>
      readRecordPart(client, projectId, part, { signal, version: serverState.version }),
    async visibilityLimits(namespace, signal) {
      const group = await valueOnError(
        { 'namespace-missing': null },
        getGroup(client, namespace, { signal }),
      );
      const settings = await applicationSettings(client, { signal });
      return { group: group?.visibility ?? null, restricted: settings?.restrictedVisibilities ?? [] };
    },
    tokens: tokenReads(client),
    projectReads: projectReads(client),
    preflight: preflightReads(client),

    requestExport: (projectId, signal, { description, push } = { description: null, push: null }) =>
      requestExport(client, projectId, {
        ...(description !== null && { description }),
        ...(push !== null && { push }),
        signal,
      }),
    async exportState(projectId, signal) {
      const { state } = await exportStatus(client, projectId, { signal });
      // GitLab up to 12 reports a separate phase after it created the file. The export is still running then.
      return state === 'after_export_action' ? 'started' : state;
    },
    async downloadExport(projectId, sink, signal) {
      await downloadExport(client, projectId, { ...sinkCallbacks(sink), signal });
    },
    async downloadUpload(project, uploadId, sink, signal) {
      await downloadUpload(client, project, uploadId, { ...sinkCallbacks(sink), signal });
    },
    async downloadAvatar(projectId, sink, signal) {
      await downloadAvatar(client, projectId, { ...sinkCallbacks(sink), signal });
    },
    importFile: ({ archivePath, sha256, path, name, ...rest }, onProgress, signal) =>
      importFile(client, {
        ...rest,
        path: archivePath,
        expectedSha256: sha256,
        projectPath: path,
        ...(name === null ? {} : { name }),
        fileName: uploadName,
        onProgress,
        signal,
      }),
    importStatus: (projectId, signal) => importStatus(client, projectId, { signal }),
    importRemote({ from, namespace, path, name, overwrite, overrideParams }, signal) {
      const target = { namespace, path, ...(name !== null && { name }), overrideParams, signal };
      return 'url' in from
        ? importFromUrl(client, { ...target, url: from.url, overwrite })
        : importFromS3(client, { ...target, ...from });
    },
    importRelation: ({ archivePath, ...request }, onProgress, signal) =>
      importRelation(client, { ...request, path: archivePath, fileName: uploadName, onProgress, signal }),
    relationImports: (projectId, signal) => relationImports(client, projectId, { signal }),
    targetSnapshot: (projectId, signal) => relationTarget(client, projectId, { signal }),
    recordAuthors: (projectId, relation, iids, signal) =>
      authorsByIid(client, projectId, relation, iids, { signal }),
    changes: remoteChanges(client),
  };
}

/** Adds what comparisons need of a row of a list. */
const withRow: Parameters<typeof listIdentities>[2] = ({ title, ...identity }, relation, row) => {
  const unexportedParts = shownUnexportedParts(relation, row);
  return withPacked(identity, {
    title,
    contents: listedContents(relation, row),
    users: listedPeople(relation, row),
    ...(relation === 'snippets' && { filePaths: snippetPaths(row) }),
    ...(unexportedParts.length > 0 && { unexportedParts }),
  });
};
