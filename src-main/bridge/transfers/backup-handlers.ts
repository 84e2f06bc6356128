/** @file The call that backs projects up: it chooses them and enqueues a job for each. */
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError, type ErrorData } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instance.ts';
import type { ExportInput, Progress } from '../../../src-contract/job.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { CallContext, Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

type Identity = Pick<Project, 'id' | 'fullPath'>;

type Start = (
  request: Omit<ParsedRequest<'backup.start'>, 'waits'>,
  context: CallContext,
) => Promise<CallReply<'backup.start'>>;

interface Choice {
  chosen: Identity[];
  skipped: { project: string; why: string }[];
  refused: { project: string; error: ErrorData }[];
}

const isId = (name: string): boolean => /^[0-9]{1,15}$/.test(name);

/**
 * An id of the stored list is not asked for: its job asks before it exports. A path is, because another project may have
 * taken it since the list was stored.
 */
async function chooseNamed(
  services: Services,
  instance: Instance,
  projects: string[],
  context: CallContext,
): Promise<Choice> {
  const names = new Set(projects);
  const known = services.projectLists.withIds(instance.name, [...names].filter(isId).map(Number));
  const chosen = new Map<number, Identity>(known.map((project) => [project.id, project]));
  const refused: Choice['refused'] = [];
  const remote = services.connections.connect(instance);
  let done = known.length;
  const tell = (): void => {
    context.progress({ step: 'choose', unit: 'records', done, total: names.size });
  };
  tell();
  for (const name of names) {
    if (isId(name) && chosen.has(Number(name))) continue;
    context.signal.throwIfAborted();
    try {
      const project = await remote.project(name, context.signal);
      chosen.set(project.id, project);
    } catch (thrown) {
      const error = AppError.from(thrown);
      // One bad name does not stop the others; a bad token or a dead server would fail each of them.
      if (error.code !== 'project-missing' && error.code !== 'project-moved') throw error;
      refused.push({ project: name, error: error.toData() });
    }
    done += 1;
    tell();
  }
  return { chosen: [...chosen.values()], skipped: [], refused };
}

const namesOf = (projects: string[] | 'all'): string[] => (projects === 'all' ? [] : projects);

/** Progress of a call that cannot begin while an instance does not answer. */
export function waitingFor(waiting: string): Progress {
  return { step: 'wait', unit: 'requests', done: 0, total: null, waiting };
}

export function backupHandlers(services: Services): Pick<Handlers, 'backup.start'> {
  const start: Start = async (request, context) => {
    const instance = services.instances.known(request.instance);
    await services.checks.assertMayWrite(instance, context.signal);
    const scope = request.scope ?? 'member';
    const survey =
      request.projects === 'all' ? await services.scopes.surveyAll(instance, scope, context.signal) : null;
    const { chosen, skipped, refused }: Choice =
      survey === null
        ? await chooseNamed(services, instance, namesOf(request.projects), context)
        : { ...survey, refused: [] };
    context.signal.throwIfAborted();
    const {
      runId,
      jobs,
      refused: busy,
      resumed,
    } = services.jobs.enqueue({
      kind: 'export',
      request,
      notes: survey?.notes ?? [],
      jobs: chosen.map((project) => ({
        instance: instance.name,
        project: project.fullPath,
        input: {
          projectId: project.id,
          fullPath: project.fullPath,
          keepExisting: request.keepExisting,
          planId: null,
        } satisfies ExportInput,
      })),
    });
    if (survey !== null) services.scopes.keepAll(instance.name, scope, survey);
    return {
      covers: survey?.covers ?? null,
      notes: survey?.notes ?? [],
      runId,
      jobIds: jobs.map((job) => job.id),
      resumed,
      skipped,
      refused: [...refused, ...busy.map(({ project, error }) => ({ project, error: error.toData() }))],
    };
  };
  return {
    // How it waits is no part of what is asked for: an equal request continues what was interrupted.
    'backup.start': ({ waits, ...request }, context) => {
      const begin = () => start(request, context);
      if (waits !== true) return begin();
      return services.throughOutage(request.instance, begin, {
        signal: context.signal,
        onWait: (text) => {
          context.progress(waitingFor(text));
        },
      });
    },
  };
}
