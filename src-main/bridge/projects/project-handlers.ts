/** @file Calls about projects: the stored lists of all instances, a list that is refreshed, and one project. */
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

const isoTime = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

type ProjectCalls = 'instance.refresh' | 'project.page' | 'project.held' | 'project.show';

export function projectHandlers(services: Services): Pick<Handlers, ProjectCalls> {
  return {
    'instance.refresh': async ({ name, visible }, context) => {
      const { signal } = context;
      const instance = services.instances.known(name);
      const remote = services.connections.connect(instance);
      // A token that was given for one command may be another account's.
      if (!services.refusals.isIgnored(name)) await remote.assertAccount(signal);
      // Without an account there is no membership.
      const filter = { membership: !visible && !instance.anonymous };
      const total = await remote.projectCount(filter, signal);
      const listed = await services.projectLists.replace(
        instance,
        remote.projects(filter, signal),
        (done) => {
          context.progress({ step: 'list', unit: 'records', done, total });
        },
      );
      return { projects: listed.projects, refreshedAt: new Date(listed.refreshedAt).toISOString() };
    },

    'project.page': (request) => {
      const names =
        request.instance === null
          ? services.instances.list().map(({ name }) => name)
          : [services.instances.known(request.instance).name];
      const refreshed = services.listed.refreshed();
      return {
        ...services.projectLists.page(request),
        lists: names.map((name) => ({ instance: name, refreshedAt: isoTime(refreshed.get(name)) })),
      };
    },

    'project.held': ({ instance, projects }) => ({
      projects: services.projectLists.held(services.instances.known(instance), projects),
    }),

    'project.show': async ({ instance: name, project }, { signal }) => {
      const instance = services.instances.known(name);
      return services.connections.connect(instance).project(project, signal);
    },
  };
}
