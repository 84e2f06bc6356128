/** @file What the handlers of the bridge need, fitted by `app/compose.ts`, and what a handler is. Types only. */
import type {
  ArchiveSummary,
  Inspection,
  Manifest,
  ProjectCounts,
  StateFile,
} from '../../src-preload/contract/archive.ts';
import type { CallName } from '../../src-preload/contract/call-names.ts';
import type { CallReply, ParsedRequest } from '../../src-preload/contract/calls.ts';
import type { AppError, ErrorData } from '../../src-preload/contract/errors.ts';
import type { Capabilities, chosenPaths } from '../../src-preload/contract/host.ts';
import type {
  ExplainedFailure,
  Failure,
  ImportStatus,
  Reconciliation,
} from '../../src-preload/contract/import.ts';
import type { RecordView } from '../../src-preload/contract/record.ts';
import type { Instance, TokenSource } from '../../src-preload/contract/instance.ts';
import type { Job, JobEvent, JobKind, JobStatus, JobStep, Progress } from '../../src-preload/contract/job.ts';
import type {
  PlanStanding,
  Retention,
  ScheduleDraft,
  Selection,
} from '../../src-preload/contract/plans/plan.ts';
import type {
  HeldOfProject,
  JudgedProject,
  Project,
  ProjectRow,
  Standing,
} from '../../src-preload/contract/projects/project.ts';
import type { Run, RunForecast } from '../../src-preload/contract/plans/run.ts';
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import type { RelationImport, Storage } from '../../src-preload/contract/projects/transfer.ts';
import type { PersonalToken, TokenFilter } from '../../src-preload/contract/token.ts';
import type { WriteRequest } from '../../src-preload/contract/write-request.ts';
import type { PathHolder } from './archives/given-paths.ts';
import type { FailuresPort } from './migrations/failure-ports.ts';
import type { EvidencePort } from './migrations/evidence-ports.ts';
import type { MigrationsPort } from './migrations/migration-ports.ts';
import type { LintPort, PreflightPort } from './migrations/preflight-ports.ts';
import type { DownloadsPort, ProjectReadPort, TransfersPort } from './projects/project-ports.ts';

/** One instance, ready to be asked. Every failure is an `AppError`. */
export interface RemotePort {
  server(signal: AbortSignal): Promise<{ version: string | null; clockSkewMs: number | null }>;
  user(signal: AbortSignal): Promise<{ id: number; username: string; administrator: boolean }>;
  /** Null where the instance does not tell a token about itself. */
  token(signal: AbortSignal): Promise<{ scopes: string[]; expiresOn: string | null } | null>;
  project(idOrPath: number | string, signal: AbortSignal): Promise<Project>;
  /** Full path of a namespace given by path or id; throws `namespace-missing`. */
  namespace(idOrPath: string, signal: AbortSignal): Promise<string>;
  projects(filter: { membership: boolean }, signal: AbortSignal): AsyncIterable<Project>;
  /** How many `projects` will yield; null where the instance does not say. */
  projectCount(filter: { membership: boolean }, signal: AbortSignal): Promise<number | null>;
  importStatus(projectId: number, signal: AbortSignal): Promise<ImportStatus>;
  counts(projectId: number, signal: AbortSignal): Promise<ProjectCounts>;
  tokens: TokenReadPort;
  relationImports(projectId: number, signal: AbortSignal): Promise<RelationImport[]>;
  reads: ProjectReadPort;
}

