/** @file The outcome of jobs that were followed to their end: the error, the result and the exit code. */
import { AppError } from '../../../../src-contract/errors.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import type { z } from '../../../../src-contract/schema.ts';
import type { Session } from '../running/session.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { followRun } from './follow.ts';

export const isSuccessful = ({ state }: Job): boolean =>
  state.status === 'succeeded' || state.status === 'skipped';

export function errorOf({ state }: Job): AppError {
  if (state.status === 'failed') return AppError.fromData(state.error);
  if (state.status === 'cancelled') return new AppError('cancelled', `Cancelled by ${state.by}.`);
  return new AppError('internal', `The job ended as ${state.status}.`);
}

/** Returns the exit code of a run: if nothing succeeded, the one of the first error. */
export function runExitCode(jobs: readonly Job[], problemCount = 0): ExitCode {
  const failedJobs = jobs.filter((job) => !isSuccessful(job));
  const hasWarnings = jobs.some(({ state }) => state.status === 'succeeded' && state.warnings.length > 0);
  const [first] = failedJobs;
  if (first === undefined) return hasWarnings || problemCount > 0 ? exitCodes.partly : exitCodes.done;
  if (failedJobs.length < jobs.length) return exitCodes.partly;
  const code = exitCodeOf(errorOf(first));
  // The project existed when the command started, so a missing project is a failure, not wrong usage.
  return code === exitCodes.usage ? exitCodes.failed : code;
}

export async function followJob(
  session: Session,
  runId: string,
  shouldStop?: (job: Job) => boolean,
): Promise<Job> {
  const [job] = await followRun(session, runId, shouldStop);
  if (job === undefined) throw new AppError('internal', 'The run has no job.');
  return job;
}

/** Returns the result of a job; throws the error of one that did not succeed. */
export function resultOf<Result>(job: Job, schema: z.ZodType<Result>): Result {
  if (job.state.status !== 'succeeded') throw errorOf(job);
  return schema.parse(job.result);
}

/** Follows the only job of a run to its end; throws its error if it does not succeed. */
export async function followResult<Result>(
  session: Session,
  runId: string,
  schema: z.ZodType<Result>,
): Promise<{ job: Job; result: Result; exitCode: ExitCode }> {
  const job = await followJob(session, runId);
  return { job, result: resultOf(job, schema), exitCode: runExitCode([job]) };
}
