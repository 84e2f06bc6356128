/** @file The calls about runs: the list with how each ended, how one compares with its forecast, and cancelling one. */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { refusalToCancel } from './job-handlers.ts';

export function runHandlers(
  services: Pick<Services, 'runs' | 'plans' | 'jobs'>,
): Pick<Handlers, 'run.list' | 'run.forecast' | 'run.cancel'> {
  return {
    'run.list': ({ before, limit }) => {
      const found = services.runs({ before, limit: limit + 1 });
      const page = found.slice(0, limit);
      return {
        runs: page,
        next: found.length > page.length ? (page.at(-1)?.id ?? null) : null,
      };
    },
    'run.forecast': ({ runId }) => ({ forecast: services.plans.runForecast(runId) }),
    'run.cancel': ({ run, by }) => {
      const { runId, jobs } = services.jobs.openOfRun(run);
      if (jobs.length === 0) throw new AppError('job-ended', 'All jobs of this run have already ended.');
      const refused = jobs.flatMap((job) => {
        const error = refusalToCancel(job);
        return error === null ? [] : [{ job, error }];
      });
      const kept = new Set(refused.map(({ job }) => job.id));
      const told = services.jobs.cancelAll(
        jobs.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
        by,
      );
      const isStopping = ({ state }: StoredJob): boolean => state.status === 'cancelling';
      return {
        runId,
        cancelled: told.filter((job) => !isStopping(job)).length,
        stopping: told.filter(isStopping).length,
        refused: refused.map(({ job, error }) => ({ project: job.project, error: error.toData() })),
      };
    },
  };
}
