/** @file Decides which jobs may be repeated, cancelled, or marked as not delivered. Pure. */
import { AppError } from '../../../src-contract/errors.ts';
import { changeInputSchema } from '../../../src-contract/projects/change-schema.ts';
import { hasEnded, type StoredJob } from '../../../src-contract/runs/job.ts';
import { importInputSchema } from '../../../src-contract/runs/job-schema.ts';
import { tokenInputSchema } from '../../../src-contract/tokens/token-schema.ts';

/** Throws `invalid-input` for a job that must not simply be repeated. */
export function assertRepeatable(job: StoredJob): void {
  const why = whyNotRepeated(job);
  if (why !== null) throw new AppError('invalid-input', why, { details: { wrong: 'state' } });
}

/** A project or token that was confirmed for the job may be another one now. */
function whyNotRepeated({ id, kind, state, input }: StoredJob): string | null {
  if (!hasEnded(state)) return `The job ${id} has not ended.`;
  if (state.status === 'succeeded') return `The job ${id} has succeeded.`;
  if (kind === 'import' && importInputSchema.parse(input).overwrite)
    return 'This import replaces a project; start it again, so that you confirm what it destroys.';
  const token = kind === 'token' ? tokenInputSchema.parse(input).action : null;
  if (token === 'revoke') return 'Ask for the revocation again, so that it is confirmed.';
  if (token === 'hand-over') return 'Ask for the rotation again, so that it is confirmed.';
  const change = kind === 'change' ? changeInputSchema.parse(input).change.kind : null;
  return change === 'delete' ? 'Ask for the deletion again, so that it is confirmed.' : null;
}

/** `job-busy` for a job that must not be stopped now, else null: to stop a rotation loses the new token. */
export function refusalToCancel(job: StoredJob): AppError | null {
  const isRotation = job.kind === 'token' && tokenInputSchema.parse(job.input).action !== 'revoke';
  if (!isRotation || job.step !== 'send' || job.attempt === 0 || hasEnded(job.state)) return null;
  return new AppError('job-busy', 'GitLab was asked already; cancelling now would lose the new token.', {
    details: { jobId: job.id, project: job.project },
  });
}

/** Whether the server may know of the import: a replacing one is the only kind that is not sent again automatically. */
export function mayHaveArrived({ kind, state, input }: StoredJob): boolean {
  const hasLost =
    state.status === 'cancelled' || (state.status === 'failed' && state.error.code === 'import-ambiguous');
  return kind === 'import' && hasLost && importInputSchema.parse(input).overwrite;
}
