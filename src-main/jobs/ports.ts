/**
 * @file The ports of jobs: an instance, a store for archives, the stored jobs, the lease. Types only.
 * `compose/compose.ts` passes the real ones, tests pass their own.
 */
import type { RecordName } from '../../src-contract/migrations/failure.ts';
import type {
  Inspection,
  Manifest,
  ProjectCounts,
  SourceCounts,
  ArchiveRecord,
  Proof,
} from '../../src-contract/archives/archive.ts';
import type { AppError, ErrorData } from '../../src-contract/errors.ts';
import type { Failure, ImportStatus, Reconciliation } from '../../src-contract/transfers/import.ts';
import type { Pace } from '../../src-contract/instances/instance.ts';
import type { StoredJob, JobKind, JobState } from '../../src-contract/runs/job.ts';
import type { Project } from '../../src-contract/projects/project.ts';
import type { RunNote, RunOutcome } from '../../src-contract/runs/run.ts';
import type { ImportableRelation, RelationImport, Storage } from '../../src-contract/transfers/transfer.ts';
import type { Departure } from '../../src-contract/projects/scope.ts';
import type { AuthoredRecord, RelationTarget } from '../../src-contract/transfers/relation-target-schema.ts';
import type { HeldArchive, PlanRetention } from '../archive/retention.ts';
import type { ChangePort } from './projects/change-ports.ts';
import type { TokenPort } from './tokens/token-ports.ts';

export type ExportState = 'none' | 'queued' | 'started' | 'finished' | 'regeneration_in_progress' | 'failed';

export interface DownloadFacts {
  /** From Content-Length. Null if the server sent none; then only the archive itself can prove that it is complete. */
  totalBytes: number | null;
  /** Epoch milliseconds; null if absent. */
  lastModified: number | null;
}

/** A download that broke off and can be resumed. */
export interface DownloadCut {
  error: AppError;
  /** Bytes received so far; 0 if the file has to be downloaded from its beginning. */
  bytes: number;
  /** Number of consecutive resumes that brought no bytes. */
  emptyResumes: number;
  /** True if resuming sends a request to the instance, which counts toward its limits. */
  asksInstance: boolean;
}

export interface DownloadSink {
  /** Called again when the file has to be downloaded from its beginning. Earlier chunks are then worthless. */
  onStart(facts: DownloadFacts): Promise<void>;
  onChunk(chunk: Uint8Array): Promise<void>;
  /** May wait. Rejects to abort the download. */
  beforeResume(cut: DownloadCut): Promise<void>;
}

export interface ImportTarget {
  namespace: string;
  path: string;
  name: string | null;
  overwrite: boolean;
  overrideParams: Record<string, string>;
}

export interface UploadRequest extends ImportTarget {
  archivePath: string;
  sha256: string;
  sizeBytes: number;
}

/** An import from an address, or from a file of a storage. Both contain secrets. */
export interface RemoteImportRequest extends ImportTarget {
  from: { url: string } | { storage: Storage; secretAccessKey: string; key: string };
}

export interface RelationUploadRequest {
  archivePath: string;
  sha256: string;
  sizeBytes: number;
  fullPath: string;
  relation: ImportableRelation;
}

