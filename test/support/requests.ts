/** @file Requests that most tests send with the same values. A builder takes what a test is about. */
import type { CallRequest } from '../../src-contract/calls.ts';

/** The newest archives of all projects, as many as one call returns. */
export function archiveFilter(
  chosen: Partial<CallRequest<'archive.list'>> = {},
): CallRequest<'archive.list'> {
  return { instance: null, project: null, before: null, limit: 500, ...chosen };
}

/** The newest jobs of every kind and state, as many as one call returns. */
export function jobFilter(chosen: Partial<CallRequest<'job.list'>> = {}): CallRequest<'job.list'> {
  return { runId: null, status: null, before: null, limit: 500, ...chosen };
}
