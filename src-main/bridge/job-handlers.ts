/** @file Calls about jobs: lists, details, history, cancel. */
import type { BridgePorts, Handlers } from './ports.ts';

type JobCalls = Exclude<Extract<keyof Handlers, `job.${string}`>, 'job.steps' | 'job.retry'>;

export function jobHandlers(ports: BridgePorts): Pick<Handlers, JobCalls> {
  return {
    'job.list': (request) => {
      const jobs = ports.jobs.list({ ...request, limit: request.limit + 1 });
      const page = jobs.slice(0, request.limit);
      return Promise.resolve({
        jobs: page,
        next: jobs.length > page.length ? (page.at(-1)?.id ?? null) : null,
      });
    },
    'job.show': ({ job }) => Promise.resolve(ports.jobs.get(job)),
    'job.log': ({ job, afterId, limit }) =>
      Promise.resolve({ events: ports.jobs.events(ports.jobs.get(job).id, afterId, limit) }),
    'job.cancel': ({ job, by }) => Promise.resolve(ports.jobs.cancel(ports.jobs.get(job).id, by)),
  };
}
