/** @file Calls about projects: the list of an instance, from the catalogue or fresh, and one project. */
import type { Project } from '../../src-preload/contract/project.ts';
import { knownInstance } from './instance-handlers.ts';
import type { BridgePorts, CallContext, Handlers } from './ports.ts';

const pageSize = 100;

async function* inPages(projects: AsyncIterable<Project>, context: CallContext): AsyncGenerator<Project[]> {
  let page: Project[] = [];
  let done = 0;
  for await (const project of projects) {
    page.push(project);
    if (page.length < pageSize) continue;
    done += page.length;
    context.progress({ step: 'list', unit: 'records', done, total: null });
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

export function projectHandlers(ports: BridgePorts): Pick<Handlers, 'project.list' | 'project.show'> {
  return {
    'project.list': async (request, context) => {
      const instance = await knownInstance(ports, request.instance);
      if (request.refresh) {
        const remote = ports.instances.connect(instance);
        const all = remote.projects({ membership: !request.visible }, context.signal);
        await ports.projectLists.replace(instance.name, inPages(all, context));
      }
      const listed = ports.projectLists.list(instance.name, request);
      const { refreshedAt } = listed;
      return { ...listed, refreshedAt: refreshedAt === null ? null : new Date(refreshedAt).toISOString() };
    },

    'project.show': async ({ instance: name, project }, { signal }) => {
      const instance = await knownInstance(ports, name);
      return ports.instances.connect(instance).project(project, signal);
    },
  };
}
