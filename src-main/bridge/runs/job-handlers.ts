/** @file Calls about jobs: lists, details, history, cancel, repeat. */
import type { Handlers } from '../handler.ts';
import { readPage } from '../replies.ts';
import type { Services } from '../../services/services.ts';

export function jobHandlers({ jobs }: Services) {
  return {
    'job.list': async (request) => {
      const { page, next } = await readPage(request.limit, (limit) => jobs.list({ ...request, limit }));
      return { jobs: page, next };
    },
    'job.show': ({ job }) => jobs.get(job),
    'job.log': ({ job, afterId, limit }) => ({ events: jobs.events(job, afterId, limit) }),
    'job.steps': ({ job }) => ({ steps: jobs.steps(job) }),
    'job.retry': ({ job }) => jobs.retry(job),
    'job.cancel': ({ job, by }) => jobs.cancel(job, by),
  } satisfies Partial<Handlers>;
}
