/** @file The services in the form that their callers use; `compose/compose.ts` builds them. Types only. */
import type { CallReply } from '../../src-contract/calls.ts';
import type { SharedDeps } from './shared-deps.ts';
import type { ArchiveServices } from './archives/archive-services.ts';
import type { InstanceRegistration } from './instances/instance-registration.ts';
import type { InstanceServices } from './instances/instance-services.ts';
import type { Storages } from './instances/storages.ts';
import type { RetryThroughOutage } from './instances/retry-through-outage.ts';
import type { MigrationServices } from './migrations/migration-services.ts';
import type { PlanServices } from './plans/plan-services.ts';
import type { ScopeSurveys } from './plans/scope-surveys.ts';
import type { MarkedProjects } from './projects/marked-projects.ts';
import type { ProjectChanges } from './projects/project-changes.ts';
import type { ProjectLists } from './projects/project-lists.ts';
import type { JobService } from './runs/job-service.ts';
import type { Overview } from './runs/overview.ts';
import type { Sandboxes } from './sandbox/sandboxes.ts';
import type { SettingsAccess } from './settings-access.ts';
import type { TransferServices } from './transfers/transfer-services.ts';

export interface Services
  extends
    InstanceServices,
    ArchiveServices,
    MigrationServices,
    TransferServices,
    Pick<PlanServices, 'plans' | 'planChanges' | 'planRuns'>,
    Pick<SharedDeps, 'clock' | 'projectListStore' | 'runs' | 'writeRequests'> {
  describeHost(): CallReply<'host.describe'>;
  registration: InstanceRegistration;
  storages: Storages;
  retryThroughOutage: RetryThroughOutage;
  projectLists: ProjectLists;
  markedProjects: MarkedProjects;
  projectChanges: ProjectChanges;
  scopeSurveys: ScopeSurveys;
  jobs: JobService;
  overview: Overview;
  settings: SettingsAccess;
  sandboxes: Sandboxes;
  runDoctor(): Promise<CallReply<'doctor.run'>>;
}
