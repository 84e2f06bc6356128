/** @file The columns and the jobs of pipelines, and the statuses of their commits, which the list of pipelines does not show. */
import type { FastifyInstance } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { recordsOf, type JsonRecord } from '../../content/project-content.ts';
import { isAtLeast } from '../../releases.ts';
import type { Services } from '../../services.ts';
import { projectAccess } from '../project-access.ts';
import { objectsIn, rowId, userViews } from './noteable-views.ts';

interface PipelineRoute {
  Params: { id: string; pipeline: string };
  Querystring: { include_retried?: string };
}
interface StatusRoute {
  Params: { id: string; sha: string };
  Querystring: { pipeline_id?: string };
}
type Request = Parameters<ReturnType<typeof projectAccess>['findReadableProject']>[0];

const jobLists = ['builds', 'bridges', 'generic_commit_statuses'] as const;
type JobList = (typeof jobLists)[number];

/** The id is unique in the project. */
interface NumberedJob extends JsonRecord {
  id: number;
  list: JobList;
}

export function pipelineRoutes(app: FastifyInstance, services: Services): void {
  const { findReadableProject, paginate } = projectAccess(services);
  const userView = userViews(services.database, services.url);

  /** Returns the pipelines of a project with all their jobs, and with the last attempt of each job. */
  const pipelinesOf = (request: Request) => {
    const { project } = findReadableProject(request);
    let nextId = 1;
    return recordsOf(project.content(), 'ci_pipelines').map((record, index) => {
      const attempts = jobsOf(record).map((job): NumberedJob => ({ ...job, id: nextId++ }));
      const jobs = attempts.filter(({ retried }) => retried !== true);
      return { id: rowId(project, 'ci_pipelines', index), record, attempts, jobs };
    });
  };
  const findPipeline = (request: Request & { params: PipelineRoute['Params'] }) => {
    const found = pipelinesOf(request).find(({ id }) => String(id) === request.params.pipeline);
    if (found === undefined) throw messageError(404, '404 Not Found');
    return found;
  };

  for (const [path, list] of [
    ['jobs', 'builds'],
    ['bridges', 'bridges'],
  ] as const)
    app.get<PipelineRoute>(`/projects/:id/pipelines/:pipeline/${path}`, (request, reply) => {
      const { attempts, jobs } = findPipeline(request);
      const showsAttempts =
        list === 'builds' &&
        (isAtLeast(services.version, '13.9')
          ? request.query.include_retried === 'true'
          : !isAtLeast(services.version, '13.5'));
      const shown = (showsAttempts ? attempts : jobs).filter((job) => job.list === list);
      const rows = shown.map(({ id, name, status, stage, user_id: user, ...job }) => ({
        ...{ id, name, status, stage, user: userView(user) },
        ...columnsOf(job, ['ref', 'coverage', 'created_at', 'started_at', 'finished_at', 'erased_at']),
        ...{ tag: job['tag'] === true, allow_failure: job['allow_failure'] === true },
        ...(list === 'builds' && columnsOf(job, ['artifacts_expire_at', 'tag_list'])),
        ...(status === 'failed' && columnsOf(job, ['failure_reason'])),
      }));
      return paginate(request, reply, rows.reverse());
    });

  app.get<PipelineRoute>('/projects/:id/pipelines/:pipeline', (request) => {
    const { id, record } = findPipeline(request);
    return {
      ...{ id, iid: record['iid'], user: userView(record['user_id']), tag: record['tag'] === true },
      ...columnsOf(record, ['before_sha', 'yaml_errors', 'duration']),
      ...columnsOf(record, ['started_at', 'finished_at', 'committed_at']),
    };
  });

  app.get<StatusRoute>('/projects/:id/repository/commits/:sha/statuses', (request, reply) => {
    const ofCommit = pipelinesOf(request).filter(({ record }) => record['sha'] === request.params.sha);
    if (ofCommit.length === 0) throw messageError(404, '404 Commit Not Found');
    const showsPipeline = isAtLeast(services.version, '17.8');
    const wanted = showsPipeline ? (request.query.pipeline_id ?? null) : null;
    const rows = ofCommit
      .filter(({ id }) => wanted === null || String(id) === wanted)
      .flatMap(({ id: pipeline, record, jobs }) =>
        jobs.map(({ id, name, status, user_id: user, ...job }) => ({
          ...{ id, sha: record['sha'], name, status, author: userView(user) },
          ...(showsPipeline && { pipeline_id: pipeline }),
          ...columnsOf(job, ['ref', 'coverage', 'created_at', 'started_at', 'finished_at']),
          ...columnsOf(job, ['description', 'target_url']),
          allow_failure: job['allow_failure'] === true,
        })),
      );
    return paginate(request, reply, rows);
  });
}

const columnsOf = (record: JsonRecord, names: readonly string[]): JsonRecord =>
  Object.fromEntries(names.map((name) => [name, record[name] ?? null]));

const jobsOf = ({ stages }: JsonRecord): (JsonRecord & { list: JobList })[] =>
  objectsIn(stages).flatMap(({ name: stage, ...lists }) =>
    jobLists.flatMap((list) => objectsIn(lists[list]).map((job) => ({ ...job, stage, list }))),
  );
