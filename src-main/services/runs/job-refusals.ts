/** @file Decides which jobs may be repeated, cancelled, or marked as not delivered. Pure. */
import { AppError } from '../../../src-contract/errors.ts';
import { changeInputSchema } from '../../../src-contract/projects/change-schema.ts';
import { hasEnded, type StoredJob } from '../../../src-contract/runs/job.ts';
import { importInputSchema } from '../../../src-contract/runs/job-schema.ts';
import { tokenInputSchema } from '../../../src-contract/tokens/token-schema.ts';

/** Throws `invalid-input` for a job that must not be repeated without a new request. */
export function assertRepeatable(job: StoredJob): void {
  const why = whyNotRepeated(job);
  if (why !== null) throw new AppError('invalid-input', why, { details: { wrong: 'state' } });
}

/**
 * Returns why a job must not be repeated, or null. The project or token that was confirmed for the job may have
 * changed.
 */
function whyNotRepeated({ id, kind, state, input }: StoredJob): string | null {
  if (!hasEnded(state)) return `The job ${id} has not ended.`;
  if (state.status === 'succeeded') return `The job ${id} has succeeded.`;
  if (kind === 'import' && importInputSchema.parse(input).overwrite)
    return 'This import replaces a project. Start a new import, so that you confirm what it destroys.';
  const token = kind === 'token' ? tokenInputSchema.parse(input).action : null;
  if (token === 'revoke') return 'Request the revocation again, so that you confirm it.';
  if (token === 'hand-over') return 'Request the rotation again, so that you confirm it.';
  const change = kind === 'change' ? changeInputSchema.parse(input).change.kind : null;
  return change === 'delete' ? 'Request the deletion again, so that you confirm it.' : null;
}

/**
 * Returns `job-busy` for a rotation that must not be stopped now, because the new token would be lost; otherwise null.
 */
export function cancelRefusedError(job: StoredJob): AppError | null {
  const isRotation = job.kind === 'token' && tokenInputSchema.parse(job.input).action !== 'revoke';
  if (!isRotation || job.step !== 'send' || job.attempt === 0 || hasEnded(job.state)) return null;
  return new AppError(
    'job-busy',
    'The request was already sent to GitLab. Cancelling now would lose the new token.',
    {
      details: { jobId: job.id, project: job.project },
    },
  );
}

/**
 * Returns whether the server may have received a replacing import. Packhorse sends every other import again
 * automatically, but never this kind.
 */
export function mayHaveArrived({ kind, state, input }: StoredJob): boolean {
  const isOutcomeUnknown =
    state.status === 'cancelled' || (state.status === 'failed' && state.error.code === 'import-ambiguous');
  return kind === 'import' && isOutcomeUnknown && importInputSchema.parse(input).overwrite;
}
