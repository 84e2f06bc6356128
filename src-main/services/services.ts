/** @file The services in the form that their callers use; `compose/compose.ts` builds them. Types only. */
import type { CallReply } from '../../src-contract/calls.ts';
import type { ImportComparisonPort } from '../jobs/ports.ts';
import type { SharedParts } from './shared-parts.ts';
import type { ArchiveServices } from './archives/archive-services.ts';
import type { InstanceServices } from './instances/instance-services.ts';
import type { Storages } from './instances/storages.ts';
import type { RetryThroughOutage } from './instances/retry-through-outage.ts';
import type { MigrationServices } from './migrations/migration-services.ts';
import type { PlanServices } from './plans/plan-services.ts';
import type { ScopeSurveys } from './plans/scope-surveys.ts';
import type { MarkedProjects } from './projects/marked-projects.ts';
import type { ProjectLists } from './projects/project-lists.ts';
import type { JobService } from './runs/job-service.ts';
import type { Overview } from './runs/overview.ts';
import type { Sandboxes } from './sandbox/sandboxes.ts';
import type { SettingsAccess } from './settings-access.ts';
import type { Backups } from './transfers/backups.ts';
import type { Downloads } from './transfers/downloads.ts';
import type { SecretAddresses } from './transfers/secret-addresses.ts';
import type { PacedDownloads } from './transfers/paced-downloads.ts';

export interface Services
  extends
    InstanceServices,
    ArchiveServices,
    MigrationServices,
    Pick<PlanServices, 'plans' | 'planChanges' | 'planRuns'>,
    Pick<SharedParts, 'clock' | 'projectListStore' | 'runs' | 'writeRequests'> {
  describeHost(): CallReply<'host.describe'>;
  storages: Storages;
  retryThroughOutage: RetryThroughOutage;
  projectLists: ProjectLists;
  markedProjects: MarkedProjects;
  scopeSurveys: ScopeSurveys;
  jobs: JobService;
  overview: Overview;
  backups: Backups;
  importComparison: ImportComparisonPort;
  downloads: Downloads;
  pacedDownloads: PacedDownloads;
  secretAddresses: SecretAddresses;
  settings: SettingsAccess;
  sandboxes: Sandboxes;
  doctor(): Promise<CallReply<'doctor.run'>>;
}
