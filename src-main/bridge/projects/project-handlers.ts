/** @file Calls about projects: the stored lists of all instances, a list asked for anew, and one project. */
import type { Project } from '../../../src-preload/contract/projects/project.ts';
import { knownInstance } from '../instances/instance-handlers.ts';
import type { BridgePorts, CallContext, Handlers } from '../ports.ts';

const pageSize = 100;

async function* inPages(
  projects: AsyncIterable<Project>,
  total: number | null,
  context: CallContext,
): AsyncGenerator<Project[]> {
  let page: Project[] = [];
  let done = 0;
  const tell = (): void => {
    context.progress({ step: 'list', unit: 'records', done, total });
  };
  tell();
  for await (const project of projects) {
    page.push(project);
    if (page.length < pageSize) continue;
    yield page;
    done += page.length;
    tell();
    page = [];
  }
  if (page.length > 0) yield page;
}

const isoTime = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

type ProjectCalls = 'instance.refresh' | 'project.page' | 'project.held' | 'project.show';

export function projectHandlers(ports: BridgePorts): Pick<Handlers, ProjectCalls> {
  return {
    'instance.refresh': async ({ name, visible }, context) => {
      const instance = await knownInstance(ports, name);
      const remote = ports.instances.connect(instance);
      // Who has no account is a member of nothing.
      const filter = { membership: !visible && !instance.anonymous };
      const total = await remote.projectCount(filter, context.signal);
      const pages = inPages(remote.projects(filter, context.signal), total, context);
      const { projects, refreshedAt } = await ports.projectLists.replace(instance, pages);
      return { projects, refreshedAt: new Date(refreshedAt).toISOString() };
    },

    'project.page': async (request) => {
      const names = (await ports.instances.list()).map(({ name }) => name);
      if (request.instance !== null) await knownInstance(ports, request.instance);
      const refreshed = ports.projectLists.refreshed();
      return {
        ...ports.projectLists.page(request),
        lists: names
          .filter((name) => request.instance === null || request.instance === name)
          .map((name) => ({ instance: name, refreshedAt: isoTime(refreshed.get(name)) })),
      };
    },

    'project.held': async ({ instance, projects }) => ({
      projects: ports.projectLists.held(await knownInstance(ports, instance), projects),
    }),

    'project.show': async ({ instance: name, project }, { signal }) => {
      const instance = await knownInstance(ports, name);
      return ports.instances.connect(instance).project(project, signal);
    },
  };
}
