/** @file Calls about an account's own export of a project: request it, show its state, and save its file. */
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { progressReporter } from '../replies.ts';

export function exportHandlers(services: Services) {
  return {
    'export.start': (request, { signal }) => services.exports.start(request, signal),

    'export.status': async ({ instance, project }, { signal }) => {
      const remote = services.connections.forInstance(instance);
      const { id, fullPath } = await remote.project(project, signal);
      return { project: fullPath, state: await remote.projectReads.exportState(id, signal) };
    },

    'export.download': (request, context) =>
      services.exports.download(request, {
        signal: context.signal,
        onBytes: progressReporter(context, 'download', 'bytes'),
      }),
  } satisfies Partial<Handlers>;
}
