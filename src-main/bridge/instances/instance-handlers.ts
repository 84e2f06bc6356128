/** @file Calls about instances: add, check, change and remove them, and set their token. */
import type { Confirmations } from '../host/confirmations.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

export function instanceHandlers(services: Services, confirmations: Confirmations) {
  return {
    'instance.setToken': async (request, { signal }) => {
      const lost = await services.tokenEntry.set(request, signal);
      return lost === null ? {} : { lost };
    },

    'instance.preview': (request, { signal }) => services.registration.preview(request, signal),

    'instance.add': (request, { signal }) => services.registration.add(request, signal),

    'instance.list': () => ({ instances: services.instances.list() }),

    'instance.check': ({ name }, { signal }) =>
      services.checks.checkAndSave(services.instances.get(name), signal),

    'instance.change': (request, { signal }) => services.registration.change(request, signal),

    'instance.remove': async ({ name, confirmation }) => {
      services.instances.get(name);
      confirmations.consume(confirmation, { action: 'instance.remove', instance: name, project: null });
      await services.registration.remove(name);
      return {};
    },
  } satisfies Partial<Handlers>;
}
