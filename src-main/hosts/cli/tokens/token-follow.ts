/** @file Follows a job about a token to its end on the command line. */
import { AppError } from '../../../../src-contract/errors.ts';
import type { TokenResult } from '../../../../src-contract/tokens/token.ts';
import { tokenResultSchema } from '../../../../src-contract/tokens/token-schema.ts';
import { errorOf, runExitCode } from '../transfers/backup.ts';
import { followRun } from '../runs/follow.ts';
import type { Session } from '../running/session.ts';
import type { ExitCode } from '../terminal/terminal.ts';

/** Follows the job to its end and prints the result. */
export async function followToken(session: Session, started: { runId: string }): Promise<ExitCode> {
  const [job] = await followRun(session, started.runId);
  if (job === undefined) throw new AppError('internal', 'The run has no job.');
  if (job.state.status !== 'succeeded') throw errorOf(job);
  const result = tokenResultSchema.parse(job.result);
  session.terminal.result({ job: job.id, ...result }, () => resultText(result));
  return runExitCode([job], 0);
}

function resultText(result: TokenResult): string {
  switch (result.action) {
    case 'revoke':
      return `The token ${result.id} is revoked.`;
    case 'hand-over':
      return `The token ${result.oldId} is replaced by ${result.newId}, which expires on ${result.expiresOn ?? 'no day'}.`;
    case 'rotate':
      return `The ${result.slot} token is replaced: ${result.oldId} by ${result.newId}, which expires on ${result.expiresOn ?? 'no day'}. It is in the keychain.`;
  }
}
