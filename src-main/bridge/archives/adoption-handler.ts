/** @file The calls that adopt and identify files. Their projects are looked up before anything is copied. */
import { AppError, type ErrorData } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import { exportsIn, type AdoptedProject } from '../../services/archives/adoption.ts';
import type { CallContext, Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { findSingleStoredArchive, findStoredArchive } from './stored-archive.ts';
import { progressReporter } from '../replies.ts';

interface ProjectLookup extends AdoptedProject {
  why: ErrorData | null;
}

/**
 * Finds the project's id in the stored list, else on the instance. If neither has it, the id is null and `why` is the
 * reason.
 */
async function identify(
  services: Services,
  instance: Instance,
  fullPath: string,
  { signal }: CallContext,
): Promise<ProjectLookup> {
  const toIdentity = (project: { id: number; fullPath: string; name: string }): ProjectLookup => ({
    projectId: project.id,
    fullPath: project.fullPath,
    name: project.name,
    why: null,
  });
  const storedProject = services.projectListStore.findByPath(instance.name, fullPath);
  if (storedProject !== null) return toIdentity(storedProject);
  try {
    return toIdentity(await services.connections.connect(instance).project(fullPath, signal));
  } catch (thrown) {
    signal.throwIfAborted();
    const why = AppError.from(thrown);
    if (why.code === 'internal') throw thrown;
    return { projectId: null, fullPath, name: fullPath.split('/').at(-1) ?? fullPath, why: why.toData() };
  }
}

export function adoptionHandlers(services: Services) {
  return {
    'archive.exportsIn': async ({ folder }, { grants: paths }) => {
      const files = await exportsIn(folder);
      for (const file of files) paths.grant(file, 'file');
      return { files };
    },

    'archive.identify': async ({ archive, instance: name, fullPath }, context) => {
      const found = await findSingleStoredArchive(services, archive);
      const instance = services.instances.get(name);
      const { projectId, why, ...project } = await identify(services, instance, fullPath, context);
      if (why !== null) throw AppError.fromData(why);
      if (projectId === null)
        throw new AppError('project-missing', `There is no project ${fullPath}.`, {
          details: { project: fullPath },
        });
      await services.intake.identify(found, instance, { projectId, ...project });
      const summary = await findStoredArchive(services, found.id);
      return { summary, state: (await services.archives.describe(summary)).state };
    },

    'archive.adopt': async (request, context) => {
      const instance = services.instances.get(request.instance);
      const identities = new Map<string, ProjectLookup>();
      for (const { fullPath } of request.files) {
        if (!identities.has(fullPath)) {
          identities.set(fullPath, await identify(services, instance, fullPath, context));
        }
      }
      const files = request.files.flatMap(({ file, fullPath }) => {
        const project = identities.get(fullPath);
        return project === undefined ? [] : [{ file, project }];
      });
      const outcomes = await services.intake.adopt(
        { instance, files, prove: request.prove },
        context.signal,
        progressReporter(context, 'adopt', 'bytes'),
      );
      const projects = [...identities.values()].map(({ fullPath, projectId, why }) => ({
        fullPath,
        projectId,
        why,
      }));
      return { projects, files: outcomes };
    },
  } satisfies Partial<Handlers>;
}
