/**
 * @file What jobs need of the rest: an instance to talk to, a store for archives, the persisted jobs, the lease.
 * Types only; `compose/compose.ts` fits the real ones, tests fit their own.
 */
import type { RecordName } from '../../src-contract/migrations/failure.ts';
import type {
  Inspection,
  Manifest,
  ProjectCounts,
  SourceCounts,
  ArchiveRecord,
  Proof,
} from '../../src-contract/archive.ts';
import type { AppError, ErrorData } from '../../src-contract/errors.ts';
import type { Failure, ImportStatus, Reconciliation } from '../../src-contract/import.ts';
import type { Pace } from '../../src-contract/instance.ts';
import type { StoredJob, JobKind, JobState } from '../../src-contract/job.ts';
import type { Project } from '../../src-contract/projects/project.ts';
import type { RunNote, RunOutcome } from '../../src-contract/plans/run.ts';
import type { ImportableRelation, RelationImport, Storage } from '../../src-contract/projects/transfer.ts';
import type { Departure } from '../../src-contract/projects/scope.ts';
import type { AuthoredRecord, RelationTarget } from '../../src-contract/projects/relation-target.ts';
import type { HeldArchive, PlanRetention } from '../archive/retention.ts';
import type { ChangePort } from './changes/change-ports.ts';
import type { TokenPort } from './tokens/token-ports.ts';

export type ExportState = 'none' | 'queued' | 'started' | 'finished' | 'regeneration_in_progress' | 'failed';

export interface DownloadFacts {
  /** From Content-Length; null when the server did not say, and then only the archive itself can prove completeness. */
  totalBytes: number | null;
  /** Epoch milliseconds; null where absent. */
  lastModified: number | null;
}

/** A download that broke off and can be gone on with. */
export interface DownloadCut {
  error: AppError;
  /** Of the file so far; 0 when it has to be begun anew. */
  bytes: number;
  /** How often in a row going on brought nothing. */
  fruitless: number;
  /** Whether going on is a request to the instance, which its limits count. */
  asksInstance: boolean;
}

