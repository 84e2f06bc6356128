/** @file Calls about archives: list, show and change stored archives, and read any export file. */
import type { ArchiveSummary } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Confirmations } from '../host/confirmations.ts';
import { adoptionHandlers } from './adoption-handler.ts';
import type { Handlers } from '../handler.ts';
import { readPage, progressReporter, archiveReadOptions } from '../replies.ts';
import { inspectArchiveFile } from '../../services/archives/archive-file.ts';
import { trimToFile } from '../../services/archives/trimming.ts';
import type { Services } from '../../services/services.ts';
import { findSingleStoredArchive, findStoredArchive, findStoredArchives } from './stored-archive.ts';

export function archiveHandlers(services: Services, confirmations: Confirmations) {
  const findStored = (reference: string): Promise<ArchiveSummary> => findStoredArchive(services, reference);
  return {
    ...adoptionHandlers(services),

    'archive.projects': async (request) => {
      const { projects, total } = await services.archives.projects(request);
      return {
        projects: projects.map(({ newest, ...held }) => {
          const { instanceName, instanceUrl, projectId, fullPath } = newest;
          return { ...{ instanceName, instanceUrl, projectId, fullPath }, ...held, newest };
        }),
        total,
      };
    },

    'archive.list': async (request) => {
      const { page, next } = await readPage(request.limit, (limit) =>
        services.archives.list({ ...request, limit }),
      );
      return { archives: page, next };
    },

    'archive.show': async ({ archive }) => {
      const summary = await findStored(archive);
      const alike = services.archives.duplicatesOf(summary);
      const described = await services.archives.describe(summary);
      return { summary, ...described, ...(alike.length === 0 ? {} : { alike }) };
    },

    'archive.inspect': async ({ archive }, context) => {
      const { path } = await services.archives.resolve(archive);
      return inspectArchiveFile(path, archiveReadOptions(context));
    },

    'archive.verify': async ({ archive, level }, context) => {
      const [first, ...others] = await findStoredArchives(services, archive);
      const verify = ({ id }: ArchiveSummary) =>
        services.proofs.verify(id, level, archiveReadOptions(context));
      const verified = await verify(first);
      const copies = [];
      for (const other of others) {
        try {
          copies.push({ ...(await verify(other)), error: null });
        } catch (thrown) {
          context.signal.throwIfAborted();
          const error = AppError.from(thrown);
          if (error.code === 'internal') throw thrown;
          copies.push({ summary: other, proof: null, damaged: null, findings: [], error: error.toData() });
        }
      }
      return { ...verified, ...(copies.length === 0 ? {} : { copies }) };
    },

    'archive.record': async ({ archive, relation, line }, { signal }) => {
      const { path } = await services.archives.resolve(archive);
      return services.records.view(path, { relation, line }, signal);
    },

    'archive.trim': async ({ archive, relations, to }, context) => {
      const { path } = await services.archives.resolve(archive);
      return trimToFile(path, relations, to, archiveReadOptions(context));
    },

    'archive.setPinned': async ({ archive, pinned, note }) => {
      const found = await findSingleStoredArchive(services, archive);
      await services.archives.setPinned(found, pinned, note);
      const summary = await findStored(found.id);
      return { summary, state: (await services.archives.describe(summary)).state };
    },

    'archive.prune': ({ planId, shown }, { signal }) => services.pruning.prune(planId, shown, signal),

    'archive.trash': () => services.trash.list(),

    'archive.moveToTrash': async ({ archive }) => {
      const found = await findSingleStoredArchive(services, archive);
      return { path: found.path, until: await services.trash.put(found) };
    },

    'archive.restore': async ({ trashed }) => ({
      summary: await findStored(await services.trash.restore(trashed)),
    }),

    'archive.emptyTrash': async ({ confirmation }) => {
      confirmations.consume(confirmation, { action: 'trash.empty', instance: '', project: null });
      return { bytes: await services.trash.empty() };
    },

    'archive.rescan': async (_request, context) => {
      const scanned = await services.intake.rescan(
        context.signal,
        progressReporter(context, 'rescan', 'records'),
      );
      // A person chose the folders of these files for archives, so the page may adopt the files.
      for (const file of scanned.withoutManifest) context.grants.grant(file, 'file');
      return scanned;
    },
  } satisfies Partial<Handlers>;
}
