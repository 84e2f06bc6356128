/** @file Calls that read projects from an instance directly: its lists, and the parts of one project. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Upload } from '../../../src-contract/projects/project-details.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import type { ProjectReads } from '../../services/instances/remote/project-reads.ts';
import { progressReporter } from '../replies.ts';
import { countingSink } from '../../services/transfers/downloaded-file.ts';

const listOwnerKinds = {
  user: 'user',
  contributed: 'user',
  starred: 'user',
  forks: 'project',
  group: 'group',
};

/** Finds an upload in the list, the only source of its name and size. Throws `not-found`. */
async function uploadWithId(
  reads: ProjectReads,
  project: string,
  id: number,
  signal: AbortSignal,
): Promise<Upload> {
  for await (const upload of reads.allUploads(project, signal)) if (upload.id === id) return upload;
  throw new AppError('not-found', `The project ${project} has no uploaded file with the id ${id}.`, {
    details: { project, upload: id },
  });
}

export function projectReadHandlers(services: Services) {
  const readsOf = (name: string): ProjectReads => services.connections.forInstance(name).projectReads;
  return {
    'project.find': async ({ instance, list: kind, of, query, ...page }, { signal }) => {
      if (kind === 'all' ? of !== null : of === null || of.trim() === '') {
        throw new AppError(
          'invalid-input',
          kind === 'all'
            ? 'The list of all projects accepts no user, group or project.'
            : `Name the ${listOwnerKinds[kind]}.`,
        );
      }
      const { records, next, total } = await readsOf(instance).list(
        { kind, of: of ?? '' },
        query,
        page,
        signal,
      );
      return { projects: records, next, total };
    },

    'project.details': async ({ instance, project, ...wanted }, { signal }) =>
      readsOf(instance).details(project, wanted, signal),

    'project.users': async ({ instance, project, cursor, limit, ...wanted }, { signal }) => {
      const { records, next } = await readsOf(instance).users(project, wanted, { cursor, limit }, signal);
      return { users: records, next };
    },

    'project.groups': async ({ instance, project, cursor, limit, ...wanted }, { signal }) => {
      const { records, next } = await readsOf(instance).groups(project, wanted, { cursor, limit }, signal);
      return { groups: records, next };
    },

    'project.shareLocations': async ({ instance, project, search, ...page }, { signal }) => {
      const { records, next } = await readsOf(instance).shareLocations(project, search, page, signal);
      return { groups: records, next };
    },

    'project.starrers': async ({ instance, project, search, ...page }, { signal }) => {
      const { records, next } = await readsOf(instance).starrers(project, search, page, signal);
      return { starrers: records, next };
    },

    'project.languages': async ({ instance, project }, { signal }) => ({
      languages: await readsOf(instance).languages(project, signal),
    }),

    'project.uploads': async ({ instance, project, ...page }, { signal }) => {
      const { records, next } = await readsOf(instance).uploads(project, page, signal);
      return { uploads: records, next };
    },

    'project.saveUpload': async ({ instance: name, project, uploadId, to }, context) => {
      const { signal } = context;
      const instance = services.instances.get(name);
      const { projectReads } = services.connections.connect(instance);
      const upload = await uploadWithId(projectReads, project, uploadId, signal);
      const total = upload.sizeBytes;
      const onProgress = progressReporter(context, 'download', 'bytes');
      return services.downloads.save({ path: to, name: upload.fileName }, async (file) => {
        const sink = countingSink(file, (done) => {
          onProgress(done, total);
        });
        await services.pacedDownloads.fetchUpload(instance, { project, uploadId }, sink, signal);
        if (sink.done === total) return;
        throw new AppError(
          'unexpected-response',
          `The download has ${sink.done} bytes, but the file is listed with ${total}.`,
        );
      });
    },
  } satisfies Partial<Handlers>;
}
