/** @file The noun *job*: one piece of persisted work on exactly one instance, its state, and its events. */
import type { z } from '../schema.ts';
import type * as schemas from './job-schema.ts';
import { changeKindOf, type ChangeKind } from '../projects/change.ts';

export type JobState = z.output<typeof schemas.jobStateSchema>;
export type Progress = z.output<typeof schemas.progressSchema>;
export type ExportInput = z.output<typeof schemas.exportInputSchema>;
export type ImportSource = z.output<typeof schemas.importSourceSchema>;
export type ImportInput = z.output<typeof schemas.importInputSchema>;
export type RelationImportInput = z.output<typeof schemas.relationImportInputSchema>;
export type ExportResult = z.output<typeof schemas.exportResultSchema>;
export type ImportResult = z.output<typeof schemas.importResultSchema>;
export type JobHeader = z.output<typeof schemas.jobHeaderSchema>;
export type Job = z.output<typeof schemas.jobSchema>;
export type JobStep = z.output<typeof schemas.jobStepSchema>;
export type JobEvent = z.output<typeof schemas.jobEventSchema>;

export type JobKind = Job['kind'];
/** The kinds of jobs. A kind without a schema does not compile. */
export const jobKinds = [
  'export',
  'import',
  'change',
  'relation-import',
  'token',
] as const satisfies JobKind[];

export type JobStatus = JobState['status'];

export const jobStatuses = [
  'queued',
  'running',
  'waiting',
  'cancelling',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const satisfies JobStatus[];

export const endedStatuses = ['succeeded', 'failed', 'cancelled', 'skipped'] as const satisfies JobStatus[];

export function hasEnded({ status }: { status: JobStatus }): boolean {
  return (endedStatuses as readonly JobStatus[]).includes(status);
}

/** A job as the catalogue stores it. Another version may have stored its contents, so parse them by kind. */
export interface StoredJob extends JobHeader {
  kind: JobKind;
  input: unknown;
  /** Null until the job has succeeded. */
  result: unknown;
}

/**
 * Returns the kind of a change job; null for a job of another kind, and for a change that this version does not know.
 */
export const jobChangeKind = (job: Job): ChangeKind | null =>
  job.kind === 'change' && job.input !== null ? changeKindOf(job.input.change) : null;
