/** @file Carries out a change of a project as a job, follows it to its end, and prints the result. */
import type { CallRequest } from '../../../../src-contract/calls.ts';
import type { ChangeResult } from '../../../../src-contract/projects/change.ts';
import { changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import { ignoredAttributeSentence } from '../../../../src-contract/projects/not-taken.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import { errorOf, runExitCode } from '../transfers/backup.ts';
import { followRun } from '../runs/follow.ts';
import type { InstanceOptions } from '../instances/on-instance.ts';
import type { Session } from '../running/session.ts';
import type { ExitCode } from '../terminal/terminal.ts';

type Requested = CallRequest<'project.change'>;

export interface Changed {
  runId: string;
  jobId: string;
  result: ChangeResult;
}

/** Returns the only job of a run that was followed to its end; throws the error of a failed job. */
export function succeeded(jobs: readonly Job[]): Job {
  const [job] = jobs;
  if (job === undefined) throw new AppError('internal', 'The run has no job.');
  if (job.state.status !== 'succeeded') throw errorOf(job);
  return job;
}

/** Carries the change out; throws the error of the job. The instance must have its token already. */
export async function runChange(session: Session, request: Requested): Promise<Changed & { exit: ExitCode }> {
  const started = await session.client.call('project.change', request);
  const jobs = await followRun(session, started.runId);
  const { result } = succeeded(jobs);
  return { ...started, result: changeResultSchema.parse(result), exit: runExitCode(jobs, 0) };
}

/**
 * Runs a whole command: carries the change out and prints the result. `says` describes a result other than "nothing to
 * change".
 */
export async function change(
  session: Session,
  { instance }: InstanceOptions,
  project: string,
  wanted: Requested['change'],
  says: (result: ChangeResult) => string,
  confirmation: string | null = null,
): Promise<ExitCode> {
  const { exit, ...changed } = await runChange(session, { instance, project, change: wanted, confirmation });
  const { result } = changed;
  session.terminal.result(changed, () =>
    [
      result.changed || result.notTaken.length > 0 ? says(result) : 'It is so already; nothing was changed.',
      ...result.notTaken.map(ignoredAttributeSentence),
    ].join('\n'),
  );
  return exit;
}

/** Returns where the project is now. */
export const placeOf = ({ project }: ChangeResult): string =>
  project === null ? 'the project' : `${project.fullPath} (id ${project.id})`;
