/** @file Starts a backup on request of a person: chooses the projects, and creates a job for each. */
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError, type ErrorData } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { ExportInput } from '../../../src-contract/runs/job.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { ProjectListStore } from '../../catalogue/projects/projects.ts';
import type { ScopeSurveys } from '../plans/scope-surveys.ts';
import type { JobService } from '../runs/job-service.ts';
import type { Connections } from '../instances/connections.ts';
import { Service } from '../service.ts';

type Identity = Pick<Project, 'id' | 'fullPath'>;

type BackupRequest = Omit<ParsedRequest<'backup.start'>, 'waits'>;

interface Choice {
  chosen: Identity[];
  skipped: { project: string; why: string }[];
  refused: { project: string; error: ErrorData }[];
}

export interface BackupDeps {
  projectListStore: ProjectListStore;
  connections: Connections;
  scopeSurveys: ScopeSurveys;
  jobService: JobService;
}

interface StartContext {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

const isId = (name: string): boolean => /^[0-9]{1,15}$/.test(name);

export class Backups extends Service<BackupDeps> {
  /**
   * Finds the chosen projects and creates a job for each. If a request to the instance fails, throws its error and
   * creates no job.
   */
  async start(
    instance: Instance,
    request: BackupRequest,
    context: StartContext,
  ): Promise<CallReply<'backup.start'>> {
    const { scopeSurveys, jobService } = this.deps;
    const scope = request.scope ?? 'member';
    const survey =
      request.projects === 'all' ? await scopeSurveys.surveyAll(instance, scope, context.signal) : null;
    const names = request.projects === 'all' ? [] : request.projects;
    const { chosen, skipped, refused }: Choice =
      survey === null ? await this.#chooseNamed(instance, names, context) : { ...survey, refused: [] };
    context.signal.throwIfAborted();
    const notes = survey?.notes ?? [];
    const enqueued = jobService.enqueue({
      kind: 'export',
      request,
      notes,
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
    if (survey !== null) scopeSurveys.recordCoverage(instance.name, scope, survey);
    const refusedJobs = enqueued.refused.map(({ project, error }) => ({ project, error: error.toData() }));
    return {
      covers: survey?.covers ?? null,
      notes,
      runId: enqueued.runId,
      jobIds: enqueued.jobs.map((job) => job.id),
      resumed: enqueued.resumed,
      skipped,
      refused: [...refused, ...refusedJobs],
    };
  }

  /**
   * Always requests a project given by path, because another project may have taken the path since the list was
   * stored. A project whose id is in the stored list is not requested.
   */
  async #chooseNamed(
    instance: Instance,
    projects: readonly string[],
    { signal, onProgress }: StartContext,
  ): Promise<Choice> {
    const names = new Set(projects);
    const known = this.deps.projectListStore.findByIds(instance.name, [...names].filter(isId).map(Number));
    const chosen = new Map<number, Identity>(known.map((project) => [project.id, project]));
    const refused: Choice['refused'] = [];
    const remote = this.deps.connections.connect(instance);
    let done = known.length;
    onProgress(done, names.size);
    for (const name of names) {
      if (isId(name) && chosen.has(Number(name))) continue;
      signal.throwIfAborted();
      try {
        const project = await remote.project(name, signal);
        chosen.set(project.id, project);
      } catch (thrown) {
        const error = AppError.from(thrown);
        // A wrong name does not stop the others. A refused token or an unreachable server would fail all of them.
        if (error.code !== 'project-missing' && error.code !== 'project-moved') throw error;
        refused.push({ project: name, error: error.toData() });
      }
      done += 1;
      onProgress(done, names.size);
    }
    return { chosen: [...chosen.values()], skipped: [], refused };
  }
}
