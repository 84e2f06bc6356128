/** @file The ports of jobs. Types only. `compose/compose.ts` passes the real ones, tests pass their own. */
import type {
  Inspection,
  Manifest,
  ProjectCounts,
  ArchiveRecord,
  ArchiveSummary,
  Proof,
  SourceCounts,
} from '../../src-contract/archives/archive.ts';
import type { ChosenDepth, ImportStatus, Reconciliation } from '../../src-contract/transfers/import.ts';
import type { Pace } from '../../src-contract/instances/instance.ts';
import type { ImportInput, RelationImportInput, StoredJob, JobKind } from '../../src-contract/runs/job.ts';
import type { Project } from '../../src-contract/projects/project.ts';
import type { RunNote } from '../../src-contract/runs/run.ts';
import type { RelationImport, Storage } from '../../src-contract/transfers/transfer.ts';
import type { OutOfScopeProject } from '../../src-contract/projects/scope.ts';
import type { AuthoredRecord, RelationTarget } from '../../src-contract/transfers/relation-target-schema.ts';
import type { ComparisonHistory } from './migrations/comparing/comparison-history.ts';
import type { ArchiveIdentity } from '../archive/names.ts';
import type { RetentionCandidate, PlanRetention } from '../archive/retention.ts';
import type { ImportFailures } from '../catalogue/migrations/import-failures.ts';
import type { PlanFailures } from '../catalogue/plans/plan-failures.ts';
import type { JobStore, NewJob } from '../catalogue/runs/jobs.ts';
import type { RunStore, SkipReason } from '../catalogue/runs/runs.ts';
import type { DownloadOptions } from '../gitlab/transfers/transfers.ts';
import type { ChangePort } from './projects/change-ports.ts';
import type { TokenPort } from './tokens/token-ports.ts';

export type ExportState = 'none' | 'queued' | 'started' | 'finished' | 'regeneration_in_progress' | 'failed';

export type DownloadSink = Required<Pick<DownloadOptions, 'onStart' | 'onChunk' | 'beforeResume'>>;

type ImportTarget = Pick<ImportInput, 'namespace' | 'path' | 'name' | 'overwrite' | 'overrideParams'>;
type LocalArchive = Pick<RelationImportInput, 'archivePath' | 'sha256' | 'sizeBytes'>;
export type UploadRequest = ImportTarget & LocalArchive;
export type RelationUploadRequest = LocalArchive &
  Pick<RelationImportInput, 'relation'> & { fullPath: string };

/** An import from an address, or from a file of a storage. Both contain secrets. */
export interface RemoteImportRequest extends ImportTarget {
  from: { url: string } | { storage: Storage; secretAccessKey: string; key: string };
}

