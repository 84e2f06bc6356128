/** @file Calls about projects: read the stored lists of all instances, refresh a list, and show one project. */
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { progressReporter } from '../replies.ts';

const isoTime = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

export function projectHandlers(services: Services) {
  return {
    'instance.refresh': async ({ name, visible }, context) => {
      const { signal } = context;
      const instance = services.instances.get(name);
      const remote = services.connections.connect(instance);
      // A token that was given for one command may belong to another account.
      if (!services.refusals.isIgnored(name)) await remote.assertAccount(signal);
      // Without an account there is no membership.
      const filter = { membership: !visible && !instance.anonymous };
      const total = await remote.projectCount(filter, signal);
      const onProgress = progressReporter(context, 'list', 'records');
      const projects = remote.projects(filter, signal);
      const list = await services.projectLists.replace(instance, projects, (done) => {
        onProgress(done, total);
      });
      return { projects: list.projects, refreshedAt: new Date(list.refreshedAt).toISOString() };
    },

    'project.page': (request) => {
      const names =
        request.instance === null
          ? services.instances.list().map(({ name }) => name)
          : [services.instances.get(request.instance).name];
      const refreshTimes = services.projectListStore.refreshTimes();
      return {
        ...services.projectLists.page(request),
        lists: names.map((name) => ({ instance: name, refreshedAt: isoTime(refreshTimes.get(name)) })),
      };
    },

    'project.held': ({ instance, projects }) => ({
      projects: services.projectLists.backupSummariesOf(services.instances.get(instance), projects),
    }),

    'project.show': ({ instance, project }, { signal }) =>
      services.connections.forInstance(instance).project(project, signal),
  } satisfies Partial<Handlers>;
}
