/** @file Reads facts about single projects of a migration, so that the error of one does not stop the check of others. */
import { mayConcernOneProject, type AppError } from '../../../src-contract/errors.ts';
import type { PreflightReads } from '../instances/remote/preflight-reads.ts';

export type ReadResult<T> = { value: T; error: null } | { value: null; error: AppError };

/**
 * Returns the result of the request, or its error if the instance still responds to another request. Throws the error
 * of an instance that does not respond or refuses the token, because it concerns every project.
 */
export async function readOrError<T>(
  instance: Pick<PreflightReads, 'user'>,
  request: Promise<T>,
  signal: AbortSignal,
): Promise<ReadResult<T>> {
  try {
    return { value: await request, error: null };
  } catch (thrown) {
    if (signal.aborted || !mayConcernOneProject(thrown)) throw thrown;
    await instance.user(signal);
    return { value: null, error: thrown };
  }
}

/** Throws the first error if each of several reads failed, because the instance then has a general problem. */
export function assertAnyRead(results: readonly ReadResult<unknown>[]): void {
  const errors = results.flatMap(({ error }) => error ?? []);
  const [first] = errors;
  if (first !== undefined && errors.length > 1 && errors.length === results.length) throw first;
}