/** One instance with the account used on it. Every failure is an `AppError`. */
export interface InstancePort {
  readonly name: string;
  readonly url: string;
  readonly username: string | null;
  readonly pace: Pace;
  /** Returns the version and the clock difference (server minus ours); null for what the server does not report. */
  server(signal: AbortSignal): Promise<{ version: string | null; clockSkewMs: number | null }>;
  userId(signal: AbortSignal): Promise<number>;
  project(idOrPath: number | string, signal: AbortSignal): Promise<Project>;
  /** Returns the highest project id that the account can see; 0 if it sees none. */
  highestProjectId(signal: AbortSignal): Promise<number>;
  /** Lists visible projects with a higher id whose path, name or description contains `search`; null lists all. */
  projectsAfter(id: number, search: string | null, signal: AbortSignal): AsyncIterable<Project>;
  namespaceExists(fullPath: string, signal: AbortSignal): Promise<boolean>;
  counts(projectId: number, signal: AbortSignal): Promise<ProjectCounts>;
  /** With `push` the instance pushes the archive to an address, which may be a secret. */
  requestExport(
    projectId: number,
    signal: AbortSignal,
    how?: { description: string | null; push: { url: string; method: 'PUT' | 'POST' } | null },
  ): Promise<void>;
  exportState(projectId: number, signal: AbortSignal): Promise<ExportState>;
  /** Calls `onStart`, then `onChunk` in order, and awaits each call. Resolves after the last byte. */
  downloadExport(projectId: number, sink: DownloadSink, signal: AbortSignal): Promise<void>;
  importFile(
    request: UploadRequest,
    onProgress: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<ImportStatus>;
  /** GitLab downloads the archive itself. */
  importRemote(request: RemoteImportRequest, signal: AbortSignal): Promise<ImportStatus>;
  importStatus(projectId: number, signal: AbortSignal): Promise<ImportStatus>;
  /** GitLab skips existing records, and runs one relation import at a time for each project. */
  importRelation(
    request: RelationUploadRequest,
    onProgress: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<RelationImport>;
  relationImports(projectId: number, signal: AbortSignal): Promise<RelationImport[]>;
  /** Reads everything that a relation import may change besides records. */
  relationTarget(projectId: number, signal: AbortSignal): Promise<RelationTarget>;
  /** Returns the authors' usernames of those records that the project has, by iid; null if no list reports them. */
  recordAuthors(
    projectId: number,
    relation: string,
    iids: readonly number[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string | null> | null>;
  changes: ChangePort;
}

export interface ArchiveKey {
  instanceUrl: string;
  projectId: number;
  fullPath: string;
  /** Epoch milliseconds. Names the archive, so that a repeated step uses the same name. */
  at: number;
}

export type ManifestFields = Omit<
  Manifest,
  'schemaVersion' | 'file' | 'sizeBytes' | 'sha256' | 'storedAt' | 'inspection'
>;

export interface StoredArchiveRef {
  id: string;
  /** Absolute path of the archive file. */
  path: string;
  manifest: Manifest;
}

export interface PendingArchivePort {
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Flushes the file and ends the inspection that ran with the download. Nothing is visible under the final name yet.
   */
  finish(): Promise<Inspection>;
  /** Writes the file, the manifest and the catalogue row, in this order. [Note: file before row] */
  commit(fields: ManifestFields): Promise<StoredArchiveRef>;
  /** Removes the file, or moves it to the trash folder with a reason. Idempotent. */
  discard(keepBecause: string | null): Promise<void>;
}

/** A stored archive of a project. `path` is relative to its root. */
export type HeldProjectArchive = HeldArchive & {
  path: string;
  /** Absolute path of the archive folder that contains it. */
  root: string;
  /** The counts of its source around the export. */
  source: SourceCounts | null;
};

export interface ArchivePort {
  /** Returns the archive that an earlier attempt of the same job already committed under this key, or null. */
  recover(key: ArchiveKey, jobId: string): Promise<StoredArchiveRef | null>;
  /**
   * Returns the absolute path of an archive folder; null means the folder in the settings. Throws `disk-failed` for an
   * unknown one.
   */
  folder(root: string | null): string;
  /**
   * Throws `disk-full` if `expectedBytes` is known and would not fit.
   * @param root absolute path of an archive folder; null: the one in the settings.
   */
  begin(key: ArchiveKey, expectedBytes: number | null, root: string | null): Promise<PendingArchivePort>;
  inspect(path: string, signal: AbortSignal): Promise<Inspection>;
  /** Returns the manifest of a stored archive, or the one beside a file with that SHA-256; otherwise null. */
  manifestOf(path: string, sha256: string): Promise<Manifest | null>;
  records(
    path: string,
    wanted: { relation: string; line: number }[],
    signal: AbortSignal,
  ): Promise<(ArchiveRecord | null)[]>;
  /** Returns at most `max` records of one relation with their authors, and how many more there are. */
  authors(
    path: string,
    relation: string,
    max: number,
    signal: AbortSignal,
  ): Promise<{ records: AuthoredRecord[]; more: number }>;
  addProof(archiveId: string, proof: Proof): Promise<void>;
  /**
   * Returns all archives of one project that backups of this instance stored under this path, except those on a missing
   * disk. `path` is relative to the archive root. An archive whose file is gone or has another length is not readable.
   */
  archivesOf(project: {
    instanceName: string;
    instanceUrl: string;
    projectId: number;
    fullPath: string;
  }): Promise<HeldProjectArchive[]>;
  /**
   * Moves an archive with its manifest and state file to the trash folder of its root and removes its row. Returns
   * false without effect if it was pinned or came into use meanwhile. Idempotent: completes an interrupted discard.
   */
  discard(archiveId: string, reason: string): Promise<boolean>;
}

/** A job that has ended, with the stored outputs of its steps, and the memos of unfinished steps. Both by step. */
export interface EarlierJob {
  job: StoredJob;
  outputs: Record<string, unknown>;
  memos: Record<string, unknown>;
}

export interface JobEventDraft {
  type: string;
  message: string;
}

/** The stored jobs. Each method that changes something is one transaction and appends one event. */
export interface JobStorePort {
  get(id: string): StoredJob | null;
  open(): StoredJob[];
  /** Stores all changes that `work` makes in one transaction, or none if it throws. `work` must be synchronous. */
  together<T>(work: () => T): T;
  change(
    id: string,
    expectedRevision: number,
    change: { state: JobState; event: JobEventDraft; at: number; result?: unknown },
  ): StoredJob;
  /** Counts the attempt and commits before the step runs. For a step that sends a request, this row is the intent. */
  beginStep(id: string, step: string, at: number): { attempt: number; memo: unknown };
  saveMemo(id: string, step: string, memo: unknown): void;
  /** Stores the output and deletes the memo, so that a later return to the step starts fresh. */
  finishStep(
    id: string,
    step: string,
    output: unknown,
    nextStep: string | null,
    event: JobEventDraft,
    at: number,
  ): StoredJob;
  outputs(id: string): Record<string, unknown>;
  /** Returns earlier jobs of the same kind, instance and project that have ended, newest first. */
  earlier(id: string): EarlierJob[];
  appendEvent(id: string, type: string, message: string, at: number): void;
}

/** The filters of a list of projects. An absent or undefined filter is not sent. */
export interface ProjectFilter {
  membership: boolean;
  visibility?: string | undefined;
  archived?: boolean | undefined;
  owned?: boolean | undefined;
  starred?: boolean | undefined;
  topic?: string | undefined;
  /** ISO 8601 UTC. */
  activeAfter?: string | undefined;
}

/** Lists the projects that an account sees. Every failure is an `AppError`. */
export interface ProjectSource {
  /** True if the account is an administrator, who may export every visible project. */
  readonly administrator: boolean;
  /** Throws `account-changed` if the token belongs to another account than the one stored for the instance. */
  assertAccount(signal: AbortSignal): Promise<void>;
  /** Returns the number of `projects`; null if the instance does not report it. */
  projectCount(filter: ProjectFilter, signal: AbortSignal): Promise<number | null>;
  projects(filter: ProjectFilter, signal: AbortSignal): AsyncIterable<Project>;
  /** Throws `project-missing` and `project-moved`. */
  project(id: number, signal: AbortSignal): Promise<Project>;
}

/** The draft of a job: work of one kind on a project. */
export interface JobDraft {
  instance: string;
  project: string;
  input: unknown;
}

/** Why a due time passed without a firing on request. A paused one may still be caught up. */
export type SkipReason = 'paused' | 'once';

/**
 * The stored firings of plans: the runs that they started, and why one could not start. Times are epoch milliseconds.
 */
export interface FiringsPort {
  /** Returns the firing with the newest due time that is not after `upTo`. */
  last(
    planId: string,
    upTo: number,
  ): { runId: string; dueAt: number; startedAt: number; outcome: RunOutcome } | null;
  /** Returns the newest due time, not after `upTo`, that was skipped once. */
  passedOnce(planId: string, upTo: number): number | null;
  /** Returns whether the plan has fired for that due time, or skipped it once. */
  has(planId: string, dueAt: number): boolean;
  /** Stores a skipped due time as a run without jobs. Returns false without a write if it is known already. */
  recordSkip(planId: string, dueAt: number, why: SkipReason, request: unknown, at: number): boolean;
  /** Returns why the plan could not fire; null once it has. */
  failure(planId: string): ErrorData | null;
  noteFailure(planId: string, error: ErrorData, at: number): void;
  /**
   * Creates the run of a due time with its jobs, in one transaction. A project with an open job joins that job, or is
   * skipped if the job does the same work in another way. Returns null without a write if that due time has already
   * fired. New projects of the plan are added to `notes`, except in its first firing.
   */
  fire(
    firing: {
      runId: string;
      planId: string;
      dueAt: number;
      kind: JobKind;
      request: unknown;
      at: number;
      notes: readonly RunNote[];
      projects: ReadonlyArray<{ id: number; fullPath: string }>;
      /** Projects that left the plan's scope since its last firing; `notes` already names them. */
      departures: readonly Departure[];
    },
    jobs: readonly JobDraft[],
  ): { runId: string; jobs: StoredJob[]; leftOut: string[] } | null;
}

export interface LeasePort {
  /** Returns true if this process holds the lease now. */
  acquire(): boolean;
  heartbeat(): boolean;
  release(): void;
}

export interface SecretsPort {
  /** Returns an address that is kept in memory only. Throws `secret-lost`. */
  address(key: string): string;
  /** Throws `storage-missing`, also if its secret access key is not in the keychain, and the keychain's errors. */
  storage(name: string): Promise<{ storage: Storage; secretAccessKey: string }>;
}

/** Stores the failures of imports while GitLab lists them. */
export interface FailureLedgerPort {
  /**
   * Adds the failures that a poll of the import listed.
   * @returns all known failures of the import, by the server's id.
   */
  note(
    from: {
      importJob: string;
      instance: string;
      project: string;
      projectId: number;
      archiveId: string | null;
      archivePath: string | null;
    },
    listed: readonly Failure[],
    at: number,
  ): Failure[];
  /** Moves the failures of one job's import to another job. */
  carryOver(fromJob: string, toJob: string): void;
  /** Stores names for the records of an import's failures, by the server's id. */
  name(importJob: string, records: ReadonlyMap<number, RecordName>): void;
}

/** An imported project, with the archive that it was created from. */
export interface ImportedProject {
  /** Name of the instance. */
  instance: string;
  projectId: number;
  archive: { path: string; inspection: Inspection };
  /** The requested name; null if none was requested. */
  name: string | null;
  failures: readonly { relation: string | null; line: number | null }[];
  /** Compares the counts. */
  numbers: (target: ProjectCounts) => Reconciliation | Promise<Reconciliation>;
}

/** Compares an imported project with its archive: counts, names, members, refs, protections and files. */
export interface ImportComparisonPort {
  compare(imported: ImportedProject, signal: AbortSignal): Promise<Reconciliation>;
}

export interface StepPorts {
  arrivals: ImportComparisonPort;
  instance: InstancePort;
  tokens: TokenPort;
  archives: ArchivePort;
  failures: FailureLedgerPort;
  secrets: SecretsPort;
  appVersion: string;
  /**
   * Returns which archives of that project the plan keeps now, and which the other plans that back it up keep; null:
   * all. Throws `settings-unreadable`.
   */
  retentionOf(planId: string, projectId: number): PlanRetention | null;
  /** Returns whether that plan skips unchanged projects now. Throws `settings-unreadable`. */
  skipsUnchanged(planId: string): boolean;
  /** Returns the archive folder of that plan; null: the folder in the settings. */
  archiveRootOf(planId: string): string | null;
}

export interface JobObserver {
  changed(job: StoredJob): void;
  /** Reports a failure of the runner itself, which will be tried again: in the catalogue, the lease or the cleanup. */
  onError(error: AppError): void;
}
