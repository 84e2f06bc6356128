/** @file Calls about an account's own export of a project: its state, and saving its file outside the store. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { progressReporter } from '../replies.ts';
import { countingSink } from '../../services/transfers/downloaded-file.ts';

export function exportHandlers(services: Services) {
  return {
    'export.status': async ({ instance, project }, { signal }) => {
      const remote = services.connections.forInstance(instance);
      const { id, fullPath } = await remote.project(project, signal);
      return { project: fullPath, state: await remote.projectReads.exportState(id, signal) };
    },

    'export.download': async ({ instance, project, to }, context) => {
      const known = services.instances.get(instance);
      const remote = services.connections.connect(known);
      const { id, fullPath } = await remote.project(project, context.signal);
      const name = `${fullPath.replaceAll('/', '-')}_export.tar.gz`;
      return services.downloads.saveArchive({ path: to, name }, async (file) => {
        const sink = countingSink(file, progressReporter(context, 'download', 'bytes'));
        try {
          await services.pacedDownloads.fetchExport(known, { id, fullPath }, sink, context.signal);
        } catch (thrown) {
          const error = AppError.from(thrown);
          // GitLab responds in the same way for an expired export and for one that never existed.
          if (error.code !== 'export-gone' || error.retry !== 'never') throw error;
          if ((await remote.projectReads.exportState(id, context.signal)) !== 'none') throw error;
          throw new AppError('export-gone', `There is no export of ${fullPath} by this account.`, {
            details: { ...error.details, none: true },
          });
        }
      });
    },
  } satisfies Partial<Handlers>;
}
