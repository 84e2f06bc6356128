/** @file Follows a job about a token to its end on the command line. */
import type { TokenResult } from '../../../../src-contract/tokens/token.ts';
import { tokenResultSchema } from '../../../../src-contract/tokens/token-schema.ts';
import type { Session } from '../running/session.ts';
import type { ExitCode } from '../terminal/terminal.ts';
import { followResult } from '../runs/outcome.ts';

export async function followTokenJob(session: Session, started: { runId: string }): Promise<ExitCode> {
  const { job, result, exitCode } = await followResult(session, started.runId, tokenResultSchema);
  session.terminal.result({ job: job.id, ...result }, () => resultText(result));
  return exitCode;
}

function resultText(result: TokenResult): string {
  switch (result.action) {
    case 'revoke':
      return `The token ${result.id} is revoked.`;
    case 'hand-over':
      return `The token ${result.oldId} is replaced by ${result.newId} (expires ${result.expiresOn ?? 'never'}).`;
    case 'rotate':
      return `The ${result.slot} token is replaced: ${result.oldId} by ${result.newId} (expires ${result.expiresOn ?? 'never'}). It is in the keychain.`;
  }
}
