/**
 * @file An earlier import that replaces the project at the same place, and of which nobody knows whether it arrived. Whatever is
 * to replace that project next settles this first: a request that comes late would replace it again. [Note: POST is not idempotent]
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-contract/errors.ts';
import type { ImportInput } from '../../../src-contract/job.ts';
import { importInputSchema } from '../../../src-contract/job-schema.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { intentSchema, type Intent } from '../running/ambiguity.ts';
import type { StepContext, Waiting } from '../running/step.ts';
import { preparedSchema, sentSchema, type Prepared } from './import-outputs.ts';
import { isOurs, projectOfImport } from './new-project.ts';

export interface LostImport {
  jobId: string;
  input: ImportInput;
  /** What was known before its request left. */
  prepared: Prepared;
  intent: Intent;
}

/** Null where none was sent, or where it is known what became of the last one. */
export function lostImport(context: StepContext): LostImport | null {
  for (const { job, outputs, memos } of context.earlier()) {
    if (outputs['send'] !== undefined) return null;
    const input = importInputSchema.safeParse(job.input).data;
    const prepared = preparedSchema.safeParse(outputs['prepare']).data;
    const intent = intentSchema.safeParse(memos['send']).data;
    if (input?.overwrite !== true || prepared === undefined || intent === undefined) continue;
    return { jobId: job.id, input, prepared, intent };
  }
  return null;
}

/** An import of ours that a job before this one did not follow to its end. */
export interface UnfinishedImport {
  jobId: string;
  /** What was known before its request left. */
  prepared: Prepared;
  projectId: number;
  /** When it was accepted, or sent where its answer was lost; epoch milliseconds. */
  at: number;
}

/**
 * The earlier import of the same archive that made the project which stands at the target now; null where nothing proves that. Its
 * job failed or was cancelled after the request had left, as in a long outage, while GitLab went on with it. An import that
 * GitLab calls failed is none.
 */
export function unfinishedImport(
  context: StepContext,
  input: ImportInput,
  existing: Project,
): UnfinishedImport | null {
  if (!['scheduled', 'started', 'finished'].includes(existing.importStatus ?? '')) return null;
  for (const { job, outputs, memos } of context.earlier()) {
    // What a job has followed to its end belongs to whoever asked for that: it is not taken up by another.
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
    if (isOurs(existing, prepared, intent.intentAt)) {
      return { jobId: job.id, prepared, projectId: existing.id, at: intent.intentAt };
    }
  }
  return null;
}

/** Whether both make the same project: of the same archive, with the same name and attributes. */
export function isSameImport(one: ImportInput, other: ImportInput): boolean {
  const work = ({ source, sha256, name, overrideParams }: ImportInput) => ({
    source: { ...source, secret: null },
    sha256,
    name,
    overrideParams,
  });
  return isDeepStrictEqual(work(one), work(other));
}

/** Before another archive goes to that place: null once the earlier import has come to its end. Throws `import-ambiguous` and `deadline-passed`. */
export async function waitForOther(context: StepContext, lost: LostImport): Promise<Waiting | null> {
  const found = await projectOfImport(context, lost.input, lost.prepared, lost.intent.intentAt);
  if (found === null) throw unknownArrival(lost.input, lost.jobId);
  if (found.importStatus !== 'scheduled' && found.importStatus !== 'started') return null;
  const { pace } = context.ports.instance;
  if (context.clock.now() - lost.intent.intentAt > pace.deadlineMs) {
    throw new AppError('deadline-passed', `The earlier import to ${found.fullPath} has not ended.`);
  }
  return {
    kind: 'wait',
    ms: pace.maxPollMs,
    reason: 'server-working',
    text: `An earlier import to ${lost.input.namespace}/${lost.input.path} is still under way as ${found.fullPath}.`,
    memo: null,
  };
}

/** @param jobId the job whose request was sent. */
export function unknownArrival({ namespace, path }: ImportInput, jobId: string): AppError {
  return new AppError(
    'import-ambiguous',
    'The answer to the request to replace the project was lost, and it may still arrive.',
    { details: { project: `${namespace}/${path}`, lostJob: jobId } },
  );
}
