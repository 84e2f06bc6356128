/** @file Which projects the files to adopt are of, looked up before anything is copied; and the call that adopts them. */
import { AppError, type ErrorData } from '../../src-preload/contract/errors.ts';
import type { Instance } from '../../src-preload/contract/instance.ts';
import { knownInstance } from './instance-handlers.ts';
import type { AdoptedProject, BridgePorts, CallContext, Handlers } from './ports.ts';

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

export function adoptionHandler(ports: BridgePorts): Pick<Handlers, 'archive.adopt'> {
  return {
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
