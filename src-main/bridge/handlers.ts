/** @file The handlers of all calls, in one table; a call without a handler does not compile. */
import { archiveHandlers } from './archives/archive-handlers.ts';
import { backupHandlers } from './transfers/backup-handlers.ts';
import { changeHandlers } from './projects/change-handlers.ts';
import { Confirmations } from './host/confirmations.ts';
import { passportHandlers } from './migrations/passport-handlers.ts';
import { exportHandlers } from './transfers/export-handlers.ts';
import { failureHandlers } from './migrations/failure-handlers.ts';
import { hostHandlers } from './host/host-handlers.ts';
import type { HostActions } from './host/host-port.ts';
import { importHandlers } from './transfers/import-handlers.ts';
import { instanceHandlers } from './instances/instance-handlers.ts';
import { jobHandlers } from './runs/job-handlers.ts';
import { migrationHandlers } from './migrations/migration-handlers.ts';
import { overviewHandlers } from './runs/overview-handlers.ts';
import { planHandlers } from './plans/plan-handlers.ts';
import type { Handlers } from './handler.ts';
import type { Services } from '../services/services.ts';
import { preflightHandlers } from './migrations/preflight-handlers.ts';
import { projectHandlers } from './projects/project-handlers.ts';
import { projectReadHandlers } from './projects/project-read-handlers.ts';
import { writeRequestHandlers } from './runs/write-request-handlers.ts';
import { runHandlers } from './runs/run-handlers.ts';
import { settingsHandlers } from './host/settings-handlers.ts';
import { storageHandlers } from './instances/storage-handlers.ts';
import { tokenHandlers } from './instances/token-handlers.ts';

export function createHandlers(services: Services, host: HostActions): Handlers {
  const confirmations = new Confirmations(() => services.clock.now());
  return {
    'doctor.run': () => services.runDoctor(),
    'sandbox.open': async (_request, { signal }) => {
      const opened = await services.sandboxes.open();
      // Checks their version and tokens, as for any instance that was added.
      for (const instance of opened) await services.checks.checkAndSave(instance, signal);
      return { instances: opened.map(({ name }) => services.instances.get(name)) };
    },
    ...hostHandlers(services, host, confirmations),
    ...settingsHandlers(services, host),
    ...overviewHandlers(services),
    ...instanceHandlers(services, confirmations),
    ...projectHandlers(services),
    ...projectReadHandlers(services),
    ...changeHandlers(services, confirmations),
    ...backupHandlers(services),
    ...archiveHandlers(services, confirmations),
    ...exportHandlers(services),
    ...importHandlers(services, confirmations),
    ...storageHandlers(services),
    ...migrationHandlers(services, confirmations),
    ...passportHandlers(services),
    ...preflightHandlers(services),
    ...failureHandlers(services),
    ...jobHandlers(services),
    ...planHandlers(services),
    ...runHandlers(services),
    ...tokenHandlers(services, confirmations),
    ...writeRequestHandlers(services),
  };
}
