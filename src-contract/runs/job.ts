/** @file The noun *job*: one piece of persisted work on exactly one instance, its state, and its events. */
import type { ErrorData } from '../errors.ts';
import type { Finding } from '../archives/archive.ts';
import type { ExplainedFailure, Reconciliation } from '../transfers/import.ts';
import { changeKindOf, type ChangeInput, type ChangeKind, type ChangeResult } from '../projects/change.ts';
import type { ImportableRelation, RelationImportResult } from '../transfers/transfer.ts';
import type { TokenInput, TokenResult } from '../tokens/token.ts';
import type { WaitReason } from './wait-reasons.ts';
import type { IgnoredAttribute } from '../projects/not-taken.ts';

export const jobKinds = ['export', 'import', 'change', 'relation-import', 'token'] as const;
export type JobKind = (typeof jobKinds)[number];

/** Times are epoch milliseconds. A field that makes sense in one state exists only there. */
export type JobState =
  | { status: 'queued' }
  | { status: 'running'; since: number }
  | {
      status: 'waiting';
      until: number;
      reason: WaitReason;
      text: string;
      /** Since when the instance does not respond, if that is why the job waits. */
      since?: number | undefined;
    }
  | { status: 'cancelling'; by: string }
  | { status: 'succeeded'; warnings: Finding[] }
  | { status: 'failed'; error: ErrorData }
  | { status: 'cancelled'; by: string }
  | { status: 'skipped'; why: string };
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

export function hasEnded(state: JobState): boolean {
  return (endedStatuses as readonly string[]).includes(state.status);
}

/** `unit` of `done` and `total`; `total` is null while it is unknown. */
export interface Progress {
  step: string;
  unit: 'bytes' | 'records' | 'requests';
  done: number;
  total: number | null;
  /** Why there is no progress now, in a sentence: the instance does not respond. */
  waiting?: string | undefined;
}

export interface ExportInput {
  projectId: number;
  fullPath: string;
  /**
   * Whether to download and store a finished export of somebody else's request, before asking for a fresh
   * one.
   */
  keepExisting: boolean;
  /**
   * The plan whose retention, at the time when the new archive has been stored, decides which older archives
   * of the project go; null keeps all. The plan does not say which work is done: a job is joined also by a
   * request with another plan or none.
   */
  planId: string | null;
  /**
   * A person requested it too, since the plan made the job: it makes an archive even where nothing has
   * changed.
   */
  asked?: boolean | undefined;
}

/**
 * How GitLab gets the archive. `file`: it is sent. `url`: fetched by GitLab; the address is stored without
 * its query and kept whole in memory, under `secret`, which does not say which work is done. `s3`: from a
 * storage of the settings.
 */
export type ImportSource =
  | { kind: 'file' }
  | { kind: 'url'; address: string; secret: string }
  | { kind: 's3'; storage: string; key: string };

export interface ImportInput {
  source: ImportSource;
  /**
   * Absolute path, and the hash it had when the job was made; checked again while it is sent. Null where
   * GitLab fetches the archive and none is available here; otherwise the imported project is compared with
   * this archive.
   */
  archivePath: string | null;
  sha256: string | null;
  sizeBytes: number | null;
  /** Full path of the target namespace. Always explicit, so that the target can be looked up afterwards. */
  namespace: string;
  path: string;
  name: string | null;
  overwrite: boolean;
  overrideParams: Record<string, string>;
  /** Catalogue id of the archive where it is a stored one; its state file receives the proof L3 where it was sent itself. */
  archiveId: string | null;
  /** A migration compares source, archive and target afterwards, and only that can prove the archive. */
  comparedLater?: boolean | undefined;
}

export interface RelationImportInput {
  projectId: number;
  fullPath: string;
  /** The same as for an import. */
  archivePath: string;
  sha256: string;
  sizeBytes: number;
  archiveId: string | null;
  relation: ImportableRelation;
  /** The archive holds only records that the project lacks. */
  missingOnly?: boolean | undefined;
  /** Somebody accepted that GitLab may remove the direct members of the project. */
  removeMembers?: boolean | undefined;
}

export interface ExportResult {
  archiveId: string;
  archivePath: string;
  sha256: string;
  sizeBytes: number;
  findings: Finding[];
  /** How many older archives of the project went to the trash folder. */
  prunedCount: number;
}

export interface ImportResult {
  projectId: number;
  fullPath: string;
  webUrl: string;
  correlationId: string | null;
  failures: ExplainedFailure[];
  reconciliation: Reconciliation;
  /** Overrides that the instance accepted and did not take; null: the new project could not be asked. */
  notTaken: IgnoredAttribute[] | null;
}

/** The input and the result of a job of each kind. */
export interface JobContents extends Record<JobKind, { input: unknown; result: unknown }> {
  export: { input: ExportInput; result: ExportResult };
  import: { input: ImportInput; result: ImportResult };
  change: { input: ChangeInput; result: ChangeResult };
  'relation-import': { input: RelationImportInput; result: RelationImportResult };
  token: { input: TokenInput; result: TokenResult };
}

/** Fields of jobs of every kind. `revision` grows with every change of the state. */
export interface JobHeader {
  id: string;
  runId: string;
  instance: string;
  /**
   * The subject of the job: the full path of a project, also of one to be created; `token` with its slot or
   * id. Two jobs with the same instance and project never run at once.
   */
  project: string;
  state: JobState;
  /** Name of the step that runs or comes next, and how often it was tried; null once the job has ended. */
  step: string | null;
  attempt: number;
  createdAt: number;
  updatedAt: number;
  revision: number;
  /** Progress of the running step; kept in the memory of the process that runs the job, null elsewhere. */
  progress: Progress | null;
}

/**
 * A job in the catalogue's form. Its contents may be of another version: a reader that needs them parses them
 * by the kind.
 */
export interface StoredJob extends JobHeader {
  kind: JobKind;
  input: unknown;
  /** Null until the job has succeeded. */
  result: unknown;
}

/** A job of one kind as calls return it. Input and result are null where another version stored them in a form unknown here. */
export interface JobOf<Kind extends JobKind> extends JobHeader {
  kind: Kind;
  input: JobContents[Kind]['input'] | null;
  /** Null until the job has succeeded. */
  result: JobContents[Kind]['result'] | null;
}

/** One job in the form that calls return. The kind determines the types of input and result. */
export type Job = { [Kind in JobKind]: JobOf<Kind> }[JobKind];

/**
 * Returns the change of a job; null for a job of another kind, and for a change that this version does not
 * know.
 */
export const jobChangeKind = (job: Job): ChangeKind | null =>
  job.kind === 'change' && job.input !== null ? changeKindOf(job.input.change) : null;

/** One step of a job. `next`: what comes next; `later`: after that. Times are epoch milliseconds. */
export interface JobStep {
  name: string;
  state: 'done' | 'running' | 'next' | 'later' | 'stopped';
  /** How often it was tried. */
  attempt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

/** A row of the append-only history; `id` grows by one per event over all jobs. */
export interface JobEvent {
  id: number;
  jobId: string;
  at: number;
  type: string;
  message: string;
}
