/** @file Which projects the files to adopt are of, looked up before anything is copied; and the calls that adopt and identify. */
import { AppError, type ErrorData } from '../../../src-preload/contract/errors.ts';
import type { Instance } from '../../../src-preload/contract/instance.ts';
import { knownInstance } from '../instances/instance-handlers.ts';
import type { AdoptedProject } from './archive-ports.ts';
import type { BridgePorts, CallContext, Handlers } from '../ports.ts';
import { archiveToChange, storedArchive } from './stored-archive.ts';

interface Identified extends AdoptedProject {
  why: ErrorData | null;
}

/** The list knows it, or the instance says it now; otherwise it stays unknown, and why is said. */
async function identify(
  ports: BridgePorts,
  instance: Instance,
  fullPath: string,
  { signal }: CallContext,
): Promise<Identified> {
  const toIdentity = (project: { id: number; fullPath: string; name: string }): Identified => ({
    projectId: project.id,
    fullPath: project.fullPath,
    name: project.name,
    why: null,
  });
  const listed = ports.projectLists.withPath(instance.name, fullPath);
  if (listed !== null) return toIdentity(listed);
  try {
    return toIdentity(await ports.instances.connect(instance).project(fullPath, signal));
  } catch (thrown) {
    signal.throwIfAborted();
    const why = AppError.from(thrown);
    if (why.code === 'internal') throw thrown;
    return { projectId: null, fullPath, name: fullPath.split('/').at(-1) ?? fullPath, why: why.toData() };
  }
}

type AdoptionCalls = 'archive.adopt' | 'archive.identify' | 'archive.exportsIn';

export function adoptionHandlers(ports: BridgePorts): Pick<Handlers, AdoptionCalls> {
  return {
    'archive.exportsIn': async ({ folder }, { paths }) => {
      const files = await ports.archives.exportsIn(folder);
      for (const file of files) paths.give(file, 'file');
      return { files };
    },

    'archive.identify': async ({ archive, instance: name, fullPath }, context) => {
      const found = await archiveToChange(ports, archive);
      const instance = await knownInstance(ports, name);
      const { projectId, why, ...project } = await identify(ports, instance, fullPath, context);
      if (why !== null) throw AppError.fromData(why);
      if (projectId === null)
        throw new AppError('project-missing', fullPath, { details: { project: fullPath } });
      await ports.archives.identify(found, instance, { projectId, ...project });
      const summary = await storedArchive(ports, found.id);
      return { summary, state: (await ports.archives.describe(summary)).state };
    },

    'archive.adopt': async (request, context) => {
      const instance = await knownInstance(ports, request.instance);
      const identities = new Map<string, Identified>();
      for (const { fullPath } of request.files) {
        if (!identities.has(fullPath)) {
          identities.set(fullPath, await identify(ports, instance, fullPath, context));
        }
      }
      const files = request.files.flatMap(({ file, fullPath }) => {
        const project = identities.get(fullPath);
        return project === undefined ? [] : [{ file, project }];
      });
      const outcomes = await ports.archives.adopt(
        { instance, files, prove: request.prove },
        context.signal,
        (done, total) => {
          context.progress({ step: 'adopt', unit: 'bytes', done, total });
        },
      );
      const projects = [...identities.values()].map(({ fullPath, projectId, why }) => ({
        fullPath,
        projectId,
        why,
      }));
      return { projects, files: outcomes };
    },
  };
}
