/** @file Carries out a change of a project as a job, follows it to its end, and prints the result. */
import type { CallRequest } from '../../../../src-contract/calls.ts';
import type { ChangeResult } from '../../../../src-contract/projects/change.ts';
import { changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import { ignoredAttributeSentence } from '../../../../src-contract/projects/ignored-attribute.ts';
import type { Session } from '../running/session.ts';
import type { ExitCode } from '../terminal/terminal.ts';
import { joinLines } from '../terminal/format.ts';
import type { InstanceOptions } from '../running/app-command.ts';
import { followResult } from '../runs/outcome.ts';

type ChangeRequest = CallRequest<'project.change'>;

export interface CompletedChange {
  runId: string;
  jobId: string;
  result: ChangeResult;
}

/** Carries the change out; throws the error of the job. The token of the instance must be available. */
export async function runChange(
  session: Session,
  request: ChangeRequest,
): Promise<CompletedChange & { exit: ExitCode }> {
  const started = await session.client.call('project.change', request);
  const { result, exitCode } = await followResult(session, started.runId, changeResultSchema);
  return { ...started, result, exit: exitCode };
}

/** Carries the change out and prints the result. `describe` is called for a result other than "nothing to change". */
export async function changeAndPrint(
  session: Session,
  { instance }: InstanceOptions,
  project: string,
  wanted: ChangeRequest['change'],
  describe: (result: ChangeResult) => string,
  confirmation: string | null = null,
): Promise<ExitCode> {
  const { exit, ...changed } = await runChange(session, { instance, project, change: wanted, confirmation });
  const { result } = changed;
  session.terminal.result(changed, () =>
    joinLines(
      result.changed || result.notTaken.length > 0
        ? describe(result)
        : 'The project already has these values. Nothing was changed.',
      result.notTaken.map(ignoredAttributeSentence),
    ),
  );
  return exit;
}

export const projectLabel = ({ project }: ChangeResult): string =>
  project === null ? 'the project' : `${project.fullPath} (id ${project.id})`;
