/** @file Requests that most tests send with the same values. A builder accepts the values that matter to a test. */
import type { CallRequest } from '../../src-contract/calls.ts';

/** Returns the request for the newest archives of all projects, as many as one call returns. */
export function archiveFilter(
  chosen: Partial<CallRequest<'archive.list'>> = {},
): CallRequest<'archive.list'> {
  return { instance: null, project: null, before: null, limit: 500, ...chosen };
}

/** Returns the request for the newest jobs of every kind and state, as many as one call returns. */
export function jobFilter(chosen: Partial<CallRequest<'job.list'>> = {}): CallRequest<'job.list'> {
  return { runId: null, status: null, before: null, limit: 500, ...chosen };
}
