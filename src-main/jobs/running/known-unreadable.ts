/** @file Reads a project that the preflight of a migration could not read. */
import { AppError } from '../../../src-contract/errors.ts';
import { isOutage } from './retry.ts';
import type { StepContext } from './step.ts';

/**
 * Returns the result of `read`. If `isKnownUnreadable` is true and the server fails again although it responds to
 * another request, throws an error that is not retried: an hour of retries would only delay the later waves.
 */
export async function readOrFail<T>(
  { ports, signal }: Pick<StepContext, 'ports' | 'signal'>,
  isKnownUnreadable: boolean | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (isKnownUnreadable !== true || signal.aborted || !isOutage(error)) throw thrown;
    // If the whole instance is unavailable, this throws, and the job waits like all others.
    await ports.instance.serverInfo(signal);
    throw new AppError(error.code, error.message, { details: error.details, cause: error });
  }
}
