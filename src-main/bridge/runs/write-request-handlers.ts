/** @file The call about write requests: requests that may have changed something on an instance. */
import type { Handlers } from '../handler.ts';
import { readPage } from '../replies.ts';
import type { Services } from '../../services/services.ts';

export function writeRequestHandlers({ jobs, writeRequests }: Services) {
  return {
    'request.list': async ({ job, limit: pageSize, ...filter }) => {
      const jobId = job === null ? null : jobs.get(job).id;
      const { page, next } = await readPage(pageSize, (limit) =>
        writeRequests.list({ ...filter, job: jobId, limit }),
      );
      return { requests: page, next };
    },
  } satisfies Partial<Handlers>;
}
