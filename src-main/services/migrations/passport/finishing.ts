/**
 * @file The requested changes to a source after its project was moved, with their results from jobs and requests. Pure.
 */
import { AppError } from '../../../../src-contract/errors.ts';
import { hasEnded, type StoredJob } from '../../../../src-contract/runs/job.ts';
import type {
  FinishPart,
  FinishRecord,
  Passport,
} from '../../../../src-contract/migrations/passport-schema.ts';
import { changeInputSchema, changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import { z } from '../../../../src-contract/schema.ts';
import type { PartialFinish } from '../../../catalogue/migrations/migration-jobs.ts';
import { isoTime } from '../../../platform/clock.ts';

type SentRequest = Pick<Passport['requests'][number], 'at' | 'method' | 'path' | 'status'>;

const changeOutputSchema = changeResultSchema.pick({ notTaken: true });

/**
 * Returns the record of the job; null for a job of another kind. `requests` is sorted oldest first. `output` is the output
 * of the sending step, undefined until it succeeded.
 */
export function finishOf(
  job: StoredJob,
  requests: readonly SentRequest[],
  output: unknown,
): FinishRecord | null {
  const input = job.kind === 'change' ? changeInputSchema.safeParse(job.input).data : undefined;
  if (input?.change.kind !== 'mark-as-moved') return null;
  const { archive, newPlace } = input.change;
  const { state } = job;
  const archiveRequests = requests.filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/archive'),
  );
  const editRequests = requests.filter(({ method }) => method === 'PUT');
  const result = changeOutputSchema.safeParse(output).data ?? null;
  const isFinal = result !== null || hasEnded(state);
  const error = state.status === 'failed' ? state.error : null;
  const notTaken =
    result?.notTaken.some(({ attribute }) => attribute === 'description') ??
    error?.details['noteNotTaken'] === true;
  const note = partStatus(editRequests, {
    isFinal,
    isConfirmed: result !== null || archiveRequests.length > 0,
  });
  return {
    jobId: job.id,
    askedAt: isoTime(job.createdAt),
    endedAt: hasEnded(state) ? isoTime(job.updatedAt) : null,
    mark: archive ? partStatus(archiveRequests, { isFinal, isConfirmed: result !== null }) : null,
    note:
      newPlace === null
        ? null
        : note.outcome === 'done' && notTaken
          ? { ...note, outcome: 'not-taken' }
          : note,
    newPlace,
    error,
  };
}

function partStatus(
  requests: readonly SentRequest[],
  { isFinal, isConfirmed }: { isFinal: boolean; isConfirmed: boolean },
): FinishPart {
  const last = requests.at(-1);
  const accepted = requests.findLast(({ status }) => status !== null && status < 300);
  if (accepted !== undefined) return { outcome: 'done', at: accepted.at };
  // The change was made, even if a response was lost: a later request showed it.
  if (isConfirmed)
    return last === undefined ? { outcome: 'already', at: null } : { outcome: 'done', at: last.at };
  if (!isFinal) return { outcome: 'open', at: null };
  if (last === undefined) return { outcome: 'not-sent', at: null };
  return { outcome: last.status === null ? 'unknown' : 'refused', at: last.at };
}

const finishRequestSchema = z.looseObject({ markSource: z.boolean(), noteNewPlace: z.boolean() });

/**
 * Returns the record for a project that got no job because other work was using it; null if the request did not include
 * it.
 */
export function skippedFinish(
  { at, request, projects }: PartialFinish,
  { sourcePath, targetUrl }: { sourcePath: string; targetUrl: string | null },
): FinishRecord | null {
  const requested = finishRequestSchema.safeParse(request).data;
  if (requested === undefined || !projects.includes(sourcePath)) return null;
  const notSent: FinishPart = { outcome: 'not-sent', at: null };
  return {
    jobId: null,
    askedAt: isoTime(at),
    endedAt: isoTime(at),
    mark: requested.markSource ? notSent : null,
    note: requested.noteNewPlace ? notSent : null,
    newPlace: requested.noteNewPlace ? targetUrl : null,
    error: new AppError('job-busy', 'Other work on the project was in progress.').toData(),
  };
}

/**
 * Returns the status of the last request. If the change had been made before, returns the status with the time of that
 * change. Null if it was never requested.
 */
export function currentFinishStatus(
  finishes: readonly FinishRecord[],
  part: 'mark' | 'note',
): FinishPart | null {
  const requested = finishes.flatMap((finish) => finish[part] ?? []);
  const done = requested.findLast(({ outcome }) => outcome === 'done');
  const last = requested.at(-1) ?? null;
  return last?.outcome === 'already' && done !== undefined ? done : last;
}

export const hasFailedPart = (finishes: readonly FinishRecord[]): boolean =>
  (['mark', 'note'] as const).some((part) => hasFailed(currentFinishStatus(finishes, part)));

export const hasFailed = (part: FinishPart | null): boolean =>
  part !== null && part.outcome !== 'done' && part.outcome !== 'already' && part.outcome !== 'open';