export interface DownloadSink {
  /** Again where the file has to be begun anew: what came before is then worth nothing. */
  onStart(facts: DownloadFacts): Promise<void>;
  onChunk(chunk: Uint8Array): Promise<void>;
  /** May wait; rejects to give up. */
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

/** From an address, or one file of a storage. Both hold secrets. */
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
  /** Version and clock difference (server minus ours); nulls where the server does not say. */
  server(signal: AbortSignal): Promise<{ version: string | null; clockSkewMs: number | null }>;
  userId(signal: AbortSignal): Promise<number>;
  project(idOrPath: number | string, signal: AbortSignal): Promise<Project>;
  /** Newest project id that the account can see; 0 when it sees none. */
  highestProjectId(signal: AbortSignal): Promise<number>;
  /** Visible projects with a higher id in whose path, name or description `search` occurs; all, where it is null. */
  projectsAfter(id: number, search: string | null, signal: AbortSignal): AsyncIterable<Project>;
  namespaceExists(fullPath: string, signal: AbortSignal): Promise<boolean>;
  counts(projectId: number, signal: AbortSignal): Promise<ProjectCounts>;
  /** `push`: where the instance pushes the archive to; the address may be a secret. */
  requestExport(
    projectId: number,
    signal: AbortSignal,
    how?: { description: string | null; push: { url: string; method: 'PUT' | 'POST' } | null },
  ): Promise<void>;
  exportState(projectId: number, signal: AbortSignal): Promise<ExportState>;
  /** Calls `onStart`, then `onChunk` in order, each awaited. Resolves when all bytes were handed over. */
  downloadExport(projectId: number, sink: DownloadSink, signal: AbortSignal): Promise<void>;
  importFile(
    request: UploadRequest,
    onProgress: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<ImportStatus>;
  /** GitLab fetches the archive itself. */
  importRemote(request: RemoteImportRequest, signal: AbortSignal): Promise<ImportStatus>;
  importStatus(projectId: number, signal: AbortSignal): Promise<ImportStatus>;
  /** What is there already is skipped. The instance does one at a time for each project. */
  importRelation(
    request: RelationUploadRequest,
    onProgress: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<RelationImport>;
  relationImports(projectId: number, signal: AbortSignal): Promise<RelationImport[]>;
  /** What a relation import may change besides records. */
  relationTarget(projectId: number, signal: AbortSignal): Promise<RelationTarget>;
  /** Usernames of the authors of those records that the project has, by iid; null where no list tells them. */
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
  /** Epoch milliseconds; names the archive, so that a repeated step names the same one. */
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
  /** Flushes the file and ends the inspection that ran along. Nothing is visible under the final name yet. */
  finish(): Promise<Inspection>;
  /** File, manifest, catalogue row, in this order. [Note: file before row] */
  commit(fields: ManifestFields): Promise<StoredArchiveRef>;
  /** Removes the file, or keeps it in the trash folder with a reason. Repeatable. */
  discard(keepBecause: string | null): Promise<void>;
}

/** One that is held of a project. `path` is relative to its root. */
export type HeldProjectArchive = HeldArchive & {
  path: string;
  /** Absolute path of the archive folder that it stands in. */
  root: string;
  /** What its source counted around the export. */
  source: SourceCounts | null;
};

export interface ArchivePort {
  /** The archive that an earlier attempt of the same job already committed under this key, or null. */
  recover(key: ArchiveKey, jobId: string): Promise<StoredArchiveRef | null>;
  /** Absolute path of the archive folder that is meant: null is the one of the settings. Throws `disk-failed` for an unknown one. */
  folder(root: string | null): string;
  /**
   * Refuses with `disk-full` when `expectedBytes`, where known, would not fit.
   * @param root absolute path of an archive folder; null: the one of the settings.
   */
  begin(key: ArchiveKey, expectedBytes: number | null, root: string | null): Promise<PendingArchivePort>;
  inspect(path: string, signal: AbortSignal): Promise<Inspection>;
  /** Of a stored archive, or of a file of that SHA-256 beside which its manifest stands; else null. */
  manifestOf(path: string, sha256: string): Promise<Manifest | null>;
  records(
    path: string,
    wanted: { relation: string; line: number }[],
    signal: AbortSignal,
  ): Promise<(ArchiveRecord | null)[]>;
  /** At most `max` records of one relation with their authors, and how many more there are. */
  authors(
    path: string,
    relation: string,
    max: number,
    signal: AbortSignal,
  ): Promise<{ records: AuthoredRecord[]; more: number }>;
  addProof(archiveId: string, proof: Proof): Promise<void>;
  /**
   * All archives of one project that backups of this instance stored under this path, but for those whose disk is away.
   * `path` is relative to the archive root. One whose file is gone, or is not as long as it was, is not readable.
   */
  archivesOf(project: {
    instanceName: string;
    instanceUrl: string;
    projectId: number;
    fullPath: string;
  }): Promise<HeldProjectArchive[]>;
  /**
   * Moves an archive with its manifest and state file to the trash folder of its root and forgets it. False, and nothing is
   * done, when it was pinned or came into use meanwhile. Repeatable: what an interrupted discard left is finished.
   */
  discard(archiveId: string, reason: string): Promise<boolean>;
}

/** A job that has ended, with what its steps stored; `memos` are those of steps that did not finish. Both by step. */
export interface EarlierJob {
  job: StoredJob;
  outputs: Record<string, unknown>;
  memos: Record<string, unknown>;
}

export interface JobEventDraft {
  type: string;
  message: string;
}

/** The persisted jobs. Each method that changes something is one transaction and appends one event. */
export interface JobStorePort {
  get(id: string): StoredJob | null;
  open(): StoredJob[];
  /** Stores all changes that `work` makes in one transaction, or none where it throws. `work` must not wait. */
  together<T>(work: () => T): T;
  change(
    id: string,
    expectedRevision: number,
    change: { state: JobState; event: JobEventDraft; at: number; result?: unknown },
  ): StoredJob;
  /** Counts the attempt and commits before the step runs: for a step that sends a request, this row is the intent. */
  beginStep(id: string, step: string, at: number): { attempt: number; memo: unknown };
  saveMemo(id: string, step: string, memo: unknown): void;
  /** Stores the output and forgets the memo, so that a step that is gone back to begins afresh. */
  finishStep(
    id: string,
    step: string,
    output: unknown,
    nextStep: string | null,
    event: JobEventDraft,
    at: number,
  ): StoredJob;
  outputs(id: string): Record<string, unknown>;
  /** Jobs of the same kind, instance and project that were made before this one and have ended, newest first. */
  earlier(id: string): EarlierJob[];
  appendEvent(id: string, type: string, message: string, at: number): void;
}

/** What a list of projects can be asked for; what is left out or undefined is not asked. */
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

/** Where the projects of an account are asked for. Every failure is an `AppError`. */
export interface ProjectSource {
  /** Whether the account is an administrator, who may export whatever it sees. */
  readonly administrator: boolean;
  /** Throws `account-changed` where the token is another account's than the one that the instance is known by. */
  assertAccount(signal: AbortSignal): Promise<void>;
  /** How many `projects` lists; null where the instance does not say. */
  projectCount(filter: ProjectFilter, signal: AbortSignal): Promise<number | null>;
  projects(filter: ProjectFilter, signal: AbortSignal): AsyncIterable<Project>;
  /** Throws `project-missing` and `project-moved`. */
  project(id: number, signal: AbortSignal): Promise<Project>;
}

/** Work of a kind on a project, to be made into a job. */
export interface JobDraft {
  instance: string;
  project: string;
  input: unknown;
}

/** Why a due time passed without a firing, by wish. One that was paused may still be caught up. */
export type PassedOver = 'paused' | 'once';

/** What plans have done: the runs that they fired, and why one could not. Times are epoch milliseconds. */
export interface FiringsPort {
  /** The firing with the newest due time that is not after `upTo`. */
  last(
    planId: string,
    upTo: number,
  ): { runId: string; dueAt: number; startedAt: number; outcome: RunOutcome } | null;
  /** The newest due time, not after `upTo`, that was passed over once. */
  passedOnce(planId: string, upTo: number): number | null;
  /** Whether it has fired for that due time, or passed it over once. */
  has(planId: string, dueAt: number): boolean;
  /** Keeps a due time that is passed over as a run without jobs; false, and nothing is written, where it is known already. */
  passOver(planId: string, dueAt: number, why: PassedOver, request: unknown, at: number): boolean;
  /** Why the plan could not fire; null once it has. */
  failure(planId: string): ErrorData | null;
  noteFailure(planId: string, error: ErrorData, at: number): void;
  /**
   * Makes the run of a due time together with its jobs, in one transaction. A project with an open job is joined to it, or
   * left out where that does the same work in another way. Null, and nothing is written, when that due time has fired. The
   * projects that the plan has not met before are added to `notes`, unless this is its first firing.
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
      /** Projects that left the scope of the plan since its last firing; already told in `notes`. */
      departures: readonly Departure[];
    },
    jobs: readonly JobDraft[],
  ): { runId: string; jobs: StoredJob[]; leftOut: string[] } | null;
}

