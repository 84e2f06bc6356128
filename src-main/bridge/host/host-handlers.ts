/** @file Calls about the host: its capabilities, and confirmations before something is destroyed. */
import { AppError } from '../../../src-contract/errors.ts';
import type { DeletionForecast, DestroyedData } from '../../../src-contract/host.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import { findStoredArchive } from '../archives/stored-archive.ts';
import type { Confirmations, ConfirmationTarget } from './confirmations.ts';
import { predictDeletion } from '../../services/projects/deletion-forecast.ts';
import type { HostActions } from './host-port.ts';
import { openableLink } from './links.ts';
import { sourceIdOf, retryConfirmationTarget } from '../migrations/migration-handlers.ts';
import { destroyedProjects, replacedByRetry, replacedByStart } from '../../services/migrations/replacing.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

async function destroyedWithInstance(services: Services, name: string): Promise<DestroyedData[]> {
  const source = await services.tokens.source(name).catch(() => null);
  const plans = services.plans.list().filter(({ plan }) => plan.instance === name);
  return [
    // A token in an environment variable is not removed.
    ...(source === null || source === 'environment' ? [] : [{ what: 'token' as const, name, count: null }]),
    { what: 'project-list', name, count: services.projectListStore.count(name) },
    ...(plans.length === 0 ? [] : [{ what: 'plan' as const, name, count: plans.length }]),
  ];
}

async function destroyedWithProject(
  services: Services,
  instance: Instance,
  target: string,
  signal: AbortSignal,
): Promise<DestroyedData[]> {
  const remote = services.connections.connect(instance);
  try {
    const project = await remote.project(target, signal);
    const counts = await remote.counts(project.id, signal);
    const records = Object.entries(counts).flatMap(([name, count]): DestroyedData[] =>
      count === null || count === 0 ? [] : [{ what: 'records', name, count }],
    );
    return [{ what: 'project', name: project.fullPath, count: null }, ...records];
  } catch (thrown) {
    if (AppError.from(thrown).code === 'project-missing') return [];
    throw thrown;
  }
}

/** Returns the full path of the target, also if its namespace was given by id. */
async function targetOf(
  services: Services,
  instance: Instance,
  typed: string | null,
  signal: AbortSignal,
): Promise<string> {
  const slashIndex = typed?.lastIndexOf('/') ?? -1;
  if (typed === null || slashIndex < 1 || slashIndex === typed.length - 1) {
    throw new AppError('invalid-input', 'The target must be a full path: namespace and project.');
  }
  const namespace = await services.connections
    .connect(instance)
    .namespacePath(typed.slice(0, slashIndex), signal);
  return `${namespace}/${typed.slice(slashIndex + 1)}`;
}

export function hostHandlers(services: Services, host: HostActions, confirmations: Confirmations) {
  const requireCapability = (capability: 'choosePath' | 'reveal' | 'openLink', what: string): void => {
    if (!host.capabilities[capability])
      throw new AppError('host-cannot', `Packhorse cannot ${what} when it runs in this way.`);
  };
  return {
    'host.describe': () => services.describeHost(),

    'host.capabilities': async () => ({
      ...host.capabilities,
      keychain: await services.tokens.hasKeychain(),
      handOverTokens: services.recipient.isAvailable,
    }),

    'host.choosePath': async ({ what }, { grants: paths }) => {
      requireCapability('choosePath', 'show a file dialog');
      const path = await host.choosePath(what);
      if (path !== null) paths.grant(path, what === 'archive' ? 'file' : what);
      return { path };
    },

    'host.reveal': async ({ archive }) => {
      requireCapability('reveal', 'show a file manager');
      await host.reveal(await services.archives.realPathOf(await findStoredArchive(services, archive)));
      return {};
    },

    'host.openLink': async ({ url }) => {
      const link = openableLink(url, services.instances.list());
      requireCapability('openLink', 'open a page');
      await host.openLink(link);
      return {};
    },

    'host.confirm': async ({ action, instance: name, project, part }, { signal }) => {
      const issueConfirmation = (
        target: Omit<ConfirmationTarget, 'action'>,
        destroys: DestroyedData[],
        deletion: DeletionForecast | null = null,
      ) => ({ confirmation: confirmations.issue({ action, ...target }), destroys, deletion });
      const requireName = (what: string): string => {
        if (project !== null) return project;
        throw new AppError('invalid-input', `Name the ${what}.`);
      };
      if (action === 'trash.empty') {
        const count = await services.trash.bytes();
        const destroys = count === 0 ? [] : [{ what: 'trash' as const, name: '', count }];
        return issueConfirmation({ instance: '', project: null }, destroys);
      }
      const instance = services.instances.get(name);
      if (action === 'migration.start') {
        const { id, target } = services.migrations.show(requireName('migration'));
        const replaced = replacedByStart(services.migrations.projects(id));
        return issueConfirmation({ instance: target, project: id }, destroyedProjects(replaced));
      }
      if (action === 'migration.again') {
        const shown = services.migrations.show(requireName('migration'));
        const projects = services.migrations.projects(shown.id);
        const sourceId = sourceIdOf(projects, part);
        return issueConfirmation(
          retryConfirmationTarget(shown, sourceId),
          destroyedProjects(replacedByRetry(projects, sourceId)),
        );
      }
      if (action === 'instance.remove') {
        return issueConfirmation(
          { instance: name, project: null },
          await destroyedWithInstance(services, name),
        );
      }
      if (action === 'token.revoke' || action === 'token.rotate') {
        const { tokens } = services.connections.connect(instance);
        const own = project === null && action === 'token.rotate' ? await tokens.getOwn(signal) : null;
        const id = own?.id ?? Number(project);
        if ((project === null && own === null) || !Number.isInteger(id))
          throw new AppError('invalid-input', 'Name the token by its id.');
        const token = own ?? (await tokens.get(id, signal));
        const destroys = [{ what: 'access-token' as const, name: `"${token.name}" (id ${id})`, count: null }];
        return issueConfirmation({ instance: name, project: project === null ? null : String(id) }, destroys);
      }
      if (action === 'project.delete') {
        const wanted = { license: false, statistics: false, customAttributes: false };
        const { projectReads } = services.connections.connect(instance);
        // GitLab changes the path of a project when it marks the project for deletion.
        const { id } = await services.markedProjects.findIncludingMarked(
          instance,
          requireName('project'),
          signal,
        );
        const details = await projectReads.details(String(id), wanted, signal);
        const { fullPath } = details.project;
        const destroys = await destroyedWithProject(services, instance, fullPath, signal);
        const { serverVersion } = instance;
        const deletion = predictDeletion(details.markedForDeletionOn, serverVersion, services.clock.now());
        return issueConfirmation({ instance: name, project: fullPath }, destroys, deletion);
      }
      const target = await targetOf(services, instance, project, signal);
      const destroys = await destroyedWithProject(services, instance, target, signal);
      return issueConfirmation({ instance: name, project: target }, destroys);
    },
  } satisfies Partial<Handlers>;
}
