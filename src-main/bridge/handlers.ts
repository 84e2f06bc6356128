/** @file All calls answered, in one table; a call without a handler does not compile. */
import { archiveHandlers } from './archives/archive-handlers.ts';
import { backupHandlers } from './transfers/backup-handlers.ts';
import { changeHandlers } from './projects/change-handlers.ts';
import { Confirmations } from './host/confirmations.ts';
import { evidenceHandlers } from './migrations/evidence-handlers.ts';
import { exportHandlers } from './transfers/export-handlers.ts';
import { failureHandlers } from './migrations/failure-handlers.ts';
import { hostHandlers } from './host/host-handlers.ts';
import { importHandlers } from './transfers/import-handlers.ts';
import { checkAndKeep, instanceHandlers, knownInstance } from './instances/instance-handlers.ts';
import { jobHandlers } from './runs/job-handlers.ts';
import { migrationHandlers } from './migrations/migration-handlers.ts';
import { overviewHandlers } from './runs/overview-handlers.ts';
import { planHandlers } from './plans/plan-handlers.ts';
import type { BridgePorts, Handlers } from './ports.ts';
import { preflightHandlers } from './migrations/preflight-handlers.ts';
import { projectHandlers } from './projects/project-handlers.ts';
import { projectReadHandlers } from './projects/project-read-handlers.ts';
import { requestHandlers } from './runs/request-handlers.ts';
import { runHandlers } from './runs/run-handlers.ts';
import { settingsHandlers } from './host/settings-handlers.ts';
import { storageHandlers } from './instances/storage-handlers.ts';
import { transferHandlers } from './transfers/transfer-handlers.ts';
import { tokenHandlers } from './instances/token-handlers.ts';

export function createHandlers(ports: BridgePorts): Handlers {
  const confirmations = new Confirmations(() => ports.now());
  return {
    'doctor.run': () => ports.doctor(),
    'sandbox.open': async (_request, { signal }) => {
      const opened = await ports.openPractice();
      // What they are and when their tokens end is known like that of any instance that was added.
      for (const instance of opened) await checkAndKeep(ports, instance, signal);
      return { instances: await Promise.all(opened.map(({ name }) => knownInstance(ports, name))) };
    },
    ...hostHandlers(ports, confirmations),
    ...settingsHandlers(ports),
    ...overviewHandlers(ports),
    ...instanceHandlers(ports, confirmations),
    ...projectHandlers(ports),
    ...projectReadHandlers(ports),
    ...changeHandlers(ports, confirmations),
    ...backupHandlers(ports),
    ...archiveHandlers(ports, confirmations),
    ...exportHandlers(ports),
    ...importHandlers(ports, confirmations),
    ...transferHandlers(ports, confirmations),
    ...storageHandlers(ports),
    ...migrationHandlers(ports, confirmations),
    ...evidenceHandlers(ports),
    ...preflightHandlers(ports),
    ...failureHandlers(ports),
    ...jobHandlers(ports),
    ...planHandlers(ports),
    ...runHandlers(ports),
    ...tokenHandlers(ports, confirmations),
    ...requestHandlers(ports),
  };
}
