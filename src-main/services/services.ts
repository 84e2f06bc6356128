/** @file The services as their callers hold them; `compose/compose.ts` builds them. Types only. */
import type { ArchivesPort, TrashPort, PruningPort } from '../bridge/archives/archive-ports.ts';
import type { PassportPort } from '../bridge/migrations/passport-ports.ts';
import type { ArrivalsPort } from '../bridge/projects/project-ports.ts';
import type { FailuresPort } from '../bridge/migrations/failure-ports.ts';
import type { MigrationsPort } from '../bridge/migrations/migration-ports.ts';
import type { LintPort, PreflightPort } from '../bridge/migrations/preflight-ports.ts';
import type { ProjectListPort } from '../bridge/projects/list-ports.ts';
import type { DownloadsPort, RelationArchivesPort, TransfersPort } from '../bridge/projects/project-ports.ts';
import type { DismissalsPort, JobsPort, PlansPort, ThroughOutage } from '../bridge/runs/run-ports.ts';
import type { ScopePort } from '../bridge/runs/scope-port.ts';
import type { CallReply } from '../../src-contract/calls.ts';
import type { Instance } from '../../src-contract/instance.ts';
import type { Run } from '../../src-contract/plans/run.ts';
import type { WriteRequest } from '../../src-contract/write-request.ts';
import type { Clock } from '../platform/clock.ts';
import type { Connections } from './instances/connections.ts';
import type { InstanceChecks } from './instances/instance-checks.ts';
import type { InstanceTokens } from './instances/instance-tokens.ts';
import type { Instances } from './instances/instances.ts';
import type { SpareTokens } from './instances/spare-tokens.ts';
import type { Storages } from './instances/storages.ts';
import type { TokenPresence } from './instances/token-presence.ts';
import type { TokenRecipient } from './instances/token-recipient.ts';
import type { TokenRefusals } from './instances/token-refusals.ts';
import type { SecretAddresses } from './transfers/secret-addresses.ts';
import type { SettingsAccess } from './settings-access.ts';

export interface Services {
  about(): CallReply<'host.describe'>;
  clock: Clock;
  instances: Instances;
  connections: Connections;
  checks: InstanceChecks;
  tokens: InstanceTokens;
  presence: TokenPresence;
  refusals: TokenRefusals;
  spares: SpareTokens;
  /** Whether somebody at this process takes new tokens, and what names the process. */
  recipient: Pick<TokenRecipient, 'key' | 'isThere'>;
  projectLists: ProjectListPort;
  jobs: JobsPort;
  secretAddresses: SecretAddresses;
  storages: Storages;
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
  evidence: PassportPort;
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
  settings: SettingsAccess;
  /** Runs the two practice servers in this process, known as instances; again: the same ones. */
  openSandbox(): Promise<Instance[]>;
  /** Stops the practice server of that name, where there is one. */
  closeSandbox(instance: string): Promise<void>;
  /** What people must be told about the opening of the app, in sentences. */
  notices(): readonly string[];
  doctor(): Promise<CallReply<'doctor.run'>>;
}
