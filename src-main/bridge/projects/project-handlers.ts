/** @file Calls about projects: the stored lists of all instances, a list asked for anew, and one project. */
import { dayMs } from '../../../src-contract/bounds.ts';
import type { Project, BackupStatus } from '../../../src-contract/projects/project.ts';
import type { CallContext, Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

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

/** A project that was imported from a kept archive is not called unprotected for so long: its contents are in that archive. */
export const newCopyMs = dayMs;

/** Marks the projects that the overview counts as new copies. */
function withNewCopies<Row extends { instance: string; id: number; standing: BackupStatus }>(
  services: Services,
  rows: readonly Row[],
): (Row & { newCopy?: boolean })[] {
  if (rows.every(({ standing }) => standing !== 'never')) return [...rows];
  const copies = services.projectLists.newCopies(services.clock.now() - newCopyMs);
  const keys = new Set(copies.map(({ instance, id }) => `${id} ${instance}`));
  return rows.map((row) => (keys.has(`${row.id} ${row.instance}`) ? { ...row, newCopy: true } : row));
}

type ProjectCalls = 'instance.refresh' | 'project.page' | 'project.held' | 'project.show';

export function projectHandlers(services: Services): Pick<Handlers, ProjectCalls> {
  return {
    'instance.refresh': async ({ name, visible }, context) => {
      const instance = services.instances.known(name);
      const remote = services.connections.connect(instance);
      // A token that was given for one command may be another account's.
      if (!services.refusals.isIgnored(name)) await remote.assertAccount(context.signal);
      // Who has no account is a member of nothing.
      const filter = { membership: !visible && !instance.anonymous };
      const total = await remote.projectCount(filter, context.signal);
      const pages = inPages(remote.projects(filter, context.signal), total, context);
      const { projects, refreshedAt } = await services.projectLists.replace(instance, pages);
      return { projects, refreshedAt: new Date(refreshedAt).toISOString() };
    },

    'project.page': (request) => {
      const names = services.instances.list().map(({ name }) => name);
      if (request.instance !== null) services.instances.known(request.instance);
      const refreshed = services.projectLists.refreshed();
      const page = services.projectLists.page({
        ...request,
        importedSince: services.clock.now() - newCopyMs,
      });
      return {
        ...page,
        projects: withNewCopies(services, page.projects),
        lists: names
          .filter((name) => request.instance === null || request.instance === name)
          .map((name) => ({ instance: name, refreshedAt: isoTime(refreshed.get(name)) })),
      };
    },

    'project.held': ({ instance: name, projects }) => {
      const instance = services.instances.known(name);
      const held = services.projectLists.held(instance, projects);
      const rows = held.map((one, at) => ({ ...one, instance: instance.name, id: projects[at]?.id ?? 0 }));
      return {
        projects: withNewCopies(services, rows).map(({ instance: _instance, id: _id, ...one }) => one),
      };
    },

    'project.show': async ({ instance: name, project }, { signal }) => {
      const instance = services.instances.known(name);
      return services.connections.connect(instance).project(project, signal);
    },
  };
}
