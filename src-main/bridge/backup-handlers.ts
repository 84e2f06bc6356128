/** @file The call that backs projects up: it chooses them and enqueues a job for each. */
import { AppError, type ErrorData } from '../../src-preload/contract/errors.ts';
import type { ExportInput } from '../../src-preload/contract/job.ts';
import type { Project } from '../../src-preload/contract/project.ts';
import { knownInstance } from './instance-handlers.ts';
import type { BridgePorts, Handlers, RemotePort } from './ports.ts';

interface Choice {
  chosen: Project[];
  skipped: { project: string; why: string }[];
  refused: { project: string; error: ErrorData }[];
}

async function chooseNamed(remote: RemotePort, names: string[], signal: AbortSignal): Promise<Choice> {
  const choice: Choice = { chosen: [], skipped: [], refused: [] };
  for (const name of new Set(names)) {
    try {
      choice.chosen.push(await remote.project(name, signal));
    } catch (thrown) {
      const error = AppError.from(thrown);
      // One bad name does not stop the others; a bad token or a dead server would fail each of them.
      if (error.code !== 'project-missing' && error.code !== 'project-moved') throw error;
      choice.refused.push({ project: name, error: error.toData() });
    }
  }
  return choice;
}

export function backupHandlers(ports: BridgePorts): Pick<Handlers, 'backup.start'> {
  return {
    'backup.start': async (request, { signal }) => {
      const instance = await knownInstance(ports, request.instance);
      const { chosen, skipped, refused }: Choice =
        request.projects === 'all'
          ? { ...(await ports.selectAll(instance, signal)), refused: [] }
          : await chooseNamed(ports.instances.connect(instance), request.projects, signal);
      const {
        runId,
        jobs,
        refused: busy,
        resumed,
      } = ports.jobs.enqueue({
        kind: 'export',
        request,
        jobs: chosen.map((project) => ({
          instance: instance.name,
          project: project.fullPath,
          input: {
            projectId: project.id,
            fullPath: project.fullPath,
            keepExisting: request.keepExisting,
            keepLast: null,
          } satisfies ExportInput,
        })),
      });
      return {
        runId,
        jobIds: jobs.map((job) => job.id),
        resumed,
        skipped,
        refused: [...refused, ...busy.map(({ project, error }) => ({ project, error: error.toData() }))],
      };
    },
  };
}