/** The tokens of an instance as it tells of them, asked with the one in use. */
export interface TokenReadPort {
  page(
    filter: TokenFilter,
    place: { cursor: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<{ records: PersonalToken[]; next: string | null }>;
  one(id: number, signal: AbortSignal): Promise<PersonalToken>;
  /** The one in use. */
  own(signal: AbortSignal): Promise<PersonalToken>;
}

/** Tokens beside the one in use. */
export interface SparesPort {
  /** What the instance tells of a token that somebody hands over. Throws `invalid-input` for what cannot be a token. */
  look(instance: Instance, token: string, signal: AbortSignal): Promise<PersonalToken>;
  /** What it tells of the spare; null where none is at hand, or it is not taken any more. */
  own(instance: Instance, signal: AbortSignal): Promise<PersonalToken | null>;
  /** In memory, or in the keychain, read back. */
  keep(name: string, token: string, where: 'session' | 'keychain'): Promise<void>;
  forget(name: string): Promise<void>;
}

export interface InstancesPort {
  list(): Promise<Instance[]>;
  /** Adds or replaces by name. */
  save(instance: Instance): Promise<void>;
  remove(name: string): Promise<void>;
  /** For a saved instance, or one that is about to be. */
  connect(instance: Instance): RemotePort;
}

export interface CredentialsPort {
  source(name: string): Promise<TokenSource>;
  /**
   * In memory, where it wins over every other source; of an instance that is not added it is forgotten after a while. The
   * returned function puts the one back that was remembered before.
   */
  remember(name: string, token: string): () => void;
  /** Whether this process remembers one; what the other sources have does not count. */
  isRemembered(name: string): boolean;
  /** Forgets what `remember` kept; the other sources stay. */
  drop(name: string): void;
  /** Moves a token that is in memory into the keychain and reads it back; no other source is ever copied. */
  keep(name: string): Promise<void>;
  forget(name: string): Promise<void>;
  /**
   * Whether a token is at hand, as far as that is known without waiting; null while it is being looked for, and an
   * `instance.changed` then tells that it is known.
   */
  atHand(name: string): boolean | null;
  /** Whether the keychain of this machine answers; looked for until it does. */
  keychainWorks(): Promise<boolean>;
  /** Another name that shares the environment variable of this one, or null. */
  clash(name: string, others: string[]): string | null;
}

export interface ProjectListPort {
  /** Stores a list that was asked for anew; one that breaks off loses nothing. */
  replace(
    instance: Instance,
    pages: AsyncIterable<Project[]>,
  ): Promise<{ projects: number; refreshedAt: number }>;
  page(filter: ParsedRequest<'project.page'>): { projects: ProjectRow[]; total: number };
  /** Epoch milliseconds of the last refresh by instance; a list that never was refreshed is absent. */
  refreshed(): Map<string, number>;
  /** How many projects of each instance stand how; standings that none has are absent. */
  standings(): { instance: string; standing: Standing; projects: number }[];
  count(instance: string): number;
  /** The one of the stored list at this path, whatever its case; null where the list has none. */
  withPath(instance: string, fullPath: string): Pick<Project, 'id' | 'fullPath' | 'name'> | null;
  /** Those of the stored list that have one of these ids. */
  withIds(instance: string, ids: number[]): Pick<Project, 'id' | 'fullPath'>[];
  /** What is held of any projects of the instance, listed or not, in the order in which they are named. */
  held(instance: Instance, projects: JudgedProject[]): HeldOfProject[];
  forget(instance: string): void;
}

export interface JobsPort {
  /**
   * All in one; a job whose project has an open job with another input is refused, the others are not. An equal request
   * that was interrupted is gone on with (`resumed`) instead, so that nothing it has done is done twice.
   */
  enqueue(run: {
    kind: JobKind;
    request: unknown;
    jobs: { instance: string; project: string; input: unknown }[];
  }): { runId: string; jobs: Job[]; refused: { project: string; error: AppError }[]; resumed: boolean };
  list(filter: {
    runId: string | null;
    status: JobStatus | 'open' | 'ended' | null;
    instance: string | null;
    project: string | null;
    before: string | null;
    limit: number;
  }): Job[];
  /** By id or a unique beginning of one; throws `job-missing`. */
  get(reference: string): Job;
  events(jobId: string, afterId: number, limit: number): JobEvent[];
  steps(job: Job): JobStep[];
  cancel(jobId: string, by: string): Job;
  /** Jobs that have not ended, of one instance or of all, by status; a status that none has is absent. */
  open(instance: string | null): Record<string, number>;
  /**
   * Failed jobs that no later one of the same work made good, newest first; `since` in epoch milliseconds. Those of one kind
   * that failed on one instance with one code are one entry: the error of the newest, how many, and the newest of them.
   */
  failed(filter: { since: number; instances: readonly string[]; limit: number }): Some<{
    jobKind: JobKind;
    instance: string;
    error: ErrorData;
    total: number;
    jobs: { jobId: string; project: string }[];
  }>;
  /** Likewise each that succeeded with warnings, with what the first of them say. */
  warned(filter: { since: number; instances: readonly string[]; limit: number }): Some<{
    jobId: string;
    jobKind: JobKind;
    instance: string;
    project: string;
    warnings: number;
    messages: string[];
  }>;
  /** Whether a job of any time reads, or read, the archive at this path. */
  hasRead(archivePath: string): boolean;
  /** False while another process runs the jobs. */
  runHere(): boolean;
  /** Why no job can go on here, or null. */
  trouble(): AppError | null;
}

/** The first of a list; `total` counts also those beyond the limit. */
export interface Some<Entry> {
  entries: Entry[];
  total: number;
}

/** An archive as it was referred to: a stored one with its summary, or any file. `path` is absolute. */
export interface ResolvedArchive {
  path: string;
  stored: ArchiveSummary | null;
}

/** Files to adopt, each with the project it is of as far as that is known. */
export interface Adoption {
  instance: Instance;
  files: { file: string; project: AdoptedProject }[];
  prove: boolean;
}

export interface AdoptedProject {
  projectId: number | null;
  fullPath: string;
  name: string;
}

/** A project that is known. */
export type Identity = AdoptedProject & { projectId: number };

export interface ArchivesPort {
  list(filter: {
    instance: string | null;
    project: string | null;
    before: string | null;
    limit: number;
  }): Promise<ArchiveSummary[]>;
  /** Projects of which archives are held, by path. */
  projects(filter: ParsedRequest<'archive.projects'>): Promise<{
    projects: { archives: number; bytes: number; newest: ArchiveSummary }[];
    total: number;
  }>;
  /**
   * A file path, a path in the store, an id, or at least 8 digits of a SHA-256; throws `archive-missing`,
   * `archive-ambiguous`.
   */
  resolve(reference: string): Promise<ResolvedArchive>;
  /** Whether what stands at this path, or would, is really in one of the archive folders. */
  isInStore(path: string): Promise<boolean>;
  /** Where it really stands on disk: an existing file below one of the roots; throws `archive-missing`, `archive-unsafe`. */
  realPlace(stored: ArchiveSummary): Promise<string>;
  totals(): { count: number; bytes: number };
  /** Damaged and unusable archives of projects of which no newer one is readable, newest first. */
  bad(limit: number): Some<ArchiveSummary & { superseded: boolean }>;
  /** Where new archives go, and how much is free there; null while that cannot be told. */
  space(): Promise<{ path: string; freeBytes: number | null }>;
  describe(stored: ArchiveSummary): Promise<{ manifest: Manifest; state: StateFile }>;
  inspect(
    path: string,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<Inspection>;
  /** Reads a stored archive again and keeps what was found: a proof, or that it is damaged. */
  verify(
    stored: ArchiveSummary,
    level: 'L1' | 'L2',
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<CallReply<'archive.verify'>>;
  /** Writes a minimal archive of chosen records, and the file of their lines; replaces neither. */
  trim(
    path: string,
    relations: ParsedRequest<'archive.trim'>['relations'],
    to: string,
    signal: AbortSignal,
    onProgress: (doneBytes: number, totalBytes: number) => void,
  ): Promise<CallReply<'archive.trim'>>;
  record(path: string, relation: string, line: number, signal: AbortSignal): Promise<RecordView>;
  explain(path: string, failures: Failure[], signal: AbortSignal): Promise<ExplainedFailure[]>;
  /** Source (where its manifest knows it), archive and target compared; `failures` is how many are listed. */
  reconcile(
    path: string,
    target: ProjectCounts,
    failures: number,
    signal: AbortSignal,
  ): Promise<Reconciliation>;
  rescan(signal: AbortSignal, onProgress: (done: number) => void): Promise<CallReply<'archive.rescan'>>;
  /** Others that hold the same bytes, newest first. */
  alike(stored: ArchiveSummary): ArchiveSummary[];
  /** Settles the project of an adopted archive; throws `invalid-input` where the manifest knows it. */
  identify(stored: ArchiveSummary, instance: Instance, project: Identity): Promise<void>;
  /** Absolute paths of what is called as exports are, right in this folder. */
  exportsIn(folder: string): Promise<string[]>;
  /** A null note leaves the one that is there. */
  setPinned(stored: ArchiveSummary, pinned: boolean, note: string | null): Promise<void>;
  /** What became of each file, in their order; `onProgress` hears bytes of all. */
  adopt(
    adoption: Adoption,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<CallReply<'archive.adopt'>['files']>;
}

/** Archives that were given up, until they are removed for good. */
export interface TrashPort {
  list(): Promise<CallReply<'archive.trash'>>;
  /** Gives an archive up. @returns until when it can be brought back. Throws `invalid-input` for a pinned one, `job-busy`. */
  put(stored: ArchiveSummary): Promise<string>;
  /** By its path in the store, or at least 8 digits of its SHA-256. @returns its id. Throws `archive-missing`, `archive-ambiguous`. */
  restore(reference: string): Promise<string>;
  /** What all of the trash folders hold. */
  bytes(): Promise<number>;
  /** Removes all of it for good. @returns how many bytes that were. */
  empty(): Promise<number>;
}

/** Pruning of all that a plan is about. Both throw `plan-missing`, `instance-unknown`. */
export interface PruningPort {
  preview(planId: string, retention: Retention): Promise<CallReply<'plan.prunePreview'>>;
  /** Moves to the trash what the plan would not keep now, and of that only what a person was `shown`, by id. */
  prune(planId: string, shown: string[], signal: AbortSignal): Promise<CallReply<'archive.prune'>>;
}

export interface SettingsPort {
  show(): SettingsView;
  /** Throws `invalid-input` or a `disk-…` error for a root that cannot be one; then nothing is changed. */
  change(request: ParsedRequest<'settings.change'>): Promise<SettingsView>;
}

/** Plans as they stand now: from the settings, the history of runs and the clock. */
export interface PlansPort {
  list(): PlanStanding[];
  /** The plan of an instance that needs looking at first: one that is overdue, else the one that is due next; null: it has none. */
  standing(instance: string): PlanStanding | null;
  /** Throws `instance-unknown`, `plan-missing`, `already-exists` for a name that is taken, `invalid-input` for a schedule that is never due. */
  save(request: ParsedRequest<'plan.save'>): Promise<PlanStanding>;
  /** Throws `plan-missing`. What it has fired goes on. */
  remove(id: string): Promise<void>;
  /** Throws `plan-missing` and what asking the instance throws; nothing has fired then. */
  run(id: string, signal: AbortSignal): Promise<CallReply<'plan.run'>>;
  /** `id` null: all. Throws `plan-missing`, and `invalid-input` for a time that has passed. */
  pause(id: string | null, until: string | null): Promise<PlanStanding[]>;
  /** Throws `plan-missing`, and `invalid-input` where the plan is off or will not be due. */
  skipNext(id: string, skip: boolean): Promise<PlanStanding>;
  dueTimes(schedule: ScheduleDraft, count: number): CallReply<'plan.dueTimes'>;
  /** Throws `plan-missing` and what asking the instance throws. */
  forecast(id: string, signal: AbortSignal): Promise<CallReply<'plan.forecast'>>;
  /** What was expected of a run, and how it came; null where nothing was. */
  runForecast(runId: string): RunForecast | null;
  history(days: number): CallReply<'plan.history'>;
  prunePreview(planId: string, retention: Retention): Promise<CallReply<'plan.prunePreview'>>;
}

/**
 * What the host does for the window. What `capabilities` calls false rejects with `host-cannot`; arguments were checked
 * before: a path is that of a stored archive, a URL one of a registered instance or of the documentation.
 */
export interface HostPort {
  /** Whether there is a keychain is found out elsewhere, alike for every host. */
  capabilities: Omit<Capabilities, 'keychain'>;
  /** An absolute path, or null when the person chose nothing. */
  choosePath(what: (typeof chosenPaths)[number]): Promise<string | null>;
  reveal(absolutePath: string): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Left out by hosts that do not start by themselves. */
  setStartAtLogin?(on: boolean): Promise<void>;
}

/** Secrets that jobs need once, kept in memory by key; gone with the process. */
export interface SecretsPort {
  /** `parts` of it are secrets on their own. @returns the key, or the one that was given. */
  keep(value: string, parts: readonly string[], key?: string): string;
  /** Throws `secret-lost`. */
  reveal(key: string): string;
}

/** Named places in object storage; what is secret of them is in the keychain. */
export interface StoragesPort {
  list(): Storage[];
  /** Adds or replaces. A null secret keeps the stored one; throws `storage-missing` where there is none, and the keychain's errors. */
  save(storage: Storage, secretAccessKey: string | null): Promise<void>;
  /** With its secret. Throws `storage-missing`. */
  remove(name: string): Promise<void>;
}

export interface BridgePorts {
  about(): CallReply<'host.describe'>;
  now(): number;
  instances: InstancesPort;
  credentials: CredentialsPort;
  spares: SparesPort;
  projectLists: ProjectListPort;
  jobs: JobsPort;
  secrets: SecretsPort;
  storages: StoragesPort;
  archives: ArchivesPort;
  trash: TrashPort;
  prune: PruningPort['prune'];
  downloads: DownloadsPort;
  transfers: TransfersPort;
  plans: PlansPort;
  migrations: MigrationsPort;
  evidence: EvidencePort;
  failures: FailuresPort;
  preflight: PreflightPort;
  lint: LintPort;
  /** Newest first; `before` is the id of the last run of the page before. */
  runs(filter: { before: string | null; limit: number }): Run[];
  /** Newest first; `before` is the id of the last request of the page before. */
  writeRequests(filter: {
    instance: string | null;
    job: string | null;
    before: number | null;
    limit: number;
  }): WriteRequest[];
  /** The projects that a selection means now and that the account may back up, and those it may not. */
  select(
    instance: Instance,
    selection: Selection,
    signal: AbortSignal,
  ): Promise<{ chosen: Project[]; skipped: { project: string; why: string }[] }>;
  settings: SettingsPort;
  host: HostPort;
  /** Runs the two practice servers in this process, known as instances; again: the same ones. */
  openPractice(): Promise<Instance[]>;
  /** Stops the practice server of that name, where there is one. */
  closePractice(instance: string): Promise<void>;
  /** What people must be told about the opening of the app, in sentences. */
  notices(): readonly string[];
  doctor(): Promise<CallReply<'doctor.run'>>;
}

export interface CallContext {
  signal: AbortSignal;
  progress(progress: Progress): void;
  paths: PathHolder;
}

/** A handler for every call; each answers or throws an `AppError`. */
export type Handlers = {
  [Name in CallName]: (request: ParsedRequest<Name>, context: CallContext) => Promise<CallReply<Name>>;
};
