/** @file Fits the GitLab client to what jobs and bridge ask of an instance. One connection pool per instance. */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { Instance } from '../../src-preload/contract/instance.ts';
import type { RemotePort } from '../bridge/ports.ts';
import { createInstanceClient, type InstanceClientOptions } from '../instance/client.ts';
import { projectCounts } from '../instance/counts.ts';
import { downloadExport, exportStatus, requestExport } from '../instance/exports.ts';
import { importFile, importStatus } from '../instance/imports.ts';
import {
  countProjects,
  getNamespace,
  getProject,
  highestProjectId,
  listProjects,
} from '../instance/projects.ts';
import { currentUser, serverVersion, tokenInfo } from '../instance/server.ts';
import type { InstancePort } from '../jobs/ports.ts';
import type { Clock } from '../platform/clock.ts';
import { projectReads } from './remote-reads.ts';

/** GitLab looks at the ending alone and refuses `.tgz` (gitlab-facts 4); the file's own name stays ours. */
const uploadName = 'project_export.tar.gz';

export interface Remote extends RemotePort, InstancePort {
  close(): void;
}

export function createRemote(
  instance: Instance,
  options: Pick<InstanceClientOptions, 'token' | 'userAgent' | 'clock' | 'proxy'> & {
    log: NonNullable<InstanceClientOptions['log']>;
  },
): Remote {
  const client = createInstanceClient({ ...options, baseUrl: instance.url, caFile: instance.caFile });
  const clock: Clock = options.clock;
  return {
    name: instance.name,
    url: instance.url,
    username: instance.username,
    pace: instance.pace,

    async server(signal) {
      const { version, serverDate } = await serverVersion(client, { signal });
      return { version, clockSkewMs: serverDate === null ? null : serverDate - clock.now() };
    },
    user: (signal) => currentUser(client, { signal }),
    userId: async (signal) => (await currentUser(client, { signal })).id,
    token: (signal) => tokenInfo(client, { signal }),
    project: (idOrPath, signal) => getProject(client, idOrPath, { signal }),
    projects: ({ membership }, signal) => listProjects(client, { membership, signal }),
    projectCount: ({ membership }, signal) => countProjects(client, { membership, signal }),
    highestProjectId: (signal) => highestProjectId(client, { signal }),
    namespace: async (idOrPath, signal) => (await getNamespace(client, idOrPath, { signal })).fullPath,
    async namespaceExists(fullPath, signal) {
      try {
        await getNamespace(client, fullPath, { signal });
        return true;
      } catch (thrown) {
        if (AppError.from(thrown).code === 'namespace-missing') return false;
        throw thrown;
      }
    },
    counts: (projectId, signal) => projectCounts(client, projectId, { signal }),
    reads: projectReads(client),

    requestExport: (projectId, signal) => requestExport(client, projectId, { signal }),
    async exportState(projectId, signal) {
      const { state } = await exportStatus(client, projectId, { signal });
      // GitLab up to 12 named the phase after the file was made; the export is then still running.
      return state === 'after_export_action' ? 'started' : state;
    },
    async downloadExport(projectId, sink, signal) {
      await downloadExport(client, projectId, {
        signal,
        onStart: ({ totalBytes, lastModified }) => {
          sink.onStart({ totalBytes, lastModified });
        },
        onChunk: (chunk) => sink.onChunk(chunk),
      });
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
    close: () => {
      client.close();
    },
  };
}