export interface LeasePort {
  /** True when this process holds the lease now. */
  acquire(): boolean;
  heartbeat(): boolean;
  release(): void;
}

export interface SecretsPort {
  /** An address that is kept in memory only. Throws `secret-lost`. */
  address(key: string): string;
  /** Throws `storage-missing`, also where its secret access key is not in the keychain, and the keychain's errors. */
  storage(name: string): Promise<{ storage: Storage; secretAccessKey: string }>;
}

/** Where failures of imports are kept while GitLab lists them. */
export interface FailureLedgerPort {
  /** Adds what a look at the import listed. @returns all that is known of the import, by the server's id. */
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
  /** What is known of the import of one job belongs to another job from now on. */
  carryOver(fromJob: string, toJob: string): void;
  /** Keeps what names the records of an import's failures, by the server's id. */
  name(importJob: string, records: ReadonlyMap<number, RecordName>): void;
}

/** An imported project, with the archive that it was made of. */
export interface ImportedProject {
  /** Name of the instance. */
  instance: string;
  projectId: number;
  archive: { path: string; inspection: Inspection };
  /** Name that was asked for; null: none was. */
  name: string | null;
  failures: readonly { relation: string | null; line: number | null }[];
  /** The comparison of numbers. */
  numbers: (target: ProjectCounts) => Reconciliation | Promise<Reconciliation>;
}

/** Compares what arrived of an import with its archive: numbers, names, members, refs, protections and files. */
export interface ArrivalsPort {
  compare(imported: ImportedProject, signal: AbortSignal): Promise<Reconciliation>;
}

export interface StepPorts {
  arrivals: ArrivalsPort;
  instance: InstancePort;
  tokens: TokenPort;
  archives: ArchivePort;
  failures: FailureLedgerPort;
  secrets: SecretsPort;
  appVersion: string;
  /**
   * Which archives of that project the plan keeps as it is now, and which the others that back it up; null: all.
   * Throws `settings-unreadable`.
   */
  retentionOf(planId: string, projectId: number): PlanRetention | null;
  /** Whether that plan as it is now passes over what has not changed. Throws `settings-unreadable`. */
  skipsUnchanged(planId: string): boolean;
  /** The folder that the archives of that plan go to; null: the one of the settings. */
  archiveRootOf(planId: string): string | null;
}

export interface JobObserver {
  changed(job: StoredJob): void;
  /** The runner itself failed at something that it will try again: the catalogue, the lease, tidying up. */
  troubled(error: AppError): void;
}
