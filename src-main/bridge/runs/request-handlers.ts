/**
 * @file The call about write requests: requests that may have changed something on an instance.
 */
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

export function requestHandlers(
  services: Pick<Services, 'writeRequests' | 'jobs'>,
): Pick<Handlers, 'request.list'> {
  return {
    'request.list': ({ job, limit, ...filter }) => {
      const ofJob = job === null ? null : services.jobs.get(job).id;
      const found = services.writeRequests({ ...filter, job: ofJob, limit: limit + 1 });
      const requests = found.slice(0, limit);
      const next = found.length > requests.length ? (requests.at(-1)?.id ?? null) : null;
      return { requests, next };
    },
  };
}
