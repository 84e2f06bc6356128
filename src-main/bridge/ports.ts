/** @file What the handlers of the bridge need, fitted by `app/compose.ts`, and what a handler is. Types only. */
import type { ArchivesPort, TrashPort, PruningPort } from './archives/archive-ports.ts';
import type { PathHolder } from './archives/given-paths.ts';
import type {
  SparesPort,
  InstancesPort,
  CredentialsPort,
  SecretsPort,
  StoragesPort,
} from './instances/instance-ports.ts';
import type { EvidencePort } from './migrations/evidence-ports.ts';
import type { ArrivalsPort } from './projects/project-ports.ts';
import type { FailuresPort } from './migrations/failure-ports.ts';
import type { MigrationsPort } from './migrations/migration-ports.ts';
import type { LintPort, PreflightPort } from './migrations/preflight-ports.ts';
import type { ProjectListPort } from './projects/list-ports.ts';
import type { DownloadsPort, RelationArchivesPort, TransfersPort } from './projects/project-ports.ts';
import type { DismissalsPort, JobsPort, PlansPort, ThroughOutage } from './runs/run-ports.ts';
import type { ScopePort } from './runs/scope-port.ts';
import type { CallName } from '../../src-preload/contract/call-names.ts';
import type { CallReply, ParsedRequest } from '../../src-preload/contract/calls.ts';
import type { Capabilities, chosenPaths } from '../../src-preload/contract/host.ts';
import type { Instance } from '../../src-preload/contract/instance.ts';
import type { Progress } from '../../src-preload/contract/job.ts';
import type { Run } from '../../src-preload/contract/plans/run.ts';
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import type { WriteRequest } from '../../src-preload/contract/write-request.ts';

export interface SettingsPort {
  show(): SettingsView;
  /** Throws `invalid-input` or a `disk-…` error for a root that cannot be one; then nothing is changed. */
  change(request: ParsedRequest<'settings.change'>): Promise<SettingsView>;
}

/**
 * What the host does for the window. What `capabilities` calls false rejects with `host-cannot`; arguments were checked
 * before: a path is that of a stored archive, a URL one of a registered instance or of the documentation.
 */
export interface HostPort {
  /** Whether there is a keychain, and somebody who takes new tokens, is found out elsewhere, alike for every host. */
  capabilities: Omit<Capabilities, 'keychain' | 'handOverTokens'>;
  /** An absolute path, or null when the person chose nothing. */
  choosePath(what: (typeof chosenPaths)[number]): Promise<string | null>;
  reveal(absolutePath: string): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Left out by hosts that do not start by themselves. */
  setStartAtLogin?(on: boolean): Promise<void>;
}

export interface BridgePorts {
  about(): CallReply<'host.describe'>;
  now(): number;
  instances: InstancesPort;
  credentials: CredentialsPort;
  spares: SparesPort;
  /** Whether somebody at this process takes new tokens, and what names the process. */
  recipient: { readonly key: string; readonly isThere: boolean };
  projectLists: ProjectListPort;
  jobs: JobsPort;
  secrets: SecretsPort;
  storages: StoragesPort;
  archives: ArchivesPort;
  arrivals: ArrivalsPort;
  trash: TrashPort;
  prune: PruningPort['prune'];
  downloads: DownloadsPort;
  transfers: TransfersPort;
  relationArchives: RelationArchivesPort;
  plans: PlansPort;
  throughOutage: ThroughOutage;
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
  scopes: ScopePort;
  dismissals: DismissalsPort;
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
