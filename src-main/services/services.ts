/**
 * @file The services in the form that their callers use; `compose/compose.ts` builds them. Types only.
 */
import type { ArchiveContents } from './archives/archive-contents.ts';
import type { ArchiveIntake } from './archives/archive-intake.ts';
import type { ArchiveProofs } from './archives/archive-proofs.ts';
import type { StoredArchives } from './archives/stored-archives.ts';
import type { Trash } from './archives/keeping/trash.ts';
import type { PlanPruning } from './archives/keeping/pruning.ts';
import type { MigrationPassports } from './migrations/passports.ts';
import type { ImportComparisonPort } from '../jobs/ports.ts';
import type { Retrying } from './migrations/retrying.ts';
import type { FailureAccess } from './migrations/failures.ts';
import type { Migrations } from './migrations/migrations.ts';
import type { Linting } from './archives/linting.ts';
import type { Checking } from './migrations/checking.ts';
import type { ProjectList } from '../catalogue/projects/projects.ts';
import type { Overview } from './runs/overview.ts';
import type { MarkedProjects } from './projects/marked-projects.ts';
import type { ProjectLists } from './projects/project-lists.ts';
import type { Backups } from './transfers/backups.ts';
import type { Downloads } from './transfers/downloads.ts';
import type { RelationArchiveMaking } from './transfers/relation-archives.ts';
import type { Transfers } from './transfers/transfers.ts';
import type { JobAccess } from './runs/job-access.ts';
import type { PlanChanges } from './plans/plan-changes.ts';
import type { PlanRuns } from './plans/plan-runs.ts';
import type { Plans } from './plans/plans.ts';
import type { ThroughOutage } from './instances/through-outage.ts';
import type { ScopeSurveys } from './plans/scope-surveys.ts';
import type { CallReply } from '../../src-contract/calls.ts';
import type { Instance } from '../../src-contract/instances/instance.ts';
import type { Run } from '../../src-contract/runs/run.ts';
import type { WriteRequest } from '../../src-contract/instances/write-request-schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Connections } from './instances/connections.ts';
import type { InstanceChecks } from './instances/instance-checks.ts';
import type { InstanceTokens } from './tokens/instance-tokens.ts';
import type { Instances } from './instances/instances.ts';
import type { SpareTokens } from './tokens/spare-tokens.ts';
import type { Storages } from './instances/storages.ts';
import type { TokenPresence } from './tokens/token-presence.ts';
import type { TokenRecipient } from './tokens/token-recipient.ts';
import type { TokenRefusals } from './tokens/token-refusals.ts';
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
  /** Whether there is a recipient of new tokens at this process, and the name of the process. */
  recipient: Pick<TokenRecipient, 'key' | 'isThere'>;
  projectLists: ProjectLists;
  /** Reads of the stored project lists. */
  listed: Pick<ProjectList, 'refreshed' | 'count' | 'withPath'>;
  markedProjects: MarkedProjects;
  backups: Backups;
  overview: Overview;
  jobs: JobAccess;
  secretAddresses: SecretAddresses;
  storages: Storages;
  archives: StoredArchives;
  contents: ArchiveContents;
  intake: ArchiveIntake;
  proofs: ArchiveProofs;
  arrivals: ImportComparisonPort;
  trash: Trash;
  pruning: PlanPruning;
  downloads: Downloads;
  transfers: Transfers;
  relationArchives: RelationArchiveMaking;
  plans: Plans;
  planChanges: PlanChanges;
  planRuns: PlanRuns;
  throughOutage: ThroughOutage;
  migrations: Migrations;
  evidence: MigrationPassports;
  retrying: Pick<Retrying, 'start'>;
  failures: FailureAccess;
  preflight: Checking;
  lint: Linting;
  /** Newest first; `before` is the id of the last run of the page before. */
  runs(filter: { before: string | null; limit: number }): Run[];
  /** Newest first; `before` is the id of the last request of the page before. */
  writeRequests(filter: {
    instance: string | null;
    job: string | null;
    before: number | null;
    limit: number;
  }): WriteRequest[];
  scopes: ScopeSurveys;
  settings: SettingsAccess;
  /**
   * Runs the two sandbox servers in this process, registered as instances. A repeated call returns the same
   * ones.
   */
  openSandbox(): Promise<Instance[]>;
  /** Stops the sandbox server of that name, where there is one. */
  closeSandbox(instance: string): Promise<void>;
  doctor(): Promise<CallReply<'doctor.run'>>;
}
