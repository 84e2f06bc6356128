/** @file Calls about imports: start an import from an archive or an address, and show the status of any import. */
import { archiveReadOptions } from '../replies.ts';
import type { Confirmations } from '../host/confirmations.ts';
import type { CallContext, Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import type { ImportContext } from '../../services/transfers/imports.ts';

export function importHandlers(services: Services, confirmations: Confirmations) {
  const contextOf = (context: CallContext, confirmation: string | null): ImportContext => ({
    readOptions: archiveReadOptions(context),
    requireConfirmation(instance, project) {
      confirmations.consume(confirmation, { action: 'import.overwrite', instance, project });
    },
  });
  return {
    'import.markUndelivered': ({ job, by }) => ({ target: services.jobs.markUndelivered(job, by).project }),

    'import.start': (request, context) =>
      services.imports.start(request, contextOf(context, request.confirmation)),

    'import.url': (request, context) =>
      services.imports.startFromUrl(request, contextOf(context, request.confirmation)),

    'import.s3': (request, context) => services.imports.startFromStorage(request, contextOf(context, null)),

    'import.relation': (request, context) =>
      services.imports.startRelation(request, archiveReadOptions(context)),

    'import.relations': async ({ instance, project }, { signal }) => {
      const remote = services.connections.forInstance(instance);
      const { id } = await remote.project(project, signal);
      return { relationImports: await remote.relationImports(id, signal) };
    },

    'import.status': (request, { signal }) => services.importStatus.read(request, signal),
  } satisfies Partial<Handlers>;
}