export interface InstancePort {
  readonly name: string;
  readonly url: string;
  readonly username: string | null;
  readonly pace: Pace;
  /**
   * Returns the version and the clock difference (server minus ours); a value is null if the server does not report it.
   */
  serverInfo(signal: AbortSignal): Promise<{ version: string | null; clockSkewMs: number | null }>;
  userId(signal: AbortSignal): Promise<number>;
  project(idOrPath: number | string, signal: AbortSignal): Promise<Project>;
  /** Returns the highest project id that the account can see; 0 if it sees none. */
  highestProjectId(signal: AbortSignal): Promise<number>;
  /** Lists visible projects with a higher id whose path, name or description contains `search`; null lists all. */
  projectsAfter(id: number, search: string | null, signal: AbortSignal): AsyncIterable<Project>;
  namespaceExists(fullPath: string, signal: AbortSignal): Promise<boolean>;
  /** @param onLabel called with the id of each label of the project, because labels show no time of creation. */
  counts(projectId: number, signal: AbortSignal, onLabel?: (id: number) => void): Promise<ProjectCounts>;
  /** If `push` is given, the instance pushes the archive to its address, which may be a secret. */
  requestExport(
    projectId: number,
    signal: AbortSignal,
    options?: { description: string | null; push: { url: string; method: 'PUT' | 'POST' } | null },
  ): Promise<void>;
  exportState(projectId: number, signal: AbortSignal): Promise<ExportState>;
  /** Calls `onStart`, then `onChunk` in order, and awaits each call. Resolves after the last byte. */
  downloadExport(projectId: number, sink: DownloadSink, signal: AbortSignal): Promise<void>;
  importFile(
    request: UploadRequest,
    onProgress: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<ImportStatus>;
  importRemote(request: RemoteImportRequest, signal: AbortSignal): Promise<ImportStatus>;
  importStatus(projectId: number, signal: AbortSignal): Promise<ImportStatus>;
  /** GitLab skips existing records, and runs one relation import at a time for each project. */
  importRelation(
    request: RelationUploadRequest,
    onProgress: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<RelationImport>;
  relationImports(projectId: number, signal: AbortSignal): Promise<RelationImport[]>;
  /** Reads everything that a relation import may change in addition to records. */
  targetSnapshot(projectId: number, signal: AbortSignal): Promise<RelationTarget>;
  /** Returns the authors' usernames of those records that the project has, by iid; null if GitLab lists no authors. */
  recordAuthors(
    projectId: number,
    relation: string,
    iids: readonly number[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string | null> | null>;
  changes: ChangePort;
}

/** Determines the archive's file name. `receivedAt` is part of the key, so that a repeated step uses the same name. */
export type ArchiveKey = ArchiveIdentity & { projectId: number };

export type ManifestFields = Omit<
  Manifest,
  'schemaVersion' | 'file' | 'sizeBytes' | 'sha256' | 'storedAt' | 'inspection'
> &
  Partial<Pick<Manifest, 'storedAt'>>;

export interface StoredArchiveRef {
  id: string;
  path: string;
  manifest: Manifest;
}

export interface PendingArchivePort {
  write(chunk: Uint8Array): Promise<void>;
  /** Flushes the file and ends its inspection. Nothing is visible under the final name yet. */
  finish(): Promise<Inspection>;
  /** Writes the file, the manifest and the catalogue row, in this order. [Note: file before row] */
  commit(fields: ManifestFields): Promise<StoredArchiveRef>;
  /** Removes the file, or moves it to the trash folder if `trashReason` is given. Idempotent. */
  discard(trashReason: string | null): Promise<void>;
}

/** A stored archive of a project. `path` is relative to its root. */
export type StoredProjectArchive = RetentionCandidate & {
  path: string;
  /** Absolute path of the archive folder that contains it. */
  root: string;
  source: SourceCounts | null;
};

export interface ArchivePort {
  /** Returns the archive that an earlier attempt of the same job already committed under this key, or null. */
  findCommitted(key: ArchiveKey, jobId: string): Promise<StoredArchiveRef | null>;
  /**
   * Returns the path of the known archive folder at `root`; null means the folder in the settings. Throws `disk-failed`
   * for an unknown folder.
   */
  folder(root: string | null): string;
  /**
   * Throws `disk-full` if `expectedBytes` would not fit. `root` is an absolute path; null means the folder in the
   * settings.
   */
  createPending(
    key: ArchiveKey,
    expectedBytes: number | null,
    root: string | null,
  ): Promise<PendingArchivePort>;
  inspect(path: string, signal: AbortSignal): Promise<Inspection>;
  /**
   * Returns the manifest of a stored archive, or the manifest beside a file with that SHA-256. Returns null if there is
   * none.
   */
  manifestOf(path: string, sha256: string): Promise<Manifest | null>;
  records(
    path: string,
    locations: { relation: string; line: number }[],
    signal: AbortSignal,
  ): Promise<(ArchiveRecord | null)[]>;
  /** Returns at most `max` records of one relation with their authors, and how many more there are. */
  authoredRecords(
    path: string,
    relation: string,
    max: number,
    signal: AbortSignal,
  ): Promise<{ records: AuthoredRecord[]; restCount: number }>;
  addProof(archiveId: string, proof: Proof): Promise<void>;
  /**
   * Returns the archives that backups from this instance stored for the project under its `fullPath`, except those on a
   * missing disk. An archive is not `readable` if its file is missing or has another length.
   */
  archivesOf(
    project: Pick<ArchiveSummary, 'instanceName' | 'instanceUrl' | 'projectId' | 'fullPath'>,
  ): Promise<StoredProjectArchive[]>;
  /**
   * Moves an archive to the trash folder and removes its row. Returns false if the archive was pinned or is in use now.
   * Idempotent.
   */
  moveToTrash(archiveId: string, reason: string): Promise<boolean>;
}

/** The stored jobs. Each method that changes something is one transaction and appends one event. */
export type JobStorePort = Pick<
  JobStore,
  | 'get'
  | 'openJobs'
  | 'transaction'
  | 'change'
  | 'beginStep'
  | 'saveMemo'
  | 'finishStep'
  | 'outputs'
  | 'earlierJobs'
  | 'appendEvent'
>;

/** The filters of a list of projects. An absent or undefined filter is not sent. */
export interface ProjectFilter {
  membership: boolean;
  visibility?: string | undefined;
  archived?: boolean | undefined;
  owned?: boolean | undefined;
  starred?: boolean | undefined;
  topic?: string | undefined;
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

export type JobDraft = Pick<NewJob, 'instance' | 'project' | 'input'>;

/** The runs that plans started, and the reasons why a run could not start. Times are epoch milliseconds. */
export interface PlanRunsPort {
  lastFiring: RunStore['lastFiring'];
  lastSkippedDueTime: RunStore['lastSkippedDueTime'];
  hasFired: RunStore['hasFired'];
  /**
   * Stores a skipped due time as a run without jobs. Returns false and writes nothing if the skip is already stored.
   */
  recordSkip(planId: string, dueAt: number, why: SkipReason, request: unknown, at: number): boolean;
  findFailure: PlanFailures['find'];
  recordFailure: PlanFailures['record'];
  /**
   * Creates the run of a due time with its jobs in one transaction. Joins a project's open job of the same work, or
   * skips it if the job differs. Returns null if the plan has fired for that time. Notes new projects, except in the
   * first firing.
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
      departures: readonly OutOfScopeProject[];
    },
    jobs: readonly JobDraft[],
  ): { runId: string; jobs: StoredJob[]; leftOut: string[] } | null;
}

export interface SecretsPort {
  /** Returns an address that is kept in memory only. Throws `secret-lost`. */
  importUrl(key: string): string;
  /**
   * Throws the keychain's errors, and `storage-missing` if the storage or its secret access key in the keychain is
   * missing.
   */
  storage(name: string): Promise<{ storage: Storage; secretAccessKey: string }>;
}

export interface ImportedProject {
  instance: string;
  projectId: number;
  archive: { path: string; inspection: Inspection };
  /** The requested name; null if none was requested. */
  name: string | null;
  /** The settings that the request replaced; null if they are not known. */
  overrides: Readonly<Record<string, string>> | null;
  /** True if somebody may have edited settings since the import, so that one that differs is not called lost. */
  settingsMayBeEdited: boolean;
  /** A time at which the import had not ended, in epoch milliseconds by the clock of the instance. */
  importedAt: number;
  history: ComparisonHistory;
  depth: ChosenDepth;
  failures: readonly { relation: string | null; line: number | null }[];
  compareCounts: (target: ProjectCounts) => Reconciliation | Promise<Reconciliation>;
}

/** The requests of a comparison: how many were answered, and about how many it needs. */
export interface RequestCount {
  done: number;
  total: number;
}

/** Compares an imported project with its archive: counts, names, members, refs, protections, files and contents. */
export interface ImportComparisonPort {
  compare(
    imported: ImportedProject,
    report: (count: RequestCount) => void,
    signal: AbortSignal,
  ): Promise<Reconciliation>;
}

export interface StepPorts {
  importComparison: ImportComparisonPort;
  instance: InstancePort;
  tokens: TokenPort;
  archives: ArchivePort;
  failures: Pick<ImportFailures, 'addListed' | 'moveToImportJob' | 'setRecordNames'>;
  secrets: SecretsPort;
  appVersion: string;
  /**
   * Returns which archives the plan, and other plans of the project, keep; null if all are kept. Throws
   * `settings-unreadable`.
   */
  retentionOf(planId: string, projectId: number): PlanRetention | null;
  /** Returns whether that plan skips unchanged projects now. Throws `settings-unreadable`. */
  skipsUnchanged(planId: string): boolean;
  /** Returns the archive folder of that plan; null for the folder in the settings. */
  archiveRootOf(planId: string): string | null;
}
