/** @file Calls that change a project. The service checks the request, and a job makes the change once. */
import { checkAttributes } from '../../../src-contract/projects/project-attribute-values.ts';
import type { Confirmations } from '../host/confirmations.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

export function changeHandlers(services: Services, confirmations: Confirmations) {
  return {
    'project.change': (request, { signal }) => {
      const { instance, confirmation } = request;
      const requireConfirmation = (project: string): void => {
        confirmations.consume(confirmation, { action: 'project.delete', instance, project });
      };
      return services.projectChanges.start(request, requireConfirmation, signal);
    },

    'project.checkAttributes': ({ use, attributes }) => ({ attributes: checkAttributes(use, attributes) }),
  } satisfies Partial<Handlers>;
}
