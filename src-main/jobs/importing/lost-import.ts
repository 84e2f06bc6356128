/**
 * @file Finds an earlier import to the same path whose outcome is unknown. This must be resolved first, because a
 * late request would replace the project again. [Note: POST is not idempotent]
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import type { ImportInput } from '../../../src-contract/runs/job.ts';
import { importInputSchema } from '../../../src-contract/runs/job-schema.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { intentSchema, type Intent } from '../running/ambiguity.ts';
import type { StepContext, WaitOutcome } from '../running/step.ts';
import { preparedSchema, sentSchema, type PreparedImport } from './import-outputs.ts';
import { wasCreatedByRequest, findImportedProject } from './new-project.ts';

export interface AmbiguousImport {
  jobId: string;
  input: ImportInput;
  prepared: PreparedImport;
  intent: Intent;
}

/** Returns null if no request was sent, or if the outcome of the last request is known. */
export function findAmbiguousImport(context: StepContext): AmbiguousImport | null {
  for (const { job, outputs, memos } of context.earlierJobs()) {
    if (outputs['send'] !== undefined) return null;
    const input = importInputSchema.safeParse(job.input).data;
    const prepared = preparedSchema.safeParse(outputs['prepare']).data;
    const intent = intentSchema.safeParse(memos['send']).data;
    if (input?.overwrite !== true || prepared === undefined || intent === undefined) continue;
    return { jobId: job.id, input, prepared, intent };
  }
  return null;
}

/** An import that an earlier job sent and did not follow to its end. */
export interface OrphanedImport {
  jobId: string;
  prepared: PreparedImport;
  projectId: number;
  /** When the import was accepted, or when its request was sent if the response was lost. Epoch milliseconds. */
  at: number;
}

/**
 * Returns the earlier import of the same archive that created the project at the target; null if no import is proven to
 * have created it. The earlier job ended while GitLab continued its import.
 */
export function findOrphanedImport(
  context: StepContext,
  input: ImportInput,
  existing: Project,
): OrphanedImport | null {
  if (!['scheduled', 'started', 'finished'].includes(existing.importStatus ?? '')) return null;
  for (const { job, outputs, memos } of context.earlierJobs()) {
    // An import that a job followed to its end belongs to that job's requester. Another job does not take it over.
    if (job.state.status === 'succeeded') return null;
    const earlier = importInputSchema.safeParse(job.input).data;
    const prepared = preparedSchema.safeParse(outputs['prepare']).data;
    if (earlier === undefined || prepared === undefined || !isSameImport(earlier, input)) continue;
    const sent = sentSchema.safeParse(outputs['send']).data;
    if (sent !== undefined) {
      return sent.projectId === existing.id ? { jobId: job.id, prepared, ...sent } : null;
    }
    const intent = intentSchema.safeParse(memos['send']).data;
    if (intent === undefined || existing.importType !== 'gitlab_project') continue;
    if (wasCreatedByRequest(existing, prepared, intent.intentAt)) {
      return { jobId: job.id, prepared, projectId: existing.id, at: intent.intentAt };
    }
  }
  return null;
}

export function isSameImport(a: ImportInput, b: ImportInput): boolean {
  const comparableFields = ({ source, sha256, name, overrideParams }: ImportInput) => ({
    source: { ...source, secret: null },
    sha256,
    name,
    overrideParams,
  });
  return isDeepStrictEqual(comparableFields(a), comparableFields(b));
}

/**
 * Waits until the earlier import ends; returns null once it has ended. Throws `import-ambiguous` and `deadline-passed`.
 */
export async function waitForEarlierImport(
  context: StepContext,
  earlier: AmbiguousImport,
): Promise<WaitOutcome | null> {
  const found = await findImportedProject(context, earlier.input, earlier.prepared, earlier.intent.intentAt);
  if (found === null) throw unknownImportError(earlier.input, earlier.jobId);
  if (found.importStatus !== 'scheduled' && found.importStatus !== 'started') return null;
  const { pace } = context.ports.instance;
  if (context.clock.now() - earlier.intent.intentAt > pace.deadlineMs) {
    throw new AppError('deadline-passed', `The earlier import to ${found.fullPath} has not ended.`);
  }
  return {
    kind: 'wait',
    ms: pace.maxPollMs,
    reason: 'server-working',
    text: `An earlier import to ${earlier.input.namespace}/${earlier.input.path} is still in progress as ${found.fullPath}.`,
    memo: null,
  };
}

export function unknownImportError({ namespace, path }: ImportInput, jobId: string): AppError {
  return new AppError(
    'import-ambiguous',
    'The response to the request to replace the project was lost, so the request may still take effect.',
    { details: { project: `${namespace}/${path}`, lostJob: jobId } },
  );
}
