/**
 * @file The noun *passport*: all that is known of one migrated project, in the form kept outside the app. A
 * passport is complete in itself. Times are ISO 8601 UTC; there is no secret in it.
 */
import type { ErrorData } from '../errors.ts';
import type { Finding, Verdict, Counts, SourceCounts, Proof } from '../archives/archive.ts';
import type { MissingRecord, Reconciliation } from '../transfers/import.ts';
import type { JobKind, JobStatus } from '../runs/job.ts';
import type { LedgerFailure } from './failure.ts';
import type { MigratingState, Placement, PreflightFinding, MigrationStatus } from './migration.ts';

export interface InstanceSide {
  name: string;
  url: string;
  /** Null: nobody was signed in, or it is not known. */
  username: string | null;
  version: string | null;
}

export interface ProjectSide {
  id: number;
  fullPath: string;
  url: string;
}

export interface JobRecord {
  id: string;
  kind: JobKind;
  /** The effect in a few words. */
  does: string;
  instance: string;
  project: string;
  status: JobStatus;
  /** Why it failed, was skipped or cancelled. */
  error: ErrorData | null;
  why: string | null;
  warnings: Finding[];
  createdAt: string;
  endedAt: string | null;
  steps: { name: string; attempts: number; startedAt: string; finishedAt: string | null }[];
}

export interface ArchiveSide {
  id: string;
  /** Path below its archive folder; null where the catalogue has it no more. */
  path: string | null;
  sha256: string;
  sizeBytes: number;
  /** Taken from its manifest; null where that is gone. */
  description: {
    storedAt: string;
    /** Version of Packhorse that stored it, and of the GitLab that it was exported from. */
    appVersion: string;
    serverVersion: string | null;
    verdict: Verdict;
    relations: Counts;
    sourceCounts: SourceCounts | null;
    findings: Finding[];
    proofs: Proof[];
    damaged: { at: string; reason: string } | null;
  } | null;
}

export interface FailureRecord extends LedgerFailure {
  meaning: string;
  advice: string;
  /** The beginning of the record as the archive holds it; null where that could not be read. */
  text: string | null;
  textCut: boolean;
}

/** A loss or change that somebody accepted: a difference of the comparison, or a listed failure. */
export interface AcceptedLoss {
  what: string;
  relation: string | null;
  lost: MissingRecord['lost'] | null;
  /** How many records, parts of one, or bytes of LFS objects were accepted, and how many are missing now; 1 of 1 for a setting. */
  accepted: number;
  missing: number;
  note: string | null;
  at: string;
  /** GitLab's id of the failure; null where it listed none. */
  failure: number | null;
}

export interface ImportRecord {
  jobId: string;
  status: JobStatus;
  projectId: number | null;
  /** The id of the import in GitLab's own logs. */
  correlationId: string | null;
}

export interface RetryRecord {
  jobId: string;
  relation: string;
  status: JobStatus;
  /** GitLab's id of the relation import; null where it has none. */
  relationImportId: number | null;
  /** Records of that relation on the target; null where they could not be counted. */
  before: number | null;
  after: number | null;
  error: ErrorData | null;
}

export interface SentRequest {
  id: number;
  at: string;
  instance: string;
  job: string | null;
  method: string;
  path: string;
  status: number | null;
}

/** `refused`: by the instance. `not-taken`: accepted, but not applied. `unknown`: no response came. */
export interface FinishPart {
  outcome: 'done' | 'already' | 'refused' | 'not-taken' | 'not-sent' | 'unknown' | 'open';
  /** When the response came; null where nothing was sent. */
  at: string | null;
}

/**
 * Changes that somebody asked for on the source after the project had moved. A part is null where it was not
 * asked for.
 */
export interface FinishRecord {
  /** Null where there was no job, because other work on the project was in progress. */
  jobId: string | null;
  askedAt: string;
  /** Null while it is in progress. */
  endedAt: string | null;
  /** The mark as archived on GitLab. */
  mark: FinishPart | null;
  /** The line in the description that names `newPlace`. */
  note: FinishPart | null;
  newPlace: string | null;
  /** Why it failed, or was not started. */
  error: ErrorData | null;
}

export interface Passport {
  schemaVersion: 1;
  madeAt: string;
  appVersion: string;
  migration: { id: string; name: string; createdAt: string; freeze: boolean };
  wave: number;
  state: MigratingState;
  /** The state, in words that say which parts were compared. */
  outcome: string;
  error: ErrorData | null;
  source: { instance: InstanceSide; project: ProjectSide };
  /**
   * `wanted`: the target that was planned, with the overrides of the archive. `project` is null where it did
   * not get there.
   */
  target: { instance: InstanceSide; wanted: Placement; project: ProjectSide | null };
  archive: ArchiveSide | null;
  /**
   * The findings of the check before the project began to move, about it and about the whole migration, with
   * the overrides at that time. For a project that did not move, the newest check. Null: none is kept.
   */
  check: {
    at: string;
    /** The placement was changed after the check, and not checked again. */
    placedSince: boolean;
    findings: PreflightFinding[];
  } | null;
  imports: ImportRecord[];
  /** Oldest first, including failed ones that were replaced. */
  jobs: JobRecord[];
  /** Oldest first: every request that may have changed something on either side. */
  requests: SentRequest[];
  failures: {
    open: number;
    total: number;
    /** GitLab listed a hundred at once: there may be more than these. */
    truncated: boolean;
    unseen: number | null;
    records: FailureRecord[];
  };
  retries: RetryRecord[];
  reconciliation: Reconciliation | null;
  /** Accepted differences that the last comparison still shows. */
  accepted: AcceptedLoss[];
  /** Last activity on the source after its export began; null: none, or not checked. */
  changedSince: string | null;
  /**
   * Packhorse marked the source as archived, or may have: the response to that was lost, and the mark was not
   * removed yet.
   */
  frozen: boolean;
  /** Oldest first. */
  finishes: FinishRecord[];
  /** Data that no export carries, in sentences. */
  neverCarried: string[];
}

/** The list of all passports of a migration. */
export interface PassportIndex {
  schemaVersion: 1;
  madeAt: string;
  appVersion: string;
  migration: {
    id: string;
    name: string;
    createdAt: string;
    status: MigrationStatus;
    freeze: boolean;
    source: InstanceSide;
    target: InstanceSide;
    projects: Record<MigratingState, number>;
  };
  projects: {
    sourceId: number;
    sourcePath: string;
    state: MigratingState;
    /** The state, in words that say which parts were compared. */
    outcome: string;
    wave: number;
    wanted: string;
    targetPath: string | null;
    targetUrl: string | null;
    sha256: string | null;
    openFailures: number;
    failures: number;
    missing: number | null;
    /** Whether source, archive and target agreed in the last comparison; null: never compared. */
    reconciled: boolean | null;
    accepted: AcceptedLoss[];
    changedSince: string | null;
    error: string | null;
    finishes: FinishRecord[];
    /** Names of its files, in the same folder as this one. */
    html: string;
    json: string;
  }[];
  /**
   * Jobs that belong to no single project, such as the creation of a group, with the requests that they sent.
   */
  jobs: JobRecord[];
  requests: SentRequest[];
}
